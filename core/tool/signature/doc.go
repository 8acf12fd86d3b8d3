// Package signature shows tools to model providers and brings the providers' calls back.
//
// Compile turns definitions into the value of a request's `tools` field, one Format each; Draft turns a provider's call into
// the JSON text of a draft that names the tool as it is called here. What a provider cannot express is said in a short
// sentence in the description and in a Note, and stays enforced here: the definition's own schema judges the arguments. A tool
// that cannot be shown at all is left out with a Note; the others stay.
//
// # Formats
//
//	openai-chat       {type, function: {name, description, parameters, strict}}
//	openai-responses  {type, name, description, parameters, strict}
//	anthropic         {name, description, input_schema}
//	gemini            one {functionDeclarations: [{name, description, parameters}]}; the OpenAPI subset, no references
//	mcp               {name, description, inputSchema, outputSchema}; outputSchema only where an object is declared
//	json-schema       {name, description, parameters, returns}; nothing is changed
//
// OpenAI and Anthropic get a root of type object without combinators: what allOf and references add is merged in, the
// parameters of alternatives are offered as optional ones, the rule between them is put into words. Gemini gets references
// unrolled, to a bounded depth; a free object, and the place where a recursion is cut, is asked for as JSON text; where anything is
// welcome, a text, a number, a boolean or a list of texts is.
//
// # Names
//
// A name that the provider accepts stays. Another becomes its accepted characters and a piece of its BLAKE3 hash, so that no
// two tools of a request, and no two parameters of a tool, share one name. Names come back through a table, never by guessing.
// Of two definitions with one name the first is shown: list the nearest first.
//
// # Strict
//
// OpenAI's strict mode is used when nothing is lost by it: every object closed by `additionalProperties: false`, supported
// keywords only, no defaults, within the smallest published limits. Optional parameters are then required and nullable; on the
// way back a null is dropped where the parameter is optional and its own schema refuses null. Else strict is false and a Note
// says why.
//
// # Arguments on their way back
//
// No text, `null` and `{}` mean no arguments. A Markdown fence, `<|…|>` tokens at the end, and one JSON string around the whole
// are taken off. A text where the schema takes no text is read as JSON when it is exactly the JSON of a type that the schema
// takes there (`5`, `true`, `{"a":1}`); nothing else is converted. What is cut off is invalid_arguments and never runs.
package signature
