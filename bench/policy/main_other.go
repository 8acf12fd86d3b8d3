//go:build !js

package main

import "fmt"

func main() { fmt.Println("this program runs in a page, see bench/pages/fetch.js") }
