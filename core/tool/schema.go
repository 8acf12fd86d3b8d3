package tool

import (
	"github.com/xyntopia/taskyon-sandbox/core/tool/schema"
)

// Schema is a compiled JSON Schema 2020-12. Patterns are run by RE2. It loads nothing: a reference must lead into the schema itself.
type Schema = schema.Schema

// CompileSchema compiles a decoded schema that stands at path in its definition; else invalid_schema with the path.
func CompileSchema(doc any, path string) (*Schema, error) { return schema.Compile(doc, path, nil) }
