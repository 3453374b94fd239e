package bsp

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// archive packs the room under each of the names; files of other kinds hold a line.
func archive(t testing.TB, names ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, n := range names {
		w, err := z.Create(n)
		if err != nil {
			t.Fatal(err)
		}
		data := []byte("a line\n")
		if strings.HasSuffix(strings.ToLower(n), ".bsp") {
			data = room().encode()
		}
		w.Write(data)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestArchive(t *testing.T) {
	many := []string{"scripts/a.shader", "maps/hall.bsp", "maps/yard.bsp", "maps/old/yard.bsp", "maps/b1.bsp", "maps/b2.bsp", "maps/b3.bsp", "maps/b4.bsp"}
	twice := []string{"maps/A.bsp", "maps/a.BSP"}
	for _, c := range []struct {
		files      []string
		level      string
		want, fail string
	}{
		{[]string{"maps/hall.bsp", "textures/x.tga"}, "", "hall", ""},
		{[]string{`maps\hall.BSP`}, "", "hall", ""},
		{many, "hall", "hall", ""},
		{many, "HALL.bsp", "hall", ""},
		{many, "maps/hall", "hall", ""},
		{many, `maps\hall.bsp`, "hall", ""},
		{many, "old/yard", "yard", ""},
		{many, "", "", "pk3: the archive has 7 levels; name one of hall, yard, yard, b1, b2, b3, and 1 more"},
		{many, "all", "", `pk3: no level "all"; the archive has hall, yard, yard, b1, b2, b3, and 1 more`},
		{many, "yard", "", `pk3: 2 levels match "yard": yard, yard`},
		{twice, "a", "", `pk3: 2 levels match "a": A, a`},
		{[]string{"readme.txt"}, "", "", "pk3: no .bsp among the 1 files of the archive"},
		{nil, "", "", "pk3: no .bsp among the 0 files of the archive"},
	} {
		lvl, err := DecodeArchive(bytes.NewReader(archive(t, c.files...)), Options{Map: c.level})
		switch {
		case c.fail == "" && (err != nil || lvl.Name != c.want || len(lvl.Solids) != 10):
			t.Errorf("%q of %q: %v, %v", c.level, c.files, lvl, err)
		case c.fail != "" && (err == nil || err.Error() != c.fail):
			t.Errorf("%q of %q: %v, want %s", c.level, c.files, err, c.fail)
		}
	}
}

// raw packs one level with a false size in its header.
func raw(t *testing.T, size uint64, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.CreateRaw(&zip.FileHeader{Name: "maps/a.bsp", Method: zip.Store, CompressedSize64: uint64(len(data)), UncompressedSize64: size})
	if err != nil {
		t.Fatal(err)
	}
	w.Write(data)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestArchiveErrors(t *testing.T) {
	file := archive(t, "maps/a.bsp")
	damaged := bytes.Clone(file)
	damaged[len(damaged)/2] ^= 0xff
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"no archive", []byte("hello"), "pk3: zip: not a valid zip file"},
		{"half of one", file[:len(file)/2], "pk3: zip: not a valid zip file"},
		{"a huge level", raw(t, math.MaxUint64, nil), "pk3: maps/a.bsp: more than 268435456 bytes"},
		{"less than announced", raw(t, 1<<20, []byte("IBSP")), "pk3: maps/a.bsp: bsp: "},
		{"a damaged level", damaged, "pk3: maps/a.bsp: bsp: "},
		{"another file", raw(t, 4, []byte("IWAD")), "pk3: maps/a.bsp: bsp: "},
	} {
		if _, err := DecodeArchive(bytes.NewReader(c.data), Options{}); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	broken := errors.New("broken")
	if _, err := DecodeArchive(iotest.ErrReader(broken), Options{}); !errors.Is(err, broken) {
		t.Errorf("a reader that fails: %v", err)
	}
}

// counted counts the bytes read from a file.
type counted struct {
	*os.File
	read int
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.File.Read(b)
	c.read += n
	return n, err
}

func (c *counted) ReadAt(b []byte, at int64) (int, error) {
	n, err := c.File.ReadAt(b, at)
	c.read += n
	return n, err
}

// TestArchiveOnDisk reads only the needed parts of a file, also of a file read in part before.
func TestArchiveOnDisk(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	filler, err := z.CreateHeader(&zip.FileHeader{Name: "sound.wav", Method: zip.Store})
	if err != nil {
		t.Fatal(err)
	}
	filler.Write(make([]byte, 1<<20))
	inner, err := z.Create("maps/a.bsp")
	if err != nil {
		t.Fatal(err)
	}
	inner.Write(room().encode())
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	want, err := DecodeArchive(bytes.NewReader(b.Bytes()), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, skip := range []int64{0, 5} {
		name := filepath.Join(t.TempDir(), "a.pk3")
		if err := os.WriteFile(name, append(make([]byte, skip), b.Bytes()...), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.Seek(skip, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		c := &counted{File: f}
		got, err := DecodeArchive(c, Options{})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("from byte %d: %v, %v", skip, got, err)
		}
		if all := c.read >= 1<<20; all != (skip > 0) {
			t.Errorf("from byte %d: %d bytes are read", skip, c.read)
		}
	}
}

// TestBomb unpacks more than the directory says: reading ends there.
func TestBomb(t *testing.T) {
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(make([]byte, 1<<24))
	w.Close()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	to, err := z.CreateRaw(&zip.FileHeader{Name: "a.bsp", Method: zip.Deflate, CompressedSize64: uint64(packed.Len()), UncompressedSize64: 5000})
	if err != nil {
		t.Fatal(err)
	}
	to.Write(packed.Bytes())
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = DecodeArchive(bytes.NewReader(b.Bytes()), Options{})
	if want := "pk3: a.bsp: bsp: reading: zip: not a valid zip file"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func FuzzDecodeArchive(f *testing.F) {
	f.Add(archive(f, "maps/a.bsp", "b.txt"), "")
	f.Add(archive(f, "maps/a.bsp", "maps/b.bsp"), "b")
	f.Fuzz(func(t *testing.T, data []byte, level string) {
		lvl, err := DecodeArchive(bytes.NewReader(data), Options{Map: level})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "pk3: ") {
				t.Fatalf("error %q", err)
			}
			return
		}
		if err := lvl.Validate(); err != nil {
			t.Fatal(err)
		}
	})
}
