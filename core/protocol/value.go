package protocol

import (
	"encoding/base64"
	"strings"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// The tagged form of values that JSON lacks. JSON values stand for themselves, except that a key of a user's object that
// begins with `$` is written with one more `$`. Everything else is an object with exactly the keys of its row:
//
//	undefined             {"$t":"undefined"}
//	NaN, ±Infinity, -0    {"$t":"number","v":"NaN" | "Infinity" | "-Infinity" | "-0"}
//	BigInt                {"$t":"bigint","v":"-123"}
//	Date                  {"$t":"date","v":"2026-01-02T03:04:05.678Z"}, v null for an invalid date
//	bytes                 {"$t":"bytes","v":"<standard base64 with padding>"}
//	Map                   {"$t":"map","v":[[key, value], …]}
//	Set                   {"$t":"set","v":[value, …]}
//	Error                 {"$t":"error","v":{"name":…,"message":…,"stack"?:…}}
const tag = "$t"

// What a value may consist of, beside its bytes: the host builds every part of it, on the thread that keeps a page alive.
const (
	MaxValues = 1 << 18 // values, those inside included
	MaxDigits = 10_000  // digits of one BigInt: reading it takes the square of them
	MaxKeys   = 1 << 12 // numbers as keys of maps and members of sets: engines hash them in a way that can be made to collide
)

// CheckValue accepts a decoded tree that is a well-formed tagged value nested at most that deep and within the bounds above; else
// invalid_value.
func CheckValue(v any, nesting int) error { return new(valueCheck).value(v, nesting, "$") }

// valueCheck counts what a value consists of.
type valueCheck struct{ values, keys int }

func (c *valueCheck) value(v any, left int, path string) error {
	if c.values++; c.values > MaxValues {
		return fault.At(fault.InvalidValue, "$", "value: consists of more than %d values", MaxValues)
	}
	switch v := v.(type) {
	case []any:
		return c.items(v, left, path)
	case map[string]any:
		if left == 0 {
			return tooDeep(path)
		}
		if _, tagged := v[tag]; tagged {
			return c.tagged(v, left, path)
		}
		for key, item := range v {
			if strings.HasPrefix(key, "$") && !strings.HasPrefix(key, "$$") {
				return fault.At(fault.InvalidValue, path, "%s: key %q is neither a tag nor doubled", path, key)
			}
			if err := c.value(item, left-1, canon.Child(path, key)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *valueCheck) items(items []any, left int, path string) error {
	if left == 0 {
		return tooDeep(path)
	}
	for i, item := range items {
		if err := c.value(item, left-1, canon.Index(path, i)); err != nil {
			return err
		}
	}
	return nil
}

func tooDeep(path string) error {
	return fault.At(fault.InvalidValue, path, "value: nested too deep")
}

func (c *valueCheck) tagged(v map[string]any, left int, path string) error {
	bad := func(want string) error {
		return fault.At(fault.InvalidValue, path, "%s: tagged value is malformed, want %s", path, want)
	}
	kind, _ := v[tag].(string)
	if kind == "undefined" {
		if len(v) != 1 {
			return bad("no other key")
		}
		return nil
	}
	if _, ok := v["v"]; !ok || len(v) != 2 {
		return bad("exactly the keys $t and v")
	}
	text, isText := v["v"].(string)
	items, isItems := v["v"].([]any)
	switch kind {
	case "number":
		if !isText || (text != "NaN" && text != "Infinity" && text != "-Infinity" && text != "-0") {
			return bad("NaN, Infinity, -Infinity or -0")
		}
	case "bigint":
		if !isText || !isBigInt(text) {
			return bad("up to 10,000 decimal digits")
		}
	case "date":
		if v["v"] != nil && (!isText || !isDate(text)) {
			return bad("an ISO 8601 instant in UTC with milliseconds, or null")
		}
	case "bytes":
		if _, err := base64.StdEncoding.Strict().DecodeString(text); !isText || err != nil {
			return bad("base64")
		}
	case "set":
		if !isItems {
			return bad("an array")
		}
		for _, item := range items {
			if err := c.key(item, path); err != nil {
				return err
			}
		}
		return c.items(items, left, path)
	case "map":
		if !isItems {
			return bad("an array of pairs")
		}
		for i, item := range items {
			pair, ok := item.([]any)
			if !ok || len(pair) != 2 {
				return bad("an array of pairs")
			}
			if err := c.key(pair[0], path); err != nil {
				return err
			}
			if err := c.items(pair, left, canon.Index(path, i)); err != nil {
				return err
			}
		}
	case "error":
		return checkError(v["v"], bad)
	default:
		return bad("a known tag")
	}
	return nil
}

// key counts a key of a map or a member of a set, where it is a number.
func (c *valueCheck) key(v any, path string) error {
	tagged, _ := v.(map[string]any)
	if _, number := v.(float64); !number && tagged[tag] != "bigint" {
		return nil
	}
	if c.keys++; c.keys > MaxKeys {
		return fault.At(fault.InvalidValue, path, "value: has more than %d numbers as keys of maps and members of sets", MaxKeys)
	}
	return nil
}

func checkError(v any, bad func(string) error) error {
	fields, ok := v.(map[string]any)
	if !ok {
		return bad("an object")
	}
	for key, item := range fields {
		if _, text := item.(string); !text || (key != "name" && key != "message" && key != "stack") {
			return bad("the texts name, message, stack")
		}
	}
	if fields["name"] == nil || fields["message"] == nil {
		return bad("a name and a message")
	}
	return nil
}

// isBigInt accepts the one decimal spelling of an integer; no big number is computed, since a tool chose its length.
func isBigInt(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || len(digits) > MaxDigits || strings.Trim(digits, "0123456789") != "" {
		return false
	}
	return digits[0] != '0' || text == "0"
}

func isDate(text string) bool {
	const iso = "2006-01-02T15:04:05.000Z"
	at, err := time.Parse(iso, text)
	if err == nil {
		return at.UTC().Format(iso) == text
	}
	// Years outside 0 to 9999 have a sign and six digits in ECMAScript.
	if len(text) != len("+002006-01-02T15:04:05.000Z") || (text[0] != '+' && text[0] != '-') {
		return false
	}
	_, err = time.Parse(iso, "2000"+text[7:])
	return err == nil
}

// Bytes is base64 text that stands for bytes, in data that FromJSON takes.
type Bytes string

// FromJSON turns plain JSON data into its tagged form: keys that begin with `$` are doubled, and Bytes become bytes.
func FromJSON(v any) any {
	switch v := v.(type) {
	case Bytes:
		return map[string]any{tag: "bytes", "v": string(v)}
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = FromJSON(item)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, item := range v {
			if strings.HasPrefix(key, "$") {
				key = "$" + key
			}
			out[key] = FromJSON(item)
		}
		return out
	}
	return v
}

// ToJSON gives the nearest plain JSON of a well-formed tagged value, for schemas and for display: dates and bigints become
// text, bytes base64 text, maps arrays of pairs, sets arrays, errors their fields, undefined and what is no number null.
func ToJSON(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = ToJSON(item)
		}
		return out
	case map[string]any:
		if kind, tagged := v[tag]; tagged {
			switch {
			case kind == "undefined", kind == "number" && v["v"] != "-0":
				return nil
			case kind == "number":
				return 0.0
			}
			return ToJSON(v["v"])
		}
		out := make(map[string]any, len(v))
		for key, item := range v {
			out[strings.TrimPrefix(key, "$")] = ToJSON(item)
		}
		return out
	}
	return v
}
