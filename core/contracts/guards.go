package contracts

// Guard is one protection that test builds can turn off.
type Guard struct {
	Name   string         `json:"name"`
	What   string         `json:"what"`
	Kind   string         `json:"kind"`             // see the constants
	Lifted map[string]int `json:"lifted,omitempty"` // InLimits: the limits without it
	// Behind are guards that stand in for it, some of them in the served kind alone: whoever proves that it is noticed has them off, with
	// it and without it.
	Behind []string `json:"behind,omitempty"`
}

// Kinds say who turns a guard off.
const (
	InHost   = "host"   // sandboxhost, in a build with the tag controls
	InFrame  = "frame"  // the command bundle, which builds the frame without it
	InPage   = "page"   // the server of the page
	InServed = "served" // the server of the page that frames of the served kind show; no frame of another kind has them
	InLimits = "limits" // the engine's options: Lifted has the numbers
)

// Guards lists them all.
func Guards() []Guard {
	return []Guard{
		{Name: "frame-policy", What: "the frame's own Content-Security-Policy", Kind: InHost, Behind: []string{"lockdown", "header-policy", "header-allowlist", "frame-version"}},
		{Name: "frame-sandbox", What: "the frame's sandbox attribute", Kind: InHost, Behind: []string{"lockdown", "header-sandbox", "frame-opaque"}},
		{Name: "frame-hidden", What: "the frame is hidden", Kind: InHost},
		{Name: "frame-load", What: "a frame that loads again is lost", Kind: InHost, Behind: []string{"header-allowlist"}},
		{Name: "frame-hold", What: "nothing is said to a served page before it has said what it is", Kind: InHost},
		{Name: "frame-version", What: "a served page without the policy of this version is refused", Kind: InHost},
		{Name: "frame-opaque", What: "a served page whose origin is not opaque is refused", Kind: InHost},
		{Name: "header-policy", What: "the policy that the served page is sent with", Kind: InServed},
		{Name: "header-sandbox", What: "the directive sandbox that the served page is sent with", Kind: InServed},
		{Name: "header-ancestors", What: "the directive frame-ancestors that the served page is sent with", Kind: InServed},
		{Name: "header-allowlist", What: "the header Connection-Allowlist that the served page is sent with", Kind: InServed},
		{Name: "host-policy", What: "the page's Content-Security-Policy", Kind: InPage, Behind: []string{"header-allowlist"}},
		{Name: "lockdown", What: "ways to other realms, threads and the graphics card are removed", Kind: InFrame},
		{Name: "own-functions", What: "the runtime uses captured functions", Kind: InFrame},
		{Name: "frame-powers", What: "the frame's window has no peer connection and no socket", Kind: InFrame},
		{Name: "one-port", What: "the frame takes one port, once", Kind: InFrame},
		{Name: "deadline", What: "the supervisor ends a call at its deadline", Kind: InFrame},
		{Name: "flood", What: "the supervisor ends a sandbox that floods", Kind: InFrame},
		{Name: "timers", What: "timers end with their call", Kind: InFrame},
		{Name: "own-fetch", What: "what a tool fetches is asked of the host", Kind: InFrame},
		{Name: "own-console", What: "the console is the runtime's", Kind: InFrame},
		{Name: "log-budget", What: "a call's log is bounded", Kind: InFrame},
		{Name: "progress-pace", What: "progress is coalesced", Kind: InFrame},
		{Name: "strict", What: "tool code is strict", Kind: InFrame},
		{Name: "tagged-values", What: "values that JSON lacks travel in a tagged form", Kind: InFrame},
		{Name: "result-bounds", What: "the size and depth of a result are bounded where it is made", Kind: InFrame},
		{Name: "ended-asks", What: "asks of an ended call are refused", Kind: InFrame},
		{Name: "own-fields", What: "the runtime defines fields and never assigns them", Kind: InFrame},
		{Name: "ask-bounds", What: "the size of an ask is bounded where it is made", Kind: InFrame},
		{Name: "syntax", What: "a real parser judges tool code before it is installed", Kind: InFrame},
		{Name: "script-name", What: "what names a tool's script in stacks is the runtime's", Kind: InFrame},
		{Name: "frame-removal", What: "a sandbox that has ended leaves the page", Kind: InHost},
		{Name: "definition-size", What: "the size of a definition is bounded", Kind: InLimits, Lifted: map[string]int{"definitionBytes": 64 << 20}},
		{Name: "quiet-errors", What: "errors show the author's text and nothing else", Kind: InFrame},
	}
}
