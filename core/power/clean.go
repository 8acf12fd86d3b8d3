package power

import (
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
)

// Text takes the secrets that were sent out of a text that the tool leaves behind: a log line, the message of an error.
func (s *Session) Text(text string) string {
	if s.secrets == nil {
		return text
	}
	return s.secrets.Text(text)
}

// Value does so for a value in tagged form.
func (s *Session) Value(v protocol.Value) protocol.Value {
	if s.secrets == nil {
		return v
	}
	return s.secrets.Tree(v)
}
