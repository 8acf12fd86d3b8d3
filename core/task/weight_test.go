package task

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

func TestARecordThatWasDroppedToMakeRoomIsLetGo(t *testing.T) {
	var m Memory
	var id canon.TaskID
	m.records = map[canon.TaskID][]Record{}
	text := strings.Repeat("x", mostWeight/4)
	for range 4 {
		r := Record{Result: text}
		m.records[id] = append(m.records[id], r)
		bytes := weightOf(&r)
		m.order, m.weight = append(m.order, weighed{id, bytes}), m.weight+bytes
	}
	before := m.records[id]
	m.makeRoom()
	require.Len(t, m.records[id], 3)
	require.Nil(t, before[0].Result, "the array behind the list holds it no more")
	require.Equal(t, text, m.records[id][0].Result)
}
