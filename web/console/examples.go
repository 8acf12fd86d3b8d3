package console

// examples are installed on the first visit; the first of them is what a person sees first.
var examples = [...]struct{ name, definition string }{
	{"uppercase", `{
  "name": "uppercase",
  "description": "Turns a text into capitals.",
  "parameters": {
    "type": "object",
    "properties": { "input": { "type": "string", "description": "the text", "examples": ["hello sandbox"] } },
    "required": ["input"],
    "additionalProperties": false
  },
  "code": "({input}) => input.toUpperCase()"
}`},
	{"add", `{
  "name": "add",
  "description": "Adds two numbers and says so in its log.",
  "parameters": {
    "type": "object",
    "properties": { "a": { "type": "number", "examples": [2] }, "b": { "type": "number", "examples": [40] } },
    "required": ["a", "b"],
    "additionalProperties": false
  },
  "code": "function add({ a, b }) {\n  console.log('adding', a, 'and', b);\n  return a + b;\n}"
}`},
}

// exampleForm is what the form holds on a first visit: something that installs, runs, logs and shows an optional parameter.
func exampleForm() *InstallForm {
	return &InstallForm{
		Activate:    true,
		Name:        "word_count",
		Description: "Counts lines, words and characters of a text.",
		Parameters: `{
  "type": "object",
  "properties": {
    "text": { "type": "string", "examples": ["to be or not to be"] },
    "unique": { "type": "boolean", "description": "count each word once" }
  },
  "required": ["text"],
  "additionalProperties": false
}`,
		Code: `({ text, unique }) => {
  const words = text.toLowerCase().match(/[\p{L}\p{N}'-]+/gu) ?? [];
  console.log('found', words.length, 'words');
  return {
    lines: text.split('\n').length,
    words: unique ? new Set(words).size : words.length,
    characters: [...text].length,
  };
}`,
	}
}

// emptyForm is what the form holds after something was installed with it.
func emptyForm() *InstallForm {
	return &InstallForm{Activate: true, Parameters: "{\n  \"type\": \"object\",\n  \"properties\": {}\n}"}
}
