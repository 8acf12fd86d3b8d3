package limits_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
)

func TestTheLifetimeOfSandboxesCanBeSet(t *testing.T) {
	l, err := limits.With(map[string]any{"retained": 1.0, "warm": 0.0, "prepared": 0.0, "idleMs": 1.0, "restMs": 2.0, "answerMs": 3.0})
	require.NoError(t, err)
	want := limits.Default()
	want.Retained, want.Warm, want.Prepared, want.Idle, want.Rest, want.Answer = 1, 0, 0, time.Millisecond, 2*time.Millisecond, 3*time.Millisecond
	require.Equal(t, want, l)
}

func TestWhatToolsMayStoreCanBeSet(t *testing.T) {
	l, err := limits.With(map[string]any{"secretBytes": 1.0, "storageBytes": 2.0, "storageKeys": 3.0, "storageKeyBytes": 4.0})
	require.NoError(t, err)
	want := limits.Default()
	want.SecretBytes, want.StorageBytes, want.StorageKeys, want.StorageKeyBytes = 1, 2, 3, 4
	require.Equal(t, want, l)
}

func TestTheBytesOfBodiesCanBeSet(t *testing.T) {
	l, err := limits.With(map[string]any{"bodyBytes": 5.0})
	require.NoError(t, err)
	require.Equal(t, 5, l.BodyBytes)
	require.Equal(t, 16<<20, limits.Default().BodyBytes)
}

func TestALimitIsAPositiveIntegerAndOnlyOfWarmOnesThereMayBeNone(t *testing.T) {
	for _, given := range []map[string]any{{"retained": 0.0}, {"idleMs": 0.0}, {"answerMs": 0.0}, {"restMs": -1.0}, {"warm": -1.0}, {"prepared": -1.0}, {"warm": 0.5},
		{"warm": "1"}, {"warm": nil}, {"idle": 1.0}} {
		_, err := limits.With(given)
		require.Equal(t, fault.InvalidRequest, fault.CodeOf(err), given)
	}
}

func TestPromptsAndTheAuditAreBoundedAsTheHostSays(t *testing.T) {
	l, err := limits.With(map[string]any{"prompts": 1.0, "auditRows": 2.0})
	require.NoError(t, err)
	require.Equal(t, []int{1, 2}, []int{l.Prompts, l.AuditRows})
	require.Equal(t, []int{8, 10_000}, []int{limits.Default().Prompts, limits.Default().AuditRows})
}

func TestTheLimitsOfRequestsCanBeSet(t *testing.T) {
	l, err := limits.With(map[string]any{"fetchMs": 1.0, "fetchBytes": 2.0, "fetchRequests": 3.0, "fetchSentBytes": 4.0, "fetchURLBytes": 5.0,
		"fetchHeaders": 6.0, "fetchHeaderBytes": 7.0})
	require.NoError(t, err)
	want := limits.Default()
	want.Fetch, want.FetchBytes, want.FetchRequests, want.FetchSentBytes = time.Millisecond, 2, 3, 4
	want.FetchURLBytes, want.FetchHeaders, want.FetchHeaderBytes = 5, 6, 7
	require.Equal(t, want, l)
}

func TestTheWindowsOfToolsAreBoundedAsTheHostSays(t *testing.T) {
	l, err := limits.With(map[string]any{"popups": 1.0, "popupBytes": 2.0})
	require.NoError(t, err)
	require.Equal(t, []int{1, 2}, []int{l.Popups, l.PopupBytes})
	require.Equal(t, []int{3, 1 << 20}, []int{limits.Default().Popups, limits.Default().PopupBytes})
}
