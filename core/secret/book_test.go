package secret

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

const sample = "sk-Sample/Value+9"

func TestASecretIsSetForARevisionThatDeclaresItAndListedWithoutItsValue(t *testing.T) {
	b := newRig(t, "API_KEY", "B")
	require.NoError(t, b.Set(t.Context(), mine, "API_KEY", NewValue(sample), []string{other, api, api}))
	require.NoError(t, b.Set(t.Context(), mine, "B", NewValue("b"), []string{"https://xn--bcher-kva.example:8443"}))
	list, err := b.List(t.Context(), mine)
	require.NoError(t, err)
	require.Equal(t, []Entry{{"API_KEY", []string{api, other}, now}, {"B", []string{"https://xn--bcher-kva.example:8443"}, now}}, list)
	list, err = b.List(t.Context(), next)
	require.NoError(t, err)
	require.Empty(t, list, "another revision has none of it")

	require.Equal(t, fault.Denied, fault.CodeOf(b.Set(t.Context(), mine, "C", NewValue(sample), []string{api})))
	require.Equal(t, fault.NotFound, fault.CodeOf(b.Set(t.Context(), canon.SumTool(nil), "B", NewValue(sample), []string{api})))
	require.NoError(t, b.Forget(t.Context(), mine, "B"))
	require.NoError(t, b.Forget(t.Context(), mine, "B"))
	list, err = b.List(t.Context(), mine)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.NoError(t, b.ForgetAll(t.Context(), mine))
	list, err = b.List(t.Context(), mine)
	require.NoError(t, err)
	require.Empty(t, list)
}

func TestValuesAndOriginsAreCheckedAtTheEdge(t *testing.T) {
	b := newRig(t, "K")
	most := strings.Repeat("x", 64<<10)
	for value, code := range map[string]fault.Code{"x": "", most: "", "ü ü": "", most + "x": fault.TooLarge, "": fault.InvalidRequest,
		" x": fault.InvalidRequest, "x\n": fault.InvalidRequest, "a\nb": fault.InvalidRequest, "a\x00b": fault.InvalidRequest, "\xff": fault.InvalidRequest,
		"secret": fault.InvalidRequest, "[secret K]": fault.InvalidRequest} {
		require.Equal(t, code, fault.CodeOf(b.Set(t.Context(), mine, "K", NewValue(value), []string{api})), "%.20q", value)
	}
	for origin, ok := range map[string]bool{api: true, "https://a.b": true, "https://api.example.com:8443": true, "https://localhost": true,
		"": false, "http://api.example.com": false, "https://api.example.com/": false, "https://api.example.com:443": false,
		"https://API.example.com": false, "https://bücher.example": false, "https://u@api.example.com": false, "https://api.example.com.": false,
		"https://*.example.com": false, "https://127.0.0.1": false, "https://[::1]": false, "https://a.0x7f": false, "https://": false, "https://a.b:0": false,
		"https://a.b:08": false, "https://a.b:65536": false, "https://a.b:": false, "https://a..b": false, "https://-a.b": false, "*": false} {
		code := fault.CodeOf(b.Set(t.Context(), mine, "K", NewValue(sample), []string{origin}))
		require.Equal(t, ok, code == "", origin)
		require.Contains(t, []fault.Code{"", fault.InvalidRequest}, code)
	}
	require.Equal(t, fault.InvalidRequest, fault.CodeOf(b.Set(t.Context(), mine, "K", NewValue(sample), nil)))
	for _, name := range []string{"", "a/b", "a.b", "ü", strings.Repeat("n", 65)} {
		require.Equal(t, fault.InvalidRequest, fault.CodeOf(newRig(t, name).Set(t.Context(), mine, name, NewValue(sample), []string{api})), name)
	}
}

