// Package schema judges JSON values by JSON Schema 2020-12: core, applicator, unevaluated, validation; format and content are
// annotations.
//
// # What is promised
//
// A schema loads nothing: a reference leads into the schema itself or to the meta-schema of 2020-12. What is not a schema is
// refused when it is compiled, with the path of the place.
//
// Every check ends, whoever wrote the schema and the value: a schema has a bounded number of parts, references and pattern
// instructions, and a check has a bounded number of steps. A check that would need more is refused as too_large, never cut short.
//
// Patterns are ECMA-262 run by RE2. What RE2 cannot do (look-around, back-references) is not enforced: it is named by Unenforced,
// and the rest of the schema is enforced. Where the verdict would hang on such a pattern, also under not, oneOf and if, the value
// passes.
//
// A breach names the path, what was wanted and what was given.
package schema
