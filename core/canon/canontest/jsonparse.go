package canontest

import (
	"io/fs"
	"path"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

const (
	mustAccept = 95
	mustRefuse = 188
)

const (
	accepted = true
	refused  = false
)

// verdict is our decision on a file that the suite leaves free, or decides otherwise than RFC 7493.
type verdict struct {
	accepted bool
	reason   string
}

const (
	notUTF8      = "JSON that travels is UTF-8 (RFC 8259 section 8.1)"
	unpaired     = "an unpaired surrogate is no character (RFC 7493 section 2.1)"
	twice        = "a key given twice has two readings (RFC 7493 section 2.3)"
	beyond       = "a number beyond float64 would read as infinity"
	underflow    = "a fraction rounds to the nearest float64, which is 0"
	inexact      = "an integer literal that float64 cannot hold would read as another integer"
	exactInteger = "10^20 is a float64"
	tooDeep      = "500 levels are over the limit of 64"
	byteOrder    = "a byte-order mark must not be there (RFC 8259 section 8.1)"
)

// decided holds the y_ files that we refuse and every i_ file.
func decided() map[string]verdict {
	return map[string]verdict{
		"y_object_duplicated_key.json":           {refused, twice},
		"y_object_duplicated_key_and_value.json": {refused, twice},

		"i_number_double_huge_neg_exp.json":                   {accepted, underflow},
		"i_number_huge_exp.json":                              {refused, beyond},
		"i_number_neg_int_huge_exp.json":                      {refused, beyond},
		"i_number_pos_double_huge_exp.json":                   {refused, beyond},
		"i_number_real_neg_overflow.json":                     {refused, beyond},
		"i_number_real_pos_overflow.json":                     {refused, beyond},
		"i_number_real_underflow.json":                        {accepted, underflow},
		"i_number_too_big_neg_int.json":                       {refused, inexact},
		"i_number_too_big_pos_int.json":                       {accepted, exactInteger},
		"i_number_very_big_negative_int.json":                 {refused, inexact},
		"i_object_key_lone_2nd_surrogate.json":                {refused, unpaired},
		"i_string_1st_surrogate_but_2nd_missing.json":         {refused, unpaired},
		"i_string_1st_valid_surrogate_2nd_invalid.json":       {refused, unpaired},
		"i_string_UTF-16LE_with_BOM.json":                     {refused, notUTF8},
		"i_string_UTF-8_invalid_sequence.json":                {refused, notUTF8},
		"i_string_UTF8_surrogate_U+D800.json":                 {refused, notUTF8},
		"i_string_incomplete_surrogate_and_escape_valid.json": {refused, unpaired},
		"i_string_incomplete_surrogate_pair.json":             {refused, unpaired},
		"i_string_incomplete_surrogates_escape_valid.json":    {refused, unpaired},
		"i_string_invalid_lonely_surrogate.json":              {refused, unpaired},
		"i_string_invalid_surrogate.json":                     {refused, unpaired},
		"i_string_invalid_utf-8.json":                         {refused, notUTF8},
		"i_string_inverted_surrogates_U+1D11E.json":           {refused, unpaired},
		"i_string_iso_latin_1.json":                           {refused, notUTF8},
		"i_string_lone_second_surrogate.json":                 {refused, unpaired},
		"i_string_lone_utf8_continuation_byte.json":           {refused, notUTF8},
		"i_string_not_in_unicode_range.json":                  {refused, notUTF8},
		"i_string_overlong_sequence_2_bytes.json":             {refused, notUTF8},
		"i_string_overlong_sequence_6_bytes.json":             {refused, notUTF8},
		"i_string_overlong_sequence_6_bytes_null.json":        {refused, notUTF8},
		"i_string_truncated-utf-8.json":                       {refused, notUTF8},
		"i_string_utf16BE_no_BOM.json":                        {refused, notUTF8},
		"i_string_utf16LE_no_BOM.json":                        {refused, notUTF8},
		"i_structure_500_nested_arrays.json":                  {refused, tooDeep},
		"i_structure_UTF-8_BOM_empty_object.json":             {refused, byteOrder},
	}
}

// jsonparse wants each file decided as its name or our table says, refusals coded and placed, and what is accepted to
// come back from its canonical bytes.
func jsonparse(root fs.FS) (passed, total int, failures []string) {
	var t tally
	table, free := decided(), 0
	names, _ := fs.Glob(root, "jsonparse/*.json")
	for _, name := range names {
		text, err := fs.ReadFile(root, name)
		if err != nil {
			t.check(false, "%s: %v", name, err)
			continue
		}
		base := path.Base(name)
		want, ours := table[base]
		switch {
		case ours:
		case strings.HasPrefix(base, "y_"):
			want = verdict{accepted, "valid JSON"}
		case strings.HasPrefix(base, "n_"):
			want = verdict{refused, "not JSON"}
		default:
			t.check(false, "%s: nobody decided", base)
			continue
		}
		got, problem := read(text)
		t.check(problem == "" && got == want.accepted, "%s: accepted %v, want %v: %s %s", base, got, want.accepted, want.reason, problem)
	}
	for base := range table {
		if strings.HasPrefix(base, "i_") {
			free++
		}
	}
	return t.result(mustAccept + mustRefuse + free)
}

func read(text []byte) (accepted bool, problem string) {
	once, err := canon.Canonical(text, nesting())
	if err != nil {
		if f := fault.From(err); f.Code != fault.InvalidJSON || f.Line < 1 || f.Column < 1 || f.Path == "" {
			return false, "refused without code and place: " + err.Error()
		}
		return false, ""
	}
	again, err := canon.Canonical(once, nesting())
	if err != nil || string(again) != string(once) {
		return true, "its canonical bytes do not come back"
	}
	return true, ""
}
