// Command identity is the Go side of the comparison of identities: the same program natively and as wasm. Texts are JSON without
// byte 0, which ends each text and each answer.
//
//	identity generate SEED COUNT OUT   writes two texts of each of COUNT definitions, which must be accepted
//	identity freeze IN OUT             answers each text of a definition with its id, a line feed and its canonical bytes
//
// An answer to a text that is refused is `refused: ` and the reason.
package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "identity:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 4 && args[0] == "generate":
		seed, err := strconv.ParseUint(args[1], 10, 64)
		if err != nil {
			return err
		}
		count, err := strconv.Atoi(args[2])
		if err != nil {
			return err
		}
		var out bytes.Buffer
		for _, text := range Generate(seed, count) {
			out.WriteString(text + "\x00")
		}
		return os.WriteFile(args[3], out.Bytes(), 0o644)
	case len(args) == 3 && args[0] == "freeze":
		in, err := os.ReadFile(args[1])
		if err != nil {
			return err
		}
		var out bytes.Buffer
		for text := range bytes.SplitAfterSeq(in, []byte{0}) {
			if text = bytes.TrimSuffix(text, []byte{0}); len(text) > 0 {
				out.WriteString(freeze(text) + "\x00")
			}
		}
		return os.WriteFile(args[2], out.Bytes(), 0o644)
	}
	return fmt.Errorf("want `generate SEED COUNT OUT` or `freeze IN OUT`, got %q", args)
}

func freeze(text []byte) string {
	d, err := tool.Read(text, limits.Default())
	if err != nil {
		return "refused: " + err.Error()
	}
	r, err := tool.Freeze(d)
	if err != nil {
		return "refused: " + err.Error()
	}
	return r.ID().String() + "\n" + r.Bytes()
}
