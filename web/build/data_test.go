package main

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
)

type segment struct {
	at    int64
	bytes []byte
}

// programOf is a WebAssembly program of a custom section, those segments, and a custom section behind.
func programOf(segments ...segment) []byte {
	data := binary.AppendUvarint(nil, uint64(len(segments)))
	for _, s := range segments {
		data = append(appendSigned(append(data, 0, i32Const), s.at), endOfExpr)
		data = append(binary.AppendUvarint(data, uint64(len(s.bytes))), s.bytes...)
	}
	program := append([]byte("\x00asm\x01\x00\x00\x00"), 0, 3, 1, 'x', 7)
	program = append(binary.AppendUvarint(append(program, dataSection), uint64(len(data))), data...)
	return append(program, 0, 2, 1, 'y')
}

func memoryOf(t *testing.T, program []byte) (memory []byte, segments uint64) {
	const before, behind = 8 + 5, 4
	size, n := binary.Uvarint(program[before+1:])
	section := program[before+1+n:]
	require.Len(t, section, int(size)+behind)
	segments, _ = binary.Uvarint(section)
	memory, err := imageOf(section[:size])
	require.NoError(t, err)
	return memory, segments
}

func TestAProgramBeginsWithTheSameMemoryInFewerSegments(t *testing.T) {
	far := int64(1 << 20)
	program := programOf(segment{4096, []byte("first")}, segment{4200, []byte{1, 0, 0, 2}}, segment{far, []byte("far")},
		segment{100, bytes.Repeat([]byte{0}, 50)}, segment{4098, []byte("RS")}, segment{64, []byte{9}})
	before, count := memoryOf(t, program)
	require.EqualValues(t, 6, count)
	require.Equal(t, "fiRSt", string(before[4096:4101]), "a later segment lies over an earlier one")

	joined, err := joinData(program)
	require.NoError(t, err)
	after, count := memoryOf(t, joined)
	require.EqualValues(t, 3, count)
	require.Equal(t, before, after)
	require.Equal(t, program[:13], joined[:13], "what stands before the data stays")
	require.Equal(t, program[len(program)-4:], joined[len(joined)-4:], "what stands behind the data stays")
	again, err := joinData(joined)
	require.NoError(t, err)
	require.Equal(t, joined, again)
}

func TestEveryGapKeepsItsLength(t *testing.T) {
	for _, gap := range []int64{0, 1, largestGap - 1, largestGap, largestGap + 1, 3 * largestGap} {
		program := programOf(segment{1000, []byte{1}}, segment{1001 + gap, []byte{2}})
		joined, err := joinData(program)
		require.NoError(t, err)
		before, _ := memoryOf(t, program)
		after, count := memoryOf(t, joined)
		require.Equal(t, before, after, "gap of %d", gap)
		require.Equal(t, gap > largestGap, count == 2, "gap of %d", gap)
	}
}

func TestDataOfAnotherFormIsRefused(t *testing.T) {
	good := programOf(segment{4096, []byte("first")})
	body := bytes.Index(good, []byte{1, 0, i32Const})
	for title, change := range map[string]func([]byte){
		"passive segment":        func(p []byte) { p[body+1] = 1 },
		"address that is no i32": func(p []byte) { p[body+2] = 0x42 },
		"address below zero":     func(p []byte) { p[body+4] = 0x40 },
		"more than there is":     func(p []byte) { p[body+6] = 6 },
		"one segment more":       func(p []byte) { p[body] = 2 },
		"one segment less":       func(p []byte) { p[body] = 0 },
		"section beyond the end": func(p []byte) { p[body-1] = 120 },
	} {
		broken := bytes.Clone(good)
		change(broken)
		_, err := joinData(broken)
		require.ErrorIs(t, err, errData, title)
	}
	_, err := joinData([]byte("\x00asm"))
	require.ErrorIs(t, err, errData)
	_, err = joinData(programOf(segment{largestImage, []byte{1}}))
	require.ErrorIs(t, err, errData)
}
