//go:build js && wasm

package store

import (
	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// undone is the error of a transaction that the browser undid. Its reason is a DOMException or null.
func (s *Store) undone(reason safejs.Value, doing string) error {
	if lost := s.lost(); lost != nil {
		return lost
	}
	name, message := describe(reason)
	switch name {
	case "QuotaExceededError":
		return fault.New(fault.TooLarge, "store: %s: the browser gives this site no more space, nothing was changed; erase chats or free disk space",
			doing)
	case "":
		return fault.New(fault.Unavailable, "store: %s: the browser undid it, nothing was changed; try again", doing)
	}
	return fault.New(fault.Unavailable, "store: %s: %s: %s; nothing was changed", doing, name, message)
}

// refused is the error of a database that could not be opened.
func refused(reason safejs.Value) error {
	name, message := describe(reason)
	switch name {
	case "VersionError":
		return fault.New(fault.Unavailable, "store: was written by a newer version of this page; reload the page to get it")
	case "QuotaExceededError":
		return fault.New(fault.TooLarge, "store: the browser gives this site no more space; free disk space and reload")
	case "SecurityError", "InvalidStateError", "InvalidAccessError":
		return fault.New(fault.NotFound, "store: this page may not use IndexedDB: %s", message)
	}
	return fault.New(fault.Unavailable, "store: cannot be opened: %s: %s; reload the page", name, message)
}

func describe(exception safejs.Value) (name, message string) {
	return row{exception}.text("name"), row{exception}.text("message")
}
