package signature

import (
	"regexp"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Format is a provider's way to be told about tools.
type Format string

const (
	OpenAIChat      Format = "openai-chat"
	OpenAIResponses Format = "openai-responses"
	Anthropic       Format = "anthropic"
	Gemini          Format = "gemini"
	MCP             Format = "mcp"
	JSONSchema      Format = "json-schema"
)

// Words lists the closed set, in the order of the table in the package comment.
func (Format) Words() []string {
	return []string{string(OpenAIChat), string(OpenAIResponses), string(Anthropic), string(Gemini), string(MCP), string(JSONSchema)}
}

// dialect is what a provider publishes about names. A nil pattern restricts nothing.
type dialect struct {
	name        *regexp.Regexp
	key         *regexp.Regexp // of parameters
	description int            // characters of a tool's description, 0 for no bound
	needsWords  bool           // an empty description is refused
}

// OpenAI publishes no rule for keys; the one of Anthropic keeps both it and the servers that imitate it safe.
func (f Format) dialect() (dialect, error) {
	plain, key := regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`), regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)
	switch f {
	case OpenAIChat, OpenAIResponses:
		return dialect{name: plain, key: key, description: 1024}, nil
	case Anthropic:
		return dialect{name: plain, key: key}, nil
	case Gemini:
		return dialect{
			name:       regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]{0,63}$`),
			key:        regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`),
			needsWords: true,
		}, nil
	case MCP:
		return dialect{name: regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)}, nil
	case JSONSchema:
		return dialect{}, nil
	}
	hint := "want one of " + strings.Join(f.Words(), ", ")
	if near := canon.Nearest(string(f), f.Words()); near != "" {
		hint = "did you mean " + near + "?"
	}
	return dialect{}, fault.At(fault.InvalidRequest, "$.format", "format: %.40q is unknown; %s", string(f), hint)
}
