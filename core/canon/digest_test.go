package canon_test

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

type id interface {
	comparable
	encoding.TextMarshaler
	String() string
	IsZero() bool
}

func testID[D id](t *testing.T, sum func([]byte) D, parse func(string) (D, error), noun, prefix, ofEmpty string) {
	t.Run(noun, func(t *testing.T) {
		d := sum(nil)
		text := d.String()
		require.Equal(t, prefix+ofEmpty, text)
		require.Equal(t, d, sum([]byte{}))
		require.NotEqual(t, d, sum([]byte("x")))
		require.False(t, d.IsZero())

		back, err := parse(text)
		require.NoError(t, err)
		require.True(t, back == d)

		hex := strings.TrimPrefix(text, prefix)
		for _, bad := range []string{
			"", prefix, hex, text[:len(text)-1], text + "0", " " + text, text + "\n", prefix + strings.ToUpper(hex), strings.ToUpper(prefix) + hex,
			prefix + strings.Repeat("g", 64), "other:b3:" + hex, prefix + strings.Repeat("0", 64), strings.Repeat("x", 1_000_000),
		} {
			none, err := parse(bad)
			require.True(t, none.IsZero())
			require.Equal(t, fault.InvalidRequest, fault.CodeOf(err), "%.80q", bad)
			require.ErrorContains(t, err, "is no "+noun)
			require.Less(t, len(err.Error()), 250)
		}

		encoded, err := json.Marshal(map[string]D{"id": d})
		require.NoError(t, err)
		require.Equal(t, `{"id":"`+text+`"}`, string(encoded))
		var decoded map[string]D
		require.NoError(t, json.Unmarshal(encoded, &decoded))
		require.Equal(t, d, decoded["id"])
		require.Error(t, json.Unmarshal([]byte(`{"id":"x"}`), &decoded))

		var none D
		require.True(t, none.IsZero())
		require.Empty(t, none.String())
		require.NoError(t, json.Unmarshal([]byte(`{"id":""}`), &decoded))
		require.True(t, decoded["id"].IsZero())
	})
}

// The digests of nothing are written down, so that a changed context string cannot pass: it would rename everything.
const (
	goldenTool     = "68f43bcfee81b5979df7698ac17058ea0cc9aaacb52605f83789cefc0db9bcae"
	goldenTask     = "673d44d5a1372710af6ea1a56d43bf02b0b7e2ba0a18dad199df718a898fee42"
	goldenSettings = "afb9c0f4fef77028c56f0025c7ea214e3392447d97233ce7e1cf292cc22a9fe3"
	goldenFile     = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"
)

func TestIdentitiesAreStableAndReadOnlyTheirOwnForm(t *testing.T) {
	testID(t, canon.SumTool, canon.ParseToolID, "tool id", "tool:b3:", goldenTool)
	testID(t, canon.SumTask, canon.ParseTaskID, "task id", "task:b3:", goldenTask)
	testID(t, canon.SumSettings, canon.ParseSettingsID, "settings id", "settings:b3:", goldenSettings)
	testID(t, canon.SumFile, canon.ParseFileID, "file digest", "b3:", goldenFile)
}

func TestIdentitiesOfDifferentKindsCannotBeMixed(t *testing.T) {
	kinds := []reflect.Type{
		reflect.TypeFor[canon.ToolID](), reflect.TypeFor[canon.TaskID](), reflect.TypeFor[canon.SettingsID](), reflect.TypeFor[canon.FileID](),
	}
	for i, a := range kinds {
		require.Equal(t, uintptr(32), a.Size())
		for j, b := range kinds {
			require.Equal(t, i == j, a.AssignableTo(b))
			require.Equal(t, i == j, a.ConvertibleTo(b), "not even by a conversion")
		}
	}
}
