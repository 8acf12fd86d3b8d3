package signature

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestRule is how many bytes of JSON a sentence may repeat.
const longestRule = 300

// sentence says a keyword in English. key gives the provider's name of a parameter.
func sentence(keyword string, value any, key func(string) string) string {
	switch keyword {
	case "anyOf":
		if choice := choices(value, key); choice != "" {
			return "Give at least one of: " + choice + "."
		}
	case "oneOf":
		if choice := choices(value, key); choice != "" {
			return "Give exactly one of: " + choice + "."
		}
	case "additionalProperties":
		if value == false {
			return "No other keys."
		}
		if value == true {
			return "Other keys are allowed."
		}
		return "Other keys must fit the JSON Schema " + clip(show(value)) + "."
	case "uniqueItems":
		return "Items must all differ."
	}
	if phrase, ok := phrases[keyword]; ok {
		shown := clip(show(value))
		if plain, ok := value.(string); ok && keyword != "const" {
			shown = clip(plain)
		}
		return fmt.Sprintf(phrase, shown)
	}
	return "Must also fit the JSON Schema " + clip(show(map[string]any{keyword: value})) + "."
}

var phrases = map[string]string{
	"format": "Format: %s.", "pattern": "Must match the pattern %s .", "const": "Must be %s.", "enum": "Must be one of %s.",
	"exclusiveMinimum": "Must be more than %s.", "exclusiveMaximum": "Must be less than %s.", "multipleOf": "Must be a multiple of %s.",
	"minimum": "Must be at least %s.", "maximum": "Must be at most %s.",
	"minLength": "At least %s characters.", "maxLength": "At most %s characters.",
	"minItems": "At least %s items.", "maxItems": "At most %s items.", "minProperties": "At least %s keys.", "maxProperties": "At most %s keys.",
	"contentEncoding": "Encoded as %s.", "contentMediaType": "Holds %s.",
}

// choices reads alternatives that only require names: `id; url and title`.
func choices(value any, key func(string) string) string {
	var all []string
	for _, part := range listOf(value) {
		required := listOf(objectOf(part)["required"])
		if len(required) == 0 || len(objectOf(part)) != 1 {
			return ""
		}
		names := make([]string, len(required))
		for i, name := range required {
			names[i] = key(textOf(name))
		}
		all = append(all, strings.Join(names, " and "))
	}
	return strings.Join(all, "; ")
}

func clip(text string) string {
	if len(text) <= longestRule {
		return text
	}
	return strings.ToValidUTF8(text[:longestRule], "") + "…"
}

// join puts sentences behind a text.
func join(text string, sentences ...string) string {
	text = strings.TrimRight(text, " \n\t")
	for _, sentence := range sentences {
		switch last, _ := utf8.DecodeLastRuneInString(text); {
		case sentence == "":
		case text == "":
			text = sentence
		case unicode.IsLetter(last) || unicode.IsDigit(last) || last == ')':
			text += ". " + sentence
		default:
			text += " " + sentence
		}
	}
	return text
}

// portable tells whether a pattern, which is RE2 here, means the same to a provider's engine and surely parses there.
func portable(pattern string) bool {
	for _, odd := range []string{`\p`, `\P`, `\A`, `\z`, `\Q`, `\E`, `\C`, `\a`, `\x{`, `[[:`} {
		if strings.Contains(pattern, odd) {
			return false
		}
	}
	return !strings.Contains(strings.ReplaceAll(pattern, "(?:", ""), "(?")
}
