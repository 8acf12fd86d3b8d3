package task

import "github.com/xyntopia/taskyon-sandbox/core/canon"

// mostWeight is about how many bytes of records a Memory keeps. A page that runs tools for days must not run out of memory by what
// they once returned; who wants every record keeps them in a store that lasts.
const mostWeight = 64 << 20

// weighed is a record in the order of its coming.
type weighed struct {
	task  canon.TaskID
	bytes int
}

// makeRoom drops the oldest records of a Memory until the rest weighs little enough; the newest one always stays.
func (m *Memory) makeRoom() {
	for m.weight > mostWeight && len(m.order) > 1 {
		oldest := m.order[0]
		m.order = m.order[1:]
		m.weight -= oldest.bytes
		if records := m.records[oldest.task]; len(records) > 0 {
			records[0] = Record{} // the array behind the slice lives on
			m.records[oldest.task] = records[1:]
		}
	}
}

// weightOf estimates what a record takes in memory.
func weightOf(r *Record) int {
	bytes := 512 + treeWeight(r.Result)
	for _, line := range r.Logs {
		bytes += 64 + len(line.Text)
	}
	if f := r.Error; f != nil {
		bytes += len(f.Message) + len(f.Stack) + len(f.Cause) + treeWeight(f.Value)
	}
	return bytes
}

func treeWeight(v any) int {
	const word = 32
	bytes := word
	switch v := v.(type) {
	case string:
		bytes += len(v)
	case []any:
		for _, item := range v {
			bytes += treeWeight(item)
		}
	case map[string]any:
		for key, item := range v {
			bytes += word + len(key) + treeWeight(item)
		}
	}
	return bytes
}
