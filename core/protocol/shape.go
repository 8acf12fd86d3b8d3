package protocol

import (
	"reflect"
	"strconv"
	"strings"
)

// place is one field of a message or of a struct in it, by position.
type place struct {
	name     string
	optional bool
	max      int      // bytes of a text, items of a list
	words    []string // the closed list of a word, else nil
}

type worded interface{ Words() []string }

// learn reads the places of a struct, and of every struct in it, from their tags.
func learn(places map[reflect.Type][]place, t reflect.Type) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if _, known := places[t]; known || t.Kind() != reflect.Struct {
		return
	}
	list := make([]place, t.NumField())
	places[t] = list
	for i := range list {
		field := t.Field(i)
		name, optional := fieldName(field)
		most, _ := strconv.Atoi(field.Tag.Get("max"))
		list[i] = place{name, optional, most, wordsOf(field.Type)}
		learn(places, field.Type)
	}
}

// fieldName reads a field's wire name and whether it may be absent.
func fieldName(field reflect.StructField) (name string, optional bool) {
	name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
	return name, options == "omitempty"
}

// wordsOf gives the closed list of a word type, nil for any other.
func wordsOf(t reflect.Type) []string {
	if w, ok := reflect.Zero(t).Interface().(worded); ok {
		return w.Words()
	}
	return nil
}
