package contracts

// Guard is one protection that test builds can turn off.
type Guard struct {
	Name string `json:"name"`
	What string `json:"what"`
	Kind string `json:"kind"` // see the constants
}

// Kinds say who turns a guard off.
const (
	InHost   = "host"   // sandboxhost, in a build with the tag controls
	InFrame  = "frame"  // the command bundle, which builds the frame without it
	InPage   = "page"   // the server of the page
	InLimits = "limits" // the engine's options: Lifted has the numbers
)

// Guards lists them all.
func Guards() []Guard {
	return []Guard{
		{"frame-policy", "the frame's own Content-Security-Policy", InHost},
		{"frame-sandbox", "the frame's sandbox attribute", InHost},
		{"frame-hidden", "the frame is hidden", InHost},
		{"frame-load", "a frame that loads again is lost", InHost},
		{"host-policy", "the page's Content-Security-Policy", InPage},
		{"lockdown", "ways to other realms, threads and the graphics card are removed", InFrame},
		{"own-functions", "the runtime uses captured functions", InFrame},
		{"frame-powers", "the frame's window has no peer connection and no socket", InFrame},
		{"one-port", "the frame takes one port, once", InFrame},
		{"deadline", "the supervisor ends a call at its deadline", InFrame},
		{"flood", "the supervisor ends a sandbox that floods", InFrame},
		{"timers", "timers end with their call", InFrame},
		{"own-console", "the console is the runtime's", InFrame},
		{"uncaught", "uncaught errors are lines of the log", InFrame},
		{"log-budget", "a call's log is bounded", InFrame},
		{"progress-pace", "progress is coalesced", InFrame},
		{"strict", "tool code is strict", InFrame},
		{"tagged-values", "values that JSON lacks travel in a tagged form", InFrame},
		{"result-bounds", "the size and depth of a result are bounded where it is made", InFrame},
		{"ended-asks", "asks of an ended call are refused", InFrame},
		{"ended-call", "a call settles once", InFrame},
		{"quiet-errors", "errors show the author's text and nothing else", InFrame},
	}
}
