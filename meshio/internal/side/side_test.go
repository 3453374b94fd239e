package side

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"
)

var files = fstest.MapFS{
	"levels/a.obj":         {Data: []byte("a")},
	"levels/tex/stone.png": {Data: []byte("stone")},
	"shared/m.mtl":         {Data: []byte("library")},
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		ref, want string
		err       error
	}{
		{"tex/stone.png", "stone", nil},
		{`tex\stone.png`, "stone", nil},
		{"./tex/../tex/stone.png", "stone", nil},
		{"../shared/m.mtl", "library", nil},
		{"missing", "", fs.ErrNotExist},
		{"../../secret", "", ErrOutside},
		{"/levels/a.obj", "", ErrOutside},
		{`\levels\a.obj`, "", ErrOutside},
		{"..", "", ErrOutside},
	} {
		f := Beside(files, "levels/a.obj")
		got, err := f.Read(c.ref, 100)
		if string(got) != c.want || !errors.Is(err, c.err) {
			t.Errorf("Read(%q) = %q, %v, want %q, %v", c.ref, got, err, c.want, c.err)
		}
		if f.Exists(c.ref) != (c.err == nil) {
			t.Errorf("Exists(%q) = %v", c.ref, f.Exists(c.ref))
		}
	}
	if b, err := Beside(files, "levels/a.obj").Read("tex/stone.png", 2); string(b) != "st" || err != nil {
		t.Errorf("Read with a limit = %q, %v", b, err)
	}
	if Beside(files, "levels/a.obj").Exists("tex") {
		t.Error("a folder counts as a file")
	}
	if _, err := (Files{}).Read("a", 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a file system: %v", err)
	}
}

func TestAll(t *testing.T) {
	text := strings.Repeat("meadow", 1000)
	file, err := files.Open("shared/m.mtl")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		r    io.Reader
		want string
	}{
		{"strings", strings.NewReader(text), text},
		{"bytes", bytes.NewReader([]byte(text)), text},
		{"a file", file, "library"},
		{"no size", iotest.HalfReader(strings.NewReader(text)), text},
		{"a size too large", lying{strings.NewReader(text), 1 << 20}, text},
		{"a size too small", lying{strings.NewReader(text), 3}, text},
		{"a negative size", lying{strings.NewReader(text), -3}, text},
		{"nothing", strings.NewReader(""), ""},
	} {
		if b, err := All(c.r); string(b) != c.want || err != nil {
			t.Errorf("%s: %d bytes, %v", c.name, len(b), err)
		}
	}
	broken := errors.New("broken")
	if _, err := All(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

// lying is a reader with a wrong idea of its size.
type lying struct {
	io.Reader
	size int
}

func (l lying) Len() int { return l.size }
