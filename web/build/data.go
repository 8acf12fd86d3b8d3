package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// Go's linker cuts the memory that a program begins with at every few zeros, into some ten thousand segments with an address each.
// The addresses are what a compressor cannot guess: one run with its zeros in place is a fifteenth less to download.

const (
	dataSection = 11
	i32Const    = 0x41
	endOfExpr   = 0x0b
	wasmHeader  = 8
	// largestGap is how many zeros in a row are written out. It is well above what an address costs.
	largestGap = 256
	// largestImage bounds what a broken address could ask for.
	largestImage = 1 << 28
)

var errData = errors.New("the data of this WebAssembly program is laid out in another way; adapt web/build")

// joinData rewrites the data section of a WebAssembly program so that it has as few segments as is sensible. What memory holds
// at the start is the same, byte for byte.
func joinData(program []byte) ([]byte, error) {
	if len(program) < wasmHeader {
		return nil, errData
	}
	out := append(make([]byte, 0, len(program)*5/4), program[:wasmHeader]...)
	for at := wasmHeader; at < len(program); {
		size, n := binary.Uvarint(program[at+1:])
		body := at + 1 + n
		if n <= 0 || size > uint64(len(program)-body) {
			return nil, errData
		}
		end := body + int(size)
		if program[at] != dataSection {
			out = append(out, program[at:end]...)
		} else {
			memory, err := imageOf(program[body:end])
			if err != nil {
				return nil, err
			}
			section := segmentsOf(memory)
			out = binary.AppendUvarint(append(out, dataSection), uint64(len(section)))
			out = append(out, section...)
		}
		at = end
	}
	return out, nil
}

// imageOf fills memory as an engine does: segment by segment, a later one over an earlier one.
func imageOf(section []byte) ([]byte, error) {
	r := bytes.NewReader(section)
	count, err := binary.ReadUvarint(r)
	if err != nil {
		return nil, errData
	}
	var memory []byte
	for range count {
		kind, _ := r.ReadByte()
		op, _ := r.ReadByte()
		address := readSigned(r)
		end, _ := r.ReadByte()
		size, err := binary.ReadUvarint(r)
		if kind != 0 || op != i32Const || end != endOfExpr || err != nil || address < 0 || size > uint64(r.Len()) {
			return nil, errData
		}
		to := address + int64(size)
		if to > largestImage {
			return nil, fmt.Errorf("%w: a segment ends at %d", errData, to)
		}
		if grow := int(to) - len(memory); grow > 0 {
			memory = append(memory, make([]byte, grow)...)
		}
		_, _ = r.Read(memory[address:to])
	}
	if r.Len() > 0 {
		return nil, errData
	}
	return memory, nil
}

// segmentsOf cuts memory where it is empty for long.
func segmentsOf(memory []byte) []byte {
	var segments []byte
	count := uint64(0)
	for at := 0; ; {
		for at < len(memory) && memory[at] == 0 {
			at++
		}
		if at == len(memory) {
			break
		}
		end := at + 1 // behind the last byte that is not zero
		for i := end; i < len(memory) && i-end <= largestGap; i++ {
			if memory[i] != 0 {
				end = i + 1
			}
		}
		segments = appendSigned(append(segments, 0, i32Const), int64(at))
		segments = binary.AppendUvarint(append(segments, endOfExpr), uint64(end-at))
		segments = append(segments, memory[at:end]...)
		count, at = count+1, end
	}
	return append(binary.AppendUvarint(nil, count), segments...)
}

// readSigned reads a signed LEB128 number, which is not the zigzag form of package binary. -1 for a broken one: no address.
func readSigned(r *bytes.Reader) (v int64) {
	for shift := 0; shift < 35; shift += 7 {
		b, err := r.ReadByte()
		if err != nil {
			return -1
		}
		v |= int64(b&0x7f) << shift
		if b&0x80 == 0 {
			if b&0x40 != 0 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
	return -1
}

func appendSigned(to []byte, v int64) []byte {
	for v >= 0x40 {
		to = append(to, byte(v)|0x80)
		v >>= 7
	}
	return append(to, byte(v))
}