func TestARowThatWasMovedOrEditedDoesNotOpen(t *testing.T) {
	kept := func(t *testing.T) rig {
		b := newRig(t, "K", "L")
		require.NoError(t, b.Set(t.Context(), mine, "K", NewValue(sample), []string{api}))
		return b
	}
	edit := func(t *testing.T, b rig, from, to string, f func(map[string]any)) {
		text, err := b.store.Get(t.Context(), from)
		require.NoError(t, err)
		var fields map[string]any
		require.NoError(t, json.Unmarshal(text, &fields))
		f(fields)
		text, err = canon.Encode(fields)
		require.NoError(t, err)
		require.NoError(t, b.store.Put(t.Context(), shelf.Change{Key: to, Value: text}))
	}
	as := func(revision canon.ToolID, name string) string { return shelf.Key("secret", revision.String(), name) }
	for title, c := range map[string]struct {
		revision canon.ToolID
		name     string
		edit     func(map[string]any)
	}{
		"to another revision": {next, "K", func(map[string]any) {}},
		"to another name":     {mine, "L", func(map[string]any) {}},
		"other origins":       {mine, "K", func(f map[string]any) { f["origins"] = []any{other} }},
		"one origin more":     {mine, "K", func(f map[string]any) { f["origins"] = []any{api, other} }},
		"another time":        {mine, "K", func(f map[string]any) { f["at"] = now.Add(1).Format(time.RFC3339Nano) }},
		"other bytes":         {mine, "K", func(f map[string]any) { f["sealed"] = "A" + f["sealed"].(string)[1:] + "AAAA" }},
		"no bytes":            {mine, "K", func(f map[string]any) { f["sealed"] = "" }},
		"no base64":           {mine, "K", func(f map[string]any) { f["sealed"] = "?" }},
		"a field more":        {mine, "K", func(f map[string]any) { f["value"] = "x" }},
	} {
		t.Run(title, func(t *testing.T) {
			b := kept(t)
			edit(t, b, as(mine, "K"), as(c.revision, c.name), c.edit)
			_, _, err := b.open(t.Context(), c.revision, c.name)
			require.Equal(t, fault.Corrupt, fault.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, "set it again")
		})
	}
	b := kept(t)
	edit(t, b, as(mine, "K"), as(mine, "K"), func(map[string]any) {})
	value, origins, err := b.open(t.Context(), mine, "K")
	require.NoError(t, err, "positive control: a row that was only written again opens")
	require.Equal(t, sample, value.text())
	require.Equal(t, []string{api}, origins)

	another := newRig(t, "K")
	another.o.Store = b.store
	_, _, err = another.open(t.Context(), mine, "K")
	require.Equal(t, fault.Corrupt, fault.CodeOf(err), "another key")
}

// What is kept, what fails and what is printed never shows a value.
func TestNoValueIsInARowAnErrorOrAnyFormattedThing(t *testing.T) {
	const value = "Zq7-hunter2-\"long\""
	b := newRig(t, "K")
	vault := b.o.Vault
	call := b.For(Caller{Revision: mine, Declared: []string{"K"}})
	var said []string
	fails := func(err error) {
		require.Error(t, err)
		said = append(said, fmt.Sprintf("%v %+v %#v %s", err, err, err, fault.From(err)))
	}
	fails(b.Set(t.Context(), mine, "other", NewValue(value), []string{api}))
	fails(b.Set(t.Context(), mine, "K", NewValue(value), []string{"x"}))
	fails(b.Set(t.Context(), mine, "K", NewValue(value+"\n"), []string{api}))
	fails(b.Set(t.Context(), mine, "K", NewValue(value+"\xff"), []string{api}))
	fails(b.Set(t.Context(), mine, "K", NewValue(strings.Repeat(value, 9000)), []string{api}))
	b.o.Vault = broken{}
	fails(b.Set(t.Context(), mine, "K", NewValue(value), []string{api}))
	b.o.Vault = vault
	require.NoError(t, b.Set(t.Context(), mine, "K", NewValue(value), []string{api}))
	text := call.Placeholders()["K"]
	_, err := call.Fill(t.Context(), Outgoing{Origin: other, Headers: [][2]string{{"x", text}}})
	fails(err)
	_, err = call.Fill(t.Context(), Outgoing{Origin: api, URL: api + "/" + text})
	fails(err)
	_, err = call.Fill(t.Context(), Outgoing{Origin: api, Headers: [][2]string{{"x", text}, {"y", "Basic " + base64Of(text)}}})
	require.NoError(t, err)
	b.o.Vault = broken{}
	_, err = call.Fill(t.Context(), Outgoing{Origin: api, Headers: [][2]string{{"x", text}}})
	fails(err)
	b.o.Vault = vault

	rows, err := b.store.List(t.Context(), "", "", 0)
	require.NoError(t, err)
	for _, row := range rows {
		said = append(said, row.Key, string(row.Value))
	}
	v := NewValue(value)
	scrubber := call.Scrubber()
	scrubber.Write([]byte(value[:10]))
	inside := struct {
		open     Value
		Public   Value
		call     *Call
		list     []Value
		scrubber *Scrubber
		copied   Scrubber
	}{v, v, call, []Value{v}, scrubber, *scrubber}
	for _, thing := range []any{v, &v, inside, &inside, []Value{v}, map[string]Value{"x": v}, call, *call, b.Book, *b.Book, vault, *vault.(*ephemeral), scrubber, *scrubber, call.in().filled} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			said = append(said, fmt.Sprintf(verb, thing))
		}
		if text, err := json.Marshal(thing); err == nil {
			said = append(said, string(text))
		}
	}
	for _, text := range said {
		for _, part := range []string{"hunter2", "68756e746572", "104 117 110 116", "0x68, 0x75, 0x6e", base64Of(value)[:12]} {
			require.NotContains(t, text, part)
		}
	}
	bare := fmt.Sprintf("%v", struct{ text string }{value})
	require.Contains(t, bare, "hunter2", "positive control: a field that is no Value prints")
}

type broken struct{}

func (broken) Seal(_ context.Context, plain, _ []byte) ([]byte, error) {
	return nil, fault.New(fault.Unavailable, "broken")
}
func (broken) Open(context.Context, []byte, []byte) ([]byte, error) {
	return nil, fault.New(fault.Unavailable, "broken")
}
