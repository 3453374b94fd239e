// Command wasm tells which packages fill a program for js/wasm: for each group of packages the bytes of its functions, and what is left for
// data. It builds the program with its names, because the names tell the packages.
//
//	go run ./lab/bench/wasm [-all] [PACKAGE]
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	all := flag.Bool("all", false, "list each package, not groups")
	flag.Parse()
	pkg := "./view/buildwasm"
	if flag.NArg() > 0 {
		pkg = flag.Arg(0)
	}
	if err := run(pkg, *all); err != nil {
		fmt.Fprintln(os.Stderr, "wasm:", err)
		os.Exit(1)
	}
}

func run(pkg string, all bool) error {
	folder, err := os.MkdirTemp("", "wasm")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "program.wasm")
	build := func(flags ...string) ([]byte, error) {
		c := exec.Command("go", slices.Concat([]string{"build", "-trimpath", "-buildvcs=false", "-o", file}, flags, []string{pkg})...)
		c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
		c.Stderr = os.Stderr
		if err := c.Run(); err != nil {
			return nil, err
		}
		return os.ReadFile(file)
	}
	data, err := build()
	if err != nil {
		return err
	}
	m, err := read(data)
	if err != nil {
		return err
	}
	known, err := listed(pkg)
	if err != nil {
		return err
	}
	sizes := map[string]int{}
	for i, n := range m.bodies {
		name := known.of(m.names[m.imported+i])
		if !all {
			name = groupOf(name)
		}
		sizes[name] += n
	}
	stripped, err := build("-ldflags=-s -w")
	if err != nil {
		return err
	}
	fmt.Printf("| part of %s | MB |\n|---|---:|\n", pkg)
	for _, name := range slices.SortedFunc(maps.Keys(sizes), func(a, b string) int { return cmp.Or(sizes[b]-sizes[a], cmp.Compare(a, b)) }) {
		fmt.Printf("| %s | %.2f |\n", name, float64(sizes[name])/1e6)
	}
	fmt.Printf("| data: tables of Go for types, calls and the collector, texts | %.2f |\n| all | %.2f |\n", float64(m.data)/1e6, float64(len(stripped))/1e6)
	var z bytes.Buffer
	w, _ := gzip.NewWriterLevel(&z, gzip.BestCompression)
	if _, err := w.Write(stripped); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	fmt.Printf("| all, by gzip -9 | %.2f |\n", float64(z.Len())/1e6)
	return nil
}

// packages finds the package of a function's name: the compiler writes the path with underscores in place of all but letters, digits and
// points.
type packages map[string]string // mangled path to path

func listed(pkg string) (packages, error) {
	c := exec.Command("go", "list", "-deps", pkg)
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := c.Output()
	if err != nil {
		return nil, err
	}
	p := packages{}
	for path := range strings.Lines(string(out)) {
		path = strings.TrimSpace(path)
		p[mangled(path)] = path
	}
	return p, nil
}

func mangled(path string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, path)
}

func (p packages) of(name string) string {
	for end := len(name); end > 0; end-- {
		if end == len(name) || name[end] == '.' {
			if path, ok := p[name[:end]]; ok {
				return path
			}
		}
	}
	return "runtime" // entries of the linker, and the functions that the compiler makes for types
}

// groupOf puts packages together by subject.
func groupOf(pkg string) string {
	const own = "github.com/meadow-nav/meadow"
	in := func(prefixes ...string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(pkg, own+"/"+p) })
	}
	switch {
	case in("lab/"):
		return "generators and extractors of lab"
	case in("level/levelgen"):
		return "levels by their kind"
	case in("level/terrain", "internal/lexicon", "internal/yamltree"):
		return "rules for the ground"
	case in("level"):
		return "formats of levels and maps"
	case in("navmesh"):
		return "meshes and their formats"
	case in("query", "internal/graph"):
		return "queries"
	case in("world"):
		return "worlds that change"
	case in("draw", "view"):
		return "drawing and requests"
	case strings.HasPrefix(pkg, own):
		return "floors and regions"
	case strings.Contains(pkg, "yaml"):
		return "YAML"
	case strings.Contains(pkg, "/"), strings.Contains(pkg, "."):
		if strings.Contains(pkg, "klauspost") || strings.HasPrefix(pkg, "compress/") {
			return "gzip, zlib, zstd"
		}
		if strings.HasPrefix(pkg, "encoding/") {
			return "JSON, XML and other encodings of Go"
		}
		if strings.Contains(pkg, "gltf") || strings.Contains(pkg, "image") {
			return "glTF, PNG, TIFF"
		}
		return "other packages of Go"
	case pkg == "runtime", pkg == "reflect", pkg == "fmt", pkg == "time":
		return "Go's " + pkg
	case pkg == "slices":
		return "Go's slices: sorting, once for each type"
	}
	return "other packages of Go"
}

// module is what a file says of its functions.
type module struct {
	imported int
	bodies   []int // bytes of each function after the imported ones
	names    map[int]string
	data     int
}

var errShort = errors.New("the file ends early")

// reader reads WebAssembly's numbers. After the end it reads zeros and keeps the fault.
type reader struct {
	data []byte
	err  error
}

func (r *reader) number() int {
	v, n := binary.Uvarint(r.data)
	if n <= 0 {
		r.err, r.data = errShort, nil
		return 0
	}
	r.data = r.data[n:]
	return int(v)
}

func (r *reader) bytes(n int) []byte {
	if n < 0 || n > len(r.data) {
		r.err, r.data = errShort, nil
		return nil
	}
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

// read reads the sections of a program: https://webassembly.github.io/spec/core/binary/modules.html.
func read(data []byte) (module, error) {
	m := module{names: map[int]string{}}
	if !bytes.HasPrefix(data, []byte("\x00asm\x01\x00\x00\x00")) {
		return m, errors.New("no program for WebAssembly")
	}
	r := &reader{data: data[8:]}
	for len(r.data) > 0 && r.err == nil {
		id := r.bytes(1)[0]
		s := &reader{data: r.bytes(r.number())}
		switch id {
		case 0:
			if string(s.bytes(s.number())) == "name" {
				readNames(s, m.names)
			}
		case 2: // imports: Go's are functions only
			m.imported = s.number()
		case 10:
			for range s.number() {
				n := s.number()
				s.bytes(n)
				m.bodies = append(m.bodies, n)
			}
		case 11:
			m.data = len(s.data)
		}
		if r.err == nil {
			r.err = s.err
		}
	}
	return m, r.err
}

func readNames(s *reader, names map[int]string) {
	for len(s.data) > 0 && s.err == nil {
		id := s.bytes(1)[0]
		part := &reader{data: s.bytes(s.number())}
		if id != 1 {
			continue
		}
		for range part.number() {
			i := part.number()
			names[i] = string(part.bytes(part.number()))
		}
		s.err = part.err
	}
}
