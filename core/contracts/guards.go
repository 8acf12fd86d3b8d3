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
	InCore   = "core"   // core and the page's carrier, in a build with the tag controls
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
		{Name: "own-fetch", What: "the names of the Fetch standard are the runtime's, which asks the host", Kind: InFrame, Behind: []string{"host-policy", "frame-policy", "header-policy", "header-allowlist", "frame-version"}},
		{Name: "policy-raw", What: "an address that a parser would have to repair is refused", Kind: InCore},
		{Name: "policy-scheme", What: "an address that is not https is refused", Kind: InCore},
		{Name: "policy-port", What: "ports of other protocols are refused", Kind: InCore},
		{Name: "policy-name", What: "names that lead to this machine or a private network are refused", Kind: InCore},
		{Name: "policy-form", What: "hosts that are no public names are refused", Kind: InCore},
		{Name: "policy-address", What: "addresses that are not public are refused", Kind: InCore, Behind: []string{"policy-self"}},
		{Name: "policy-self", What: "the application's own hosts are refused", Kind: InCore, Behind: []string{"policy-address"}},
		{Name: "policy-class", What: "what a method does decides whether it reads or writes", Kind: InCore},
		{Name: "policy-body", What: "a request that reads has no body", Kind: InCore},
		{Name: "policy-need", What: "what a tool does not declare is refused", Kind: InCore, Behind: []string{"grant-need"}},
		{Name: "grant-need", What: "what a tool does not declare is asked for of nobody", Kind: InCore, Behind: []string{"policy-need"}},
		{Name: "policy-header", What: "headers that are not a tool's to set are refused", Kind: InCore},
		{Name: "policy-hidden", What: "headers of an answer that set state are kept from the tool", Kind: InCore},
		{Name: "fetch-grant", What: "the user is asked before a request", Kind: InCore},
		{Name: "fetch-redirect", What: "no redirect is followed", Kind: InCore},
		{Name: "fetch-omit", What: "a request takes no credentials of the user along", Kind: InCore},
		{Name: "fetch-referrer", What: "a request does not name the page", Kind: InCore},
		{Name: "fetch-no-store", What: "a request takes nothing from the cache", Kind: InCore},
		{Name: "fetch-bytes", What: "the decoded bytes of an answer are bounded", Kind: InCore},
		{Name: "fetch-time", What: "the time of a request is bounded, to its last byte", Kind: InCore},
		{Name: "fetch-requests", What: "the requests of a call are counted", Kind: InCore},
		{Name: "fetch-cancel", What: "a request that is given up is ended", Kind: InCore},
		{Name: "grant-revision", What: "a grant is of one revision", Kind: InCore},
		{Name: "grant-scope", What: "a grant is for one origin", Kind: InCore},
		{Name: "grant-credentials", What: "a grant covers the credentials that the question named", Kind: InCore},
		{Name: "grant-revoked", What: "a grant that was taken back holds for nothing", Kind: InCore},
		{Name: "prompt-queue", What: "the questions that wait for the user are bounded", Kind: InCore},
		{Name: "prompt-void", What: "an answer that comes when its call has ended is void", Kind: InCore},
		{Name: "secret-origin", What: "a secret goes to the origins that it was set for", Kind: InCore},
		{Name: "secret-scrub", What: "a secret that was sent is taken out of what comes back", Kind: InCore},
		{Name: "subtask-count", What: "the tasks that a call makes are counted", Kind: InCore},
		{Name: "audit-kept", What: "what tools ask for is kept", Kind: InCore},
		{Name: "quiet-errors", What: "errors show the author's text and nothing else", Kind: InFrame},
	}
}
