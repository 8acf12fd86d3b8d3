//go:build !js

package main

import "log"

func main() { log.Fatal("web: this program runs in a browser; build and serve it with `make run`") }
