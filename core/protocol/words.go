package protocol

// The closed word lists of message fields. Each type lists its words for the decoder and for the TypeScript generator.

// Capability names a power of the host that a tool may ask for.
type Capability string

const (
	CapabilityFetch    Capability = "fetch"
	CapabilitySubtasks Capability = "subtasks"
	CapabilityResolve  Capability = "resolve"
	CapabilityStorage  Capability = "storage"
	CapabilityPopup    Capability = "popup"
)

// Words lists the closed set.
func (Capability) Words() []string {
	return []string{"fetch", "subtasks", "resolve", "storage", "popup"}
}

// Level is the level of a log line.
type Level string

// Words lists the closed set.
func (Level) Words() []string { return []string{"debug", "log", "info", "warn", "error"} }

// FailureCode tells a tool's own error from a result that cannot travel.
type FailureCode string

const (
	ToolError     FailureCode = "tool_error"
	InvalidResult FailureCode = "invalid_result"
)

// Words lists the closed set.
func (FailureCode) Words() []string { return []string{"tool_error", "invalid_result"} }

// FloodReason says which budget was passed.
type FloodReason string

// Words lists the closed set.
func (FloodReason) Words() []string { return []string{"messages", "bytes", "size", "malformed"} }

// CrashReason says how a sandbox ended.
type CrashReason string

const (
	CrashTimeout CrashReason = "timeout" // running time passed
	CrashWall    CrashReason = "wall"    // total time passed
	CrashStart   CrashReason = "start"   // the program did not start in this engine
	CrashError   CrashReason = "error"   // the worker or process died
	CrashSilent  CrashReason = "silent"  // pings went unanswered during an open ask
)

// Words lists the closed set.
func (CrashReason) Words() []string { return []string{"timeout", "wall", "start", "error", "silent"} }
