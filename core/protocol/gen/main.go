// Command gen writes the TypeScript side of the protocol from its Go table: types, row table and field shapes.
//
//	go run ./core/protocol/gen -out sandboxhost/bootstrap/src/protocol.gen.ts [-check]
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/xyntopia/taskyon-sandbox/core/protocol"
)

func main() {
	out := flag.String("out", "sandboxhost/bootstrap/src/protocol.gen.ts", "the file to write")
	check := flag.Bool("check", false, "fail when the file differs, write nothing")
	flag.Parse()
	if err := run(*out, *check); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out string, check bool) error {
	want := protocol.TypeScript()
	if !check {
		return os.WriteFile(out, []byte(want), 0o644)
	}
	have, err := os.ReadFile(out)
	if err != nil {
		return err
	}
	if string(have) != want {
		return fmt.Errorf("%s: differs from core/protocol; run make generate", out)
	}
	return nil
}
