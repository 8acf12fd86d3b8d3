// Command contracts writes the security contracts as JSON, for whoever runs them.
//
//	go run ./internal/contracts -out build/site/contracts.json
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/xyntopia/taskyon-sandbox/core/contracts"
)

func main() {
	out := flag.String("out", "", "the `file` to write; standard output unless given")
	flag.Parse()
	if err := write(*out); err != nil {
		fmt.Fprintln(os.Stderr, "contracts:", err)
		os.Exit(1)
	}
}

func write(out string) error {
	text, err := json.MarshalIndent(contracts.All(), "", " ")
	if err != nil {
		return err
	}
	if out == "" {
		_, err = os.Stdout.Write(text)
		return err
	}
	return os.WriteFile(out, text, 0o644)
}
