package storage

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

// Area is the storage of one tool in one place. Values are in tagged form. It is safe for concurrent use.
type Area struct {
	store *Store
	place Place
}

// For gives a tool its area. Declared: its definition has storage in its needs; else denied.
func (s *Store) For(place Place, declared bool) (*Area, error) {
	if !declared {
		return nil, fault.New(fault.Denied, "storage: the tool does not declare it; add \"storage\": true to needs of its definition")
	}
	return &Area{s, place}, nil
}

// Get gives the value under a key, and whether there is one. Errors: invalid_request, too_large (the key), corrupt.
func (a *Area) Get(ctx context.Context, key string) (value any, there bool, err error) {
	if err := a.fits(key); err != nil {
		return nil, false, err
	}
	kept, err := a.store.get(ctx, a.place.key(key))
	if err != nil || kept == nil {
		return nil, false, err
	}
	value, err = a.store.value(key, kept)
	return value, err == nil, err
}

// Set puts a value under a key, in place of what was there. Errors: invalid_request, invalid_value, too_large (the key, or no room left),
// conflict (others write to the same storage all the time).
func (a *Area) Set(ctx context.Context, key string, value any) error {
	if err := a.fits(key); err != nil {
		return err
	}
	if err := protocol.CheckValue(value, a.store.o.Limits.Nesting); err != nil {
		return fault.Wrap(fault.InvalidValue, err, "storage: %.80q", key)
	}
	text, err := canon.Encode(value)
	if err != nil {
		return fault.Wrap(fault.InvalidValue, err, "storage: %.80q", key)
	}
	_, err = a.change(ctx, key, text)
	return err
}

// Delete takes a key away, and tells whether it was there.
func (a *Area) Delete(ctx context.Context, key string) (bool, error) {
	if err := a.fits(key); err != nil {
		return false, err
	}
	return a.change(ctx, key, nil)
}

// List gives the keys that begin with a prefix, in order of their bytes.
func (a *Area) List(ctx context.Context, prefix string) ([]string, error) {
	rows, err := a.store.o.Store.List(ctx, shelf.Under(a.place.words()...), "", 0)
	if err != nil {
		return nil, err
	}
	keys := []string{}
	for _, row := range rows {
		_, key, err := placeOf(row.Key)
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys) // a store's order is that of escaped keys
	return keys, nil
}

func (a *Area) fits(key string) error {
	most := a.store.o.Limits.StorageKeyBytes
	switch {
	case key == "" || !utf8.ValidString(key):
		return fault.At(fault.InvalidRequest, "$.key", "storage: $.key: want a text that is not empty")
	case len(key) > most:
		return fault.At(fault.TooLarge, "$.key", "storage: $.key: %d bytes, at most %d", len(key), most)
	}
	return nil
}

// change puts one row, or takes it away, together with the row that counts.
func (a *Area) change(ctx context.Context, key string, text []byte) (was bool, err error) {
	place, l := a.place.key(key), a.store.o.Limits
	err = a.store.again(ctx, a.place.Revision, func() error {
		u, counted, err := a.store.usage(ctx, a.place.Revision)
		if err != nil {
			return err
		}
		before, err := a.store.get(ctx, place)
		if err != nil {
			return err
		}
		if was = before != nil; was {
			u.Keys, u.Bytes = u.Keys-1, u.Bytes-weight(key, before)
		} else if text == nil {
			return nil
		}
		if text != nil {
			u.Keys, u.Bytes = u.Keys+1, u.Bytes+weight(key, text)
			switch {
			case u.Bytes > l.StorageBytes:
				return fault.New(fault.TooLarge, "storage: would hold %d bytes, at most %d for all of this tool; delete something", u.Bytes, l.StorageBytes)
			case u.Keys > l.StorageKeys:
				return fault.New(fault.TooLarge, "storage: would hold %d keys, at most %d for all of this tool; delete some", u.Keys, l.StorageKeys)
			}
		}
		count, err := usage{max(u.Bytes, 0), max(u.Keys, 0)}.row(a.place.Revision, counted)
		if err != nil {
			return err
		}
		return a.store.o.Store.Put(ctx, shelf.Change{Key: place, Value: text, Check: true, Before: before}, count)
	})
	return was, err
}
