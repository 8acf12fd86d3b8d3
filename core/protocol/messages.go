package protocol

// Message is one message body. The set is closed: only the structs of this file are messages.
type Message interface{ Kind() string }

// Side says who speaks.
type Side string

const (
	Host       Side = "host"
	Tool       Side = "tool"
	Supervisor Side = "supervisor"
)

// Value is a value in its tagged form (value.go), of any JSON type.
type Value = any

// Start gives an empty sandbox its code. It is the first message, once.
type Start struct {
	Name     string  `json:"name" max:"64"`                // the tool's name, for stacks
	Revision string  `json:"revision,omitempty" max:"128"` // the id of its revision, for debuggers
	Language string  `json:"language" max:"32"`            // javascript or python
	Program  string  `json:"program" max:"4194304"`        // an async function body that returns the tool; author line N is line N+1
	Limits   Budget  `json:"limits"`                       // what the supervisor and the runtime enforce
	Assets   []Asset `json:"assets,omitempty" max:"256"`   // runtime files; their bytes are this message's blobs, in order
}

// Budget is the part of the limits that is enforced inside the sandbox. Bytes and counts; windowMs in milliseconds.
type Budget struct {
	Nesting           int `json:"nesting"`
	ResultBytes       int `json:"resultBytes"`
	InlineTextBytes   int `json:"inlineTextBytes"`
	LogLines          int `json:"logLines"`
	LogBytes          int `json:"logBytes"`
	MessagesPerWindow int `json:"messagesPerWindow"`
	BytesPerWindow    int `json:"bytesPerWindow"`
	WindowMs          int `json:"windowMs"`
	BodyBytes         int `json:"bodyBytes"` // bodies of asks, sent and not answered
}

// Asset names one verified runtime file that came as a blob.
type Asset struct {
	Name string `json:"name" max:"256"`
	Size int    `json:"size"`
}

// Call starts one execution. Call ids grow by one from 1. Times are milliseconds.
type Call struct {
	Call      int     `json:"call"`
	Args      Value   `json:"args"`
	TimeoutMs int     `json:"timeoutMs"` // running time
	WallMs    int     `json:"wallMs"`    // total time
	Context   Context `json:"context"`
}

// Context is what a tool may know of its call.
type Context struct {
	Task     string `json:"task" max:"128"`
	Tool     string `json:"tool" max:"128"`
	Settings Value  `json:"settings,omitempty"`
	Secrets  Value  `json:"secrets,omitempty"` // the placeholder of each secret, by its name
}

// Answer settles one ask: with an error, or else with a value, which may be null. With body, chunks follow, and the ask stays open
// until the last one.
type Answer struct {
	Call  int    `json:"call"`
	Ask   int    `json:"ask"`
	Value Value  `json:"value"`
	Error *Fault `json:"error,omitempty"`
	Body  bool   `json:"body,omitempty"`
}

// Fault is a host error as a tool sees it.
type Fault struct {
	Code    string `json:"code" max:"64"`
	Message string `json:"message" max:"4096"`
}

// BodyCredit is how many bytes of a body may come before the tool has given any credit.
const BodyCredit = 1 << 20

// ChunkBytes is the most that one chunk holds.
const ChunkBytes = 1 << 20

// Chunk is a piece of the body of an answer; its bytes are the message's only blob, if it has any. Seq counts from 0. An error says
// why a body ends before its end, and goes with last.
type Chunk struct {
	Call  int    `json:"call"`
	Ask   int    `json:"ask"`
	Seq   int    `json:"seq"`
	Last  bool   `json:"last"`
	Error *Fault `json:"error,omitempty"`
}

// Cancel ends the running call; the sandbox is destroyed with it.
type Cancel struct {
	Call int `json:"call"`
}

// Ping asks for a Pong with the same number.
type Ping struct {
	Seq int `json:"seq"`
}

// Ready says that the runtime stands and the program has been compiled.
type Ready struct {
	Version int `json:"version"`
}

// Ask requests one use of a capability. Ask ids grow by one from 1 in each call.
type Ask struct {
	Call       int        `json:"call"`
	Ask        int        `json:"ask"`
	Capability Capability `json:"capability"`
	Params     Value      `json:"params"`
}

// AskCancel withdraws an open ask, or gives up the rest of a body.
type AskCancel struct {
	Call int `json:"call"`
	Ask  int `json:"ask"`
}

// Credit allows the host that many more bytes of a body, beside the first BodyCredit.
type Credit struct {
	Call  int `json:"call"`
	Ask   int `json:"ask"`
	Bytes int `json:"bytes"`
}

// Log carries lines in order. Dropped counts the lines left out between the kept head and the lines of this message.
type Log struct {
	Call    int    `json:"call"`
	Lines   []Line `json:"lines" max:"4096"`
	Dropped int    `json:"dropped,omitempty"`
}

// Line is one log line.
type Line struct {
	Level Level  `json:"level"`
	Text  string `json:"text" max:"262144"`
}

// Progress is a fraction from 0 to 1 and a text, both optional.
type Progress struct {
	Call     int     `json:"call"`
	Fraction float64 `json:"fraction,omitempty"`
	Text     string  `json:"text,omitempty" max:"1024"`
}

// Result ends a call with a value.
type Result struct {
	Call  int   `json:"call"`
	Value Value `json:"value"`
}

// Failure ends a call without a value.
type Failure struct {
	Call  int         `json:"call"`
	Code  FailureCode `json:"code"`
	Error Thrown      `json:"error"`
}

// Thrown describes what a tool threw, or where its result could not travel (path). Line and column are the author's, from 1.
type Thrown struct {
	Name    string `json:"name" max:"256"`
	Message string `json:"message" max:"16384"`
	Path    string `json:"path,omitempty" max:"1024"`
	Stack   string `json:"stack,omitempty" max:"16384"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Cause   string `json:"cause,omitempty" max:"16384"`
	Value   Value  `json:"value,omitempty"` // a thrown value that is not an Error, when it can travel
}

// Pong answers a Ping.
type Pong struct {
	Seq int `json:"seq"`
}

// Flooded says that the supervisor ended the tool because it sent too much, or too much that was malformed.
type Flooded struct {
	Call   int         `json:"call"` // 0 when none was running
	Reason FloodReason `json:"reason"`
	Count  int         `json:"count"`
}

// Crashed says that the supervisor ended the tool, or found it dead.
type Crashed struct {
	Call    int         `json:"call"` // 0 when none was running
	Reason  CrashReason `json:"reason"`
	Message string      `json:"message" max:"4096"`
	Line    int         `json:"line,omitempty"`
	Column  int         `json:"column,omitempty"`
}

func (*Start) Kind() string     { return "start" }
func (*Call) Kind() string      { return "call" }
func (*Answer) Kind() string    { return "answer" }
func (*Chunk) Kind() string     { return "chunk" }
func (*Cancel) Kind() string    { return "cancel" }
func (*Ping) Kind() string      { return "ping" }
func (*Ready) Kind() string     { return "ready" }
func (*Ask) Kind() string       { return "ask" }
func (*AskCancel) Kind() string { return "ask_cancel" }
func (*Credit) Kind() string    { return "credit" }
func (*Log) Kind() string       { return "log" }
func (*Progress) Kind() string  { return "progress" }
func (*Result) Kind() string    { return "result" }
func (*Failure) Kind() string   { return "failure" }
func (*Pong) Kind() string      { return "pong" }
func (*Flooded) Kind() string   { return "flooded" }
func (*Crashed) Kind() string   { return "crashed" }
