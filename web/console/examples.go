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
	{"weather", `{
  "name": "weather",
  "description": "Tells temperature and wind at a place, from a public service. Asks before it reads there.",
  "parameters": {
    "type": "object",
    "properties": {
      "latitude": { "type": "number", "minimum": -90, "maximum": 90, "examples": [52.52] },
      "longitude": { "type": "number", "minimum": -180, "maximum": 180, "examples": [13.41] }
    },
    "required": ["latitude", "longitude"],
    "additionalProperties": false
  },
  "needs": { "fetch": [{ "origin": "https://api.open-meteo.com", "access": "read" }] },
  "code": "async ({ latitude, longitude }) => {\n  const url = new URL('https://api.open-meteo.com/v1/forecast');\n  url.search = new URLSearchParams({ latitude, longitude, current: 'temperature_2m,wind_speed_10m' });\n  const response = await fetch(url);\n  if (!response.ok) throw new Error('the service answered ' + response.status);\n  const { current, current_units } = await response.json();\n  return {\n    temperature: current.temperature_2m + ' ' + current_units.temperature_2m,\n    wind: current.wind_speed_10m + ' ' + current_units.wind_speed_10m,\n  };\n}"
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
