// Command empty is the baseline of the start-up measurement: the smallest Go program that a page can wait for.
package main

import "os"

func main() {
	// The page listens for this line; nothing else is linked in.
	os.Stdout.WriteString("up\n")
	select {}
}
