package canontest

import (
	"encoding/hex"
	"io/fs"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/canon/internal/b3"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

const blake3Lengths = 35

// blake3File is the published file; outputs are hex and longer than a digest, whose bytes they begin with.
type blake3File struct {
	Comment string       `json:"_comment"`
	Key     string       `json:"key"`
	Context string       `json:"context_string"`
	Cases   []blake3Case `json:"cases"`
}

type blake3Case struct {
	Length    int    `json:"input_len"`
	Hash      string `json:"hash"`
	KeyedHash string `json:"keyed_hash"`
	DeriveKey string `json:"derive_key"`
}

// blake3 checks the plain hash as a file digest, and derive-key mode under the context string of the file.
func blake3(root fs.FS) (passed, total int, failures []string) {
	var t tally
	var file blake3File
	text, err := fs.ReadFile(root, "blake3/test_vectors.json")
	if err == nil {
		err = canon.Unmarshal(text, &file, nesting(), fault.InvalidRequest)
	}
	if err != nil {
		t.check(false, "blake3: %v", err)
	}
	for _, c := range file.Cases {
		input := make([]byte, c.Length)
		for i := range input {
			input[i] = byte(i % 251)
		}
		hash := canon.SumFile(input).String()
		t.check(hash == "b3:"+head(c.Hash), "hash of %d bytes: got %s, want %s", c.Length, hash, c.Hash)
		derived := b3.Derive(file.Context, input)
		t.check(hex.EncodeToString(derived[:]) == head(c.DeriveKey), "derive_key of %d bytes: got %x, want %s", c.Length, derived, c.DeriveKey)
	}
	return t.result(2 * blake3Lengths)
}

func head(output string) string { return output[:min(len(output), 2*b3.Size)] }
