package input

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/meadow-nav/meadow/level"
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
		f := Beside(files, "levels/a.obj", level.Limits{}, 0)
		got, err := f.Read(c.ref)
		if string(got) != c.want || !errors.Is(err, c.err) {
			t.Errorf("Read(%q) = %q, %v, want %q, %v", c.ref, got, err, c.want, c.err)
		}
		if f.Exists(c.ref) != (c.err == nil) {
			t.Errorf("Exists(%q) = %v", c.ref, f.Exists(c.ref))
		}
	}
	f := Beside(files, "levels/a.obj", level.Limits{Bytes: 12}, 3)
	if b, err := f.Read("tex/stone.png"); string(b) != "stone" || err != nil {
		t.Errorf("Read within the limit = %q, %v", b, err)
	}
	if b, err := f.Read("tex/stone.png"); b != nil || err == nil || err.Error() != "more than 12 bytes" {
		t.Errorf("Read beyond the limit = %q, %v", b, err)
	}
	if _, err := f.Read("tex"); !errors.Is(err, errSpecial) {
		t.Errorf("Read of a folder: %v", err)
	}
	if f.Exists("tex") {
		t.Error("a folder counts as a file")
	}
	if _, err := (&Files{}).Read("a"); !errors.Is(err, fs.ErrNotExist) {
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
		if b, err := All(c.r, level.Limits{}); string(b) != c.want || err != nil {
			t.Errorf("%s: %d bytes, %v", c.name, len(b), err)
		}
	}
	for name, r := range map[string]io.Reader{
		"endless": endless{}, "announced": lying{endless{}, 1 << 40}, "one more": strings.NewReader("12345"), "one more without a size": io.MultiReader(strings.NewReader("12345")),
	} {
		large := (*level.TooLarge)(nil)
		if b, err := All(r, level.Limits{Bytes: 4}); b != nil || !errors.As(err, &large) || large.Most != 4 {
			t.Errorf("%s: %d bytes, %v", name, len(b), err)
		}
	}
	if b, err := All(strings.NewReader("1234"), level.Limits{Bytes: 4}); string(b) != "1234" || err != nil {
		t.Errorf("as many as may be: %q, %v", b, err)
	}
	broken := errors.New("broken")
	if _, err := All(iotest.ErrReader(broken), level.Limits{}); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

// endless is a reader without an end, like /dev/zero.
type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

// lying is a reader with a wrong idea of its size.
type lying struct {
	io.Reader
	size int
}

func (l lying) Len() int { return l.size }
