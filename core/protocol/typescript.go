package protocol

import (
	"fmt"
	"reflect"
	"strings"
)

// TypeScript returns the generated module: one interface a message, the union Message, the row table, its sizes, and the shapes that
// the guard in protocol.ts interprets.
func TypeScript() string {
	g := &generator{done: map[reflect.Type]bool{}}
	g.line("// Generated from core/protocol by `make generate`. Do not edit.")
	g.line("")
	g.line("export const version = %d;", Version)
	g.line("export const maxValues = %d;", MaxValues)
	g.line("export const maxDigits = %d;", MaxDigits)
	g.line("export const maxKeys = %d;", MaxKeys)
	g.line("export const bodyCredit = %d;", BodyCredit)
	g.line("export type Side = 'host' | 'tool' | 'supervisor';")
	g.line("export type State = 'new' | 'starting' | 'idle' | 'running' | 'ended';")
	g.line("")
	g.line("export type Shape =")
	g.line("  | { readonly t: 'text' | 'list'; readonly max: number; readonly of?: Shape }")
	g.line("  | { readonly t: 'count' | 'number' | 'boolean' | 'value' }")
	g.line("  | { readonly t: 'word'; readonly of: readonly string[] }")
	g.line("  | { readonly t: 'object'; readonly fields: Fields };")
	g.line("export type Fields = { readonly [name: string]: { readonly shape: Shape; readonly optional: boolean } };")
	g.line("")
	g.line("export interface Row {")
	g.line("  readonly by: Side;")
	g.line("  readonly in: readonly State[];")
	g.line("  readonly then: State | '';")
	g.line("  readonly bytes: number;")
	g.line("  readonly blobs: number;")
	g.line("  readonly fields: Fields;")
	g.line("}")
	var kinds, names, sizes []string
	for _, row := range Rows() {
		t := reflect.TypeOf(row.Make()).Elem()
		g.declare(t, row.Kind)
		kinds = append(kinds, fmt.Sprintf("  %s: { by: '%s', in: [%s], then: '%s', bytes: %d, blobs: %d, fields: %s },",
			row.Kind, row.By, quoteAll(row.In), row.Then, row.Bytes, row.Blobs, fieldsOf(t)))
		names = append(names, t.Name())
		sizes = append(sizes, fmt.Sprintf("%s: %d", row.Kind, row.Bytes))
	}
	g.line("")
	g.line("export type Message = %s;", strings.Join(names, " | "))
	g.line("export type Kind = Message['kind'];")
	g.line("")
	// Apart from the table, which a runtime that only writes messages need not carry.
	g.line("export const sizes = { %s } as const;", strings.Join(sizes, ", "))
	g.line("")
	g.line("export const rows: { readonly [K in Kind]: Row } = {")
	for _, kind := range kinds {
		g.line("%s", kind)
	}
	g.line("};")
	return g.text.String()
}

type generator struct {
	text strings.Builder
	done map[reflect.Type]bool
}

func (g *generator) line(format string, args ...any) {
	fmt.Fprintf(&g.text, format+"\n", args...)
}

// declare writes the interface of a struct, those it uses first.
func (g *generator) declare(t reflect.Type, kind string) {
	if g.done[t] {
		return
	}
	g.done[t] = true
	var lines []string
	for i := range t.NumField() {
		field := t.Field(i)
		if s := structOf(field.Type); s != nil {
			g.declare(s, "")
		}
		name, optional := fieldName(field)
		mark := ""
		if optional {
			mark = "?"
		}
		lines = append(lines, fmt.Sprintf("  readonly %s%s: %s;", name, mark, typeName(field.Type)))
	}
	g.line("")
	g.line("export interface %s {", t.Name())
	if kind != "" {
		g.line("  readonly kind: '%s';", kind)
	}
	for _, line := range lines {
		g.line("%s", line)
	}
	g.line("}")
}

func structOf(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() == reflect.Struct {
		return t
	}
	return nil
}

func typeName(t reflect.Type) string {
	if words := wordsOf(t); words != nil {
		return "'" + strings.Join(words, "' | '") + "'"
	}
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Int, reflect.Float64:
		return "number"
	case reflect.Bool:
		return "boolean"
	case reflect.Interface:
		return "unknown"
	case reflect.Pointer:
		return typeName(t.Elem())
	case reflect.Slice:
		return "readonly " + typeName(t.Elem()) + "[]"
	default:
		return t.Name()
	}
}

func fieldsOf(t reflect.Type) string {
	var parts []string
	for i := range t.NumField() {
		field := t.Field(i)
		name, optional := fieldName(field)
		parts = append(parts, fmt.Sprintf("%s: { shape: %s, optional: %t }", name, shapeOf(field.Type, field.Tag.Get("max")), optional))
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

func shapeOf(t reflect.Type, limit string) string {
	if words := wordsOf(t); words != nil {
		return "{ t: 'word', of: [" + quoteAll(words) + "] }"
	}
	switch t.Kind() {
	case reflect.String:
		return "{ t: 'text', max: " + limit + " }"
	case reflect.Int:
		return "{ t: 'count' }"
	case reflect.Float64:
		return "{ t: 'number' }"
	case reflect.Bool:
		return "{ t: 'boolean' }"
	case reflect.Interface:
		return "{ t: 'value' }"
	case reflect.Slice:
		return "{ t: 'list', max: " + limit + ", of: " + shapeOf(t.Elem(), "") + " }"
	case reflect.Pointer:
		return shapeOf(t.Elem(), "")
	default:
		return "{ t: 'object', fields: " + fieldsOf(t) + " }"
	}
}

func quoteAll[T ~string](words []T) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = "'" + string(w) + "'"
	}
	return strings.Join(quoted, ", ")
}
