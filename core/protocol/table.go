package protocol

// Version is the protocol's number; Ready carries it.
const Version = 1

// State is where a conversation stands.
type State string

const (
	New      State = "new"      // nothing was said
	Starting State = "starting" // start was sent
	Idle     State = "idle"     // ready, no call
	Running  State = "running"  // a call is open
	Ended    State = "ended"    // nothing counts any more
)

// Row is one message of the protocol.
type Row struct {
	Kind  string
	By    Side
	In    []State        // states in which it may be said
	Then  State          // the state it leads to; empty: stays
	Bytes int            // largest text, UTF-8
	Blobs int            // most blobs
	Make  func() Message // an empty body to decode into
}

const (
	kib = 1 << 10
	mib = 1 << 20
)

// Rows returns the whole table. Sizes are ceilings of the wire; the settable limits lie below them.
func Rows() []Row {
	alive := []State{Starting, Idle, Running}
	return []Row{
		{"start", Host, []State{New}, Starting, 5 * mib, 256, func() Message { return new(Start) }},
		{"call", Host, []State{Idle}, Running, 34 * mib, 0, func() Message { return new(Call) }},
		{"answer", Host, []State{Running}, "", 34 * mib, 8, func() Message { return new(Answer) }},
		{"chunk", Host, []State{Running}, "", 8 * kib, 1, func() Message { return new(Chunk) }},
		{"cancel", Host, []State{Running}, Ended, kib, 0, func() Message { return new(Cancel) }},
		{"ping", Host, alive, "", kib, 0, func() Message { return new(Ping) }},

		{"ready", Tool, []State{Starting}, Idle, kib, 0, func() Message { return new(Ready) }},
		{"ask", Tool, []State{Running}, "", mib, 8, func() Message { return new(Ask) }},
		{"ask_cancel", Tool, []State{Running}, "", kib, 0, func() Message { return new(AskCancel) }},
		{"credit", Tool, []State{Running}, "", kib, 0, func() Message { return new(Credit) }},
		{"log", Tool, []State{Running}, "", 2 * mib, 0, func() Message { return new(Log) }},
		{"progress", Tool, []State{Running}, "", 8 * kib, 0, func() Message { return new(Progress) }},
		{"result", Tool, []State{Running}, Idle, 34 * mib, 0, func() Message { return new(Result) }},
		{"failure", Tool, []State{Running}, Idle, 256 * kib, 0, func() Message { return new(Failure) }},
		{"pong", Tool, alive, "", kib, 0, func() Message { return new(Pong) }},

		{"flooded", Supervisor, alive, Ended, kib, 0, func() Message { return new(Flooded) }},
		{"crashed", Supervisor, alive, Ended, 32 * kib, 0, func() Message { return new(Crashed) }},
	}
}
