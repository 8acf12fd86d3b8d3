package limits

import (
	"slices"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// With gives the documented limits with a host's own in place of some: names as in the table, counts, bytes and
// milliseconds as positive integers; warm and prepared may be 0. Anything else is invalid_request and names the field.
func With(given map[string]any) (Limits, error) {
	l := Default()
	counts := map[string]*int{
		"secretBytes": &l.SecretBytes, "storageBytes": &l.StorageBytes, "storageKeys": &l.StorageKeys, "storageKeyBytes": &l.StorageKeyBytes,
		"definitionBytes": &l.DefinitionBytes, "argumentsBytes": &l.ArgumentsBytes, "resultBytes": &l.ResultBytes,
		"archiveBytes": &l.ArchiveBytes, "archiveTasks": &l.ArchiveTasks,
		"logLines": &l.LogLines, "logBytes": &l.LogBytes, "restartsPerMinute": &l.RestartsPerMinute, "queue": &l.Queue, "asks": &l.Asks, "asksPerCall": &l.AsksPerCall,
		"messagesPerWindow": &l.MessagesPerWindow, "bytesPerWindow": &l.BytesPerWindow, "bodyBytes": &l.BodyBytes, "retained": &l.Retained,
		"warm": &l.Warm, "prepared": &l.Prepared,
		"fetchURLBytes": &l.FetchURLBytes, "fetchHeaders": &l.FetchHeaders, "fetchHeaderBytes": &l.FetchHeaderBytes,
		"fetchSentBytes": &l.FetchSentBytes, "fetchBytes": &l.FetchBytes, "fetchRequests": &l.FetchRequests, "fetchAtOnce": &l.FetchAtOnce,
		"subtasks": &l.Subtasks, "subtaskBytes": &l.SubtaskBytes, "subtaskDepth": &l.SubtaskDepth,
		"prompts": &l.Prompts, "auditRows": &l.AuditRows, "popups": &l.Popups, "popupBytes": &l.PopupBytes,
	}
	mayBeNone := []string{"warm", "prepared"}
	clocks := map[string]*time.Duration{
		"callMs": &l.Call, "wallMs": &l.Wall, "startMs": &l.Start, "overdueMs": &l.Overdue, "windowMs": &l.Window,
		"idleMs": &l.Idle, "restMs": &l.Rest, "answerMs": &l.Answer, "fetchMs": &l.Fetch,
	}
	for name, value := range given {
		path := "$.limits." + name
		n, ok := value.(float64)
		if !ok || n < 0 || n == 0 && !slices.Contains(mayBeNone, name) || n != float64(int(n)) {
			return l, fault.At(fault.InvalidRequest, path, "options: %s: want a positive integer", path)
		}
		if at, known := counts[name]; known {
			*at = int(n)
		} else if at, known := clocks[name]; known {
			*at = time.Duration(n) * time.Millisecond
		} else {
			return l, fault.At(fault.InvalidRequest, path, "options: %s: no such limit; there are %v", path, names(counts, clocks))
		}
	}
	return l, nil
}

func names(counts map[string]*int, clocks map[string]*time.Duration) []string {
	var all []string
	for name := range counts {
		all = append(all, name)
	}
	for name := range clocks {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}
