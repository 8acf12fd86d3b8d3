package protocol

import (
	"reflect"
	"strings"
)

// fieldName reads a field's wire name and whether it may be absent.
func fieldName(field reflect.StructField) (name string, optional bool) {
	name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
	return name, options == "omitempty"
}
