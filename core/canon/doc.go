// Package canon reads JSON strictly, writes it canonically, and names bytes by typed digests.
//
// # Which function to use
//
//	text of a closed type → Go struct         Unmarshal
//	text → tree                               Decode
//	tree → Go struct                          Bind
//	Go struct → canonical bytes               Marshal
//	tree → canonical bytes                    Encode, Append
//	text → canonical bytes                    Canonical
//	canonical bytes → identity                SumTool, SumTask, SumSettings
//	bytes of a file → digest, as b3sum        SumFile
//	text → identity                           ParseToolID, ParseTaskID, ParseSettingsID, ParseFileID
//
// A tree is what JSON can say and nothing else: nil, bool, float64, string, []any, map[string]any.
//
// # What is promised
//
// Every accepted text has one reading, the same in Go and in JavaScript: whatever two parsers could read in two ways (a
// key given twice, also by escape; an unpaired surrogate; an integer that float64 cannot hold; a number beyond its range)
// is refused, not repaired. -0 reads as 0 and fractions round as in JavaScript. The one rounded integer that is read is the
// one that RFC 8785 itself writes for a number from 2^53 to 10^21.
//
// Equal trees have equal bytes, in every build and on every platform, and what has been encoded decodes to an equal tree.
//
// Closed types are closed: an unknown field, a name in other letter case, a missing field and null in place of an absent
// field are refused, with the path of the place. An optional field that holds its empty value counts as absent.
//
// Time and memory are linear in the input (but for the sorting of keys), whoever wrote it.
//
// # Standards
//
// RFC 8259 (JSON), RFC 7493 (I-JSON) less its ban on noncharacters, RFC 8785 (JSON Canonicalization Scheme), BLAKE3-256:
// derive-key mode for identities, the plain hash for files.
package canon
