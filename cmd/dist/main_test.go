package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"testing"
	"time"
)

// TestArchives: archives hold the files with their modes, name nobody, and are the same bytes each time.
func TestArchives(t *testing.T) {
	files := []file{{"a/README.md", 0o644, []byte("text")}, {"a/meadow", 0o755, bytes.Repeat([]byte("program"), 1000)}}
	when := time.Unix(1_700_000_000, 0).UTC()
	for name, pack := range map[string]func([]file, time.Time) ([]byte, error){"tar": tarred, "zip": zipped} {
		first, err := pack(files, when)
		if err != nil {
			t.Fatal(err)
		}
		if second, err := pack(files, when); err != nil || !bytes.Equal(first, second) {
			t.Errorf("%s: two archives of the same files differ", name)
		}
	}

	data, err := tarred(files, when)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for r, i := tar.NewReader(z), 0; ; i++ {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			if i != len(files) {
				t.Errorf("%d entries", i)
			}
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil || h.Name != files[i].name || h.Mode != files[i].mode || !bytes.Equal(got, files[i].data) || !h.ModTime.Equal(when) || h.Uname != "" || h.Uid != 0 {
			t.Errorf("entry %d: %+v, %v", i, h, err)
		}
	}

	if data, err = zipped(files, when); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil || len(r.File) != len(files) {
		t.Fatalf("zip: %v", err)
	}
	if mode := r.File[1].Mode().Perm(); mode != 0o755 {
		t.Errorf("zip: mode %v", mode)
	}
}
