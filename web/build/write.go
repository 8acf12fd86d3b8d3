package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"

	"github.com/andybalholm/brotli"
)

const (
	quickBrotli = 5
	smallFile   = 1024 // below it, compression saves no packet
)

// write puts files into the folder. Siblings come after their file, since a server sends no older ones.
func write(out string, contents []content, release bool) ([]built, error) {
	var files []built
	for _, c := range contents {
		path := filepath.Join(out, c.name)
		if err := replace(path, c.text); err != nil {
			return nil, err
		}
		b := built{name: c.name, size: len(c.text), br: len(c.text)}
		var err error
		if len(c.text) < smallFile {
			err = removeSiblings(path)
		} else {
			b.br, err = siblings(path, c.text, release)
		}
		if err != nil {
			return nil, err
		}
		files = append(files, b)
	}
	return files, nil
}

// siblings are made for every file, also for those that a server would compress on its way: it then never has to.
func siblings(path string, text []byte, release bool) (br int, err error) {
	brotliLevel, gzipLevel := quickBrotli, gzip.DefaultCompression
	if release {
		brotliLevel, gzipLevel = brotli.BestCompression, gzip.BestCompression
	}
	var small bytes.Buffer
	if err := compress(brotli.NewWriterLevel(&small, brotliLevel), text); err != nil {
		return 0, err
	}
	br = small.Len()
	if err := replace(path+".br", small.Bytes()); err != nil {
		return 0, err
	}
	small.Reset()
	zip, err := gzip.NewWriterLevel(&small, gzipLevel)
	if err != nil {
		return 0, err
	}
	if err := compress(zip, text); err != nil {
		return 0, err
	}
	return br, replace(path+".gz", small.Bytes())
}

// removeSiblings takes away what an earlier build left.
func removeSiblings(path string) error {
	for _, suffix := range []string{".br", ".gz"} {
		if err := os.Remove(path + suffix); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}

func compress(w io.WriteCloser, text []byte) error {
	if _, err := w.Write(text); err != nil {
		return err
	}
	return w.Close()
}

// replace writes a file at once, so that a running server never sends half of one.
func replace(path string, text []byte) error {
	if err := os.WriteFile(path+".new", text, 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
