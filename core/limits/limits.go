// Package limits holds every size, count and clock of the product in one place.
package limits

import "time"

// Limits are the numbers of one engine. All can be set; Default gives the documented ones.
type Limits struct {
	Nesting         int // depth of JSON and of tagged values
	DefinitionBytes int // a definition as JSON text
	ArgumentsBytes  int // arguments of one call as JSON text
	ResultBytes     int // a result in its tagged form
	InlineTextBytes int // a message text; above it the text travels as a UTF-8 blob
	BlobBytes       int // blobs of one message
	StartAssetBytes int // blobs of one start message
	ArchiveBytes    int // a file to import, and an export
	ArchiveTasks    int // tasks of such a file, those that older data becomes included

	LogLines int // log lines of one call that are kept, head and tail together
	LogBytes int // bytes of those lines

	Call    time.Duration // running time of one call
	Wall    time.Duration // total time of one call, waits included
	Start   time.Duration // until a sandbox says ready
	Overdue time.Duration // how long past its deadline the host waits for the supervisor's word

	Retained          int           // sandboxes kept at once, the busy ones always
	Idle              time.Duration // an unused sandbox is ended after; 0: never
	Warm              int           // opened, empty sandboxes held ready
	Prepared          int           // sandboxes held ready with the code of a revision that is called disposably
	Rest              time.Duration // after a call, until its sandbox is asked whether it rests, and until a warm one is opened
	Answer            time.Duration // until a resting sandbox has answered; 0: none is asked
	RestartsPerMinute int           // starts of one revision after a destruction
	Queue             int           // calls waiting for one sandbox
	Asks              int           // asks of one call that are open at once
	AsksPerCall       int           // asks of one call in all

	FetchURLBytes    int           // a URL, as written and as sent
	FetchHeaders     int           // headers of one request
	FetchHeaderBytes int           // one value of them
	FetchSentBytes   int           // the body of one request
	FetchBytes       int           // the decoded body of one response
	FetchRequests    int           // requests of one call
	FetchAtOnce      int           // of them under way at once
	Subtasks         int           // tasks that one call may make
	SubtaskBytes     int           // of all of them
	SubtaskDepth     int           // calls that stand above one another
	Fetch            time.Duration // one request and its response, to the last byte
	Prompts          int           // questions to the user that wait behind the one that is shown, and noes after which a call asks no more
	AuditRows        int           // rows of the audit; the oldest go
	Popups           int           // windows of tools that are open at once
	PopupBytes       int           // the html of one

	MessagesPerWindow int           // messages a tool may send in one window
	BytesPerWindow    int           // bytes of those messages, results and bodies excluded
	Window            time.Duration // the flood window
	BodyBytes         int           // bodies of asks that a tool may have sent and not had answered; a tenth more in each window

	SecretBytes     int // the value of one secret
	StorageBytes    int // what one revision stores in all its partitions, keys included
	StorageKeys     int // keys of it
	StorageKeyBytes int // one key
}

// Default returns the documented limits.
func Default() Limits {
	return Limits{
		Nesting:         64,
		DefinitionBytes: 1 << 20,
		ArgumentsBytes:  16 << 20,
		ResultBytes:     16 << 20,
		InlineTextBytes: 512 << 10,
		BlobBytes:       64 << 20,
		StartAssetBytes: 256 << 20,
		ArchiveBytes:    64 << 20,
		ArchiveTasks:    200_000,

		LogLines: 1000,
		LogBytes: 256 << 10,

		Call:    30 * time.Second,
		Wall:    10 * time.Minute,
		Start:   10 * time.Second,
		Overdue: 2 * time.Second,

		Retained:          16,
		Idle:              10 * time.Minute,
		Warm:              1,
		Prepared:          2,
		Rest:              100 * time.Millisecond,
		Answer:            time.Second,
		RestartsPerMinute: 10,
		Queue:             256,
		Asks:              100,
		AsksPerCall:       1000,

		FetchURLBytes:    8 << 10,
		FetchHeaders:     64,
		FetchHeaderBytes: 8 << 10,
		FetchSentBytes:   10 << 20,
		FetchBytes:       10 << 20,
		FetchRequests:    100,
		FetchAtOnce:      6,
		Subtasks:         64,
		SubtaskBytes:     1 << 20,
		SubtaskDepth:     8,
		Fetch:            30 * time.Second,
		Prompts:          8,
		AuditRows:        10_000,
		Popups:           3,
		PopupBytes:       1 << 20,

		MessagesPerWindow: 100,
		BytesPerWindow:    1 << 20,
		Window:            100 * time.Millisecond,
		BodyBytes:         16 << 20,

		SecretBytes:     64 << 10,
		StorageBytes:    5 << 20,
		StorageKeys:     1000,
		StorageKeyBytes: 256,
	}
}
