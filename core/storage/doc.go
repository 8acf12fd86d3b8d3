// Package storage keeps what tools store themselves: values under keys, apart by revision, by partition, and by the node of the chat that
// defines the tool. What a tool stores outlives its sandbox and, in a store that does, the engine; it never becomes another revision's
// by itself.
//
// The rows of a revision lie under one prefix, with one row that says how much they are. Each change compares and puts that row together
// with its own, so that the count is right whoever else writes at the same time, in this engine or in another over the same data.
package storage
