// Command dist makes the archives of a release: the command for each system with its licences, the package for npm, and their checksums.
//
// The same commit and the same version of Go give the same bytes: paths are trimmed, times are those of the commit, and entries are
// sorted. The version is that of the nearest tag, as git describe says it.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/meadow-nav/meadow/internal/atomicfile"
	"github.com/meadow-nav/meadow/view"
)

// systems are the targets, as GOOS/GOARCH, and npm for the package of WebAssembly.
var systems = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64", npm}

const npm = "npm"

// papers are the files that every archive has besides the program.
var papers = []string{"README.md", "CHANGELOG.md", "LICENSE", "internal/lexicon/LICENSE-WordNet", "view/client/LICENSE-three.js"}

func main() {
	folder := flag.String("o", "dist", "folder for the archives")
	only := flag.String("systems", strings.Join(systems, ","), "systems, as GOOS/GOARCH,…, and npm")
	flag.Parse()
	if err := run(*folder, strings.Split(*only, ",")); err != nil {
		fmt.Fprintf(os.Stderr, "dist: %v\n", err)
		os.Exit(2)
	}
}

// run makes an archive for each system, and the file of checksums.
func run(folder string, systems []string) error {
	when, version, err := commit()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "meadow-dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	var sums strings.Builder
	for _, system := range systems {
		name, data, err := archive(temp, system, version, when)
		if err != nil {
			return fmt.Errorf("%s: %w", system, err)
		}
		path := filepath.Join(folder, name)
		if err := atomicfile.Write(path, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), name)
		fmt.Printf("%s: %d bytes\n", path, len(data))
	}
	return atomicfile.Write(filepath.Join(folder, "SHA256SUMS"), func(w io.Writer) error { _, err := io.WriteString(w, sums.String()); return err })
}

// commit returns the time of the commit, and its version: the tag, and after the tag's commit the number of commits and the hash.
func commit() (when time.Time, version string, err error) {
	git := func(args ...string) (string, error) {
		out, err := exec.Command("git", args...).Output()
		if err != nil {
			return "", fmt.Errorf("git %s: %w", args[0], err)
		}
		return strings.TrimSpace(string(out)), nil
	}
	text, err := git("log", "-1", "--format=%ct")
	if err != nil {
		return when, "", err
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return when, "", fmt.Errorf("git log: %w", err)
	}
	version, err = git("describe", "--tags", "--always", "--dirty", "--match", "v*")
	return time.Unix(seconds, 0).UTC(), strings.TrimPrefix(version, "v"), err
}

// file is an entry of an archive.
type file struct {
	name string
	mode int64
	data []byte
}

// archive builds the command for a system, and returns the name and the content of its archive.
func archive(temp, system, version string, when time.Time) (name string, data []byte, err error) {
	if system == npm {
		return packageOf(version, when)
	}
	goos, arch, ok := strings.Cut(system, "/")
	if !ok {
		return "", nil, errors.New("a system is GOOS/GOARCH, or npm")
	}
	program := "meadow"
	if goos == "windows" {
		program += ".exe"
	}
	path := filepath.Join(temp, program)
	env := append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+arch)
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -X main.released="+version, "-o", path, "./cmd/meadow")
	build.Env = env
	if out, err := build.CombinedOutput(); err != nil {
		return "", nil, fmt.Errorf("go build: %w: %s", err, out)
	}
	licences, err := licences(env)
	if err != nil {
		return "", nil, err
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return "", nil, err
	}
	files := []file{{program, 0o755, content}, {"LICENSES-MODULES", 0o644, licences}}
	for _, paper := range papers {
		text, err := os.ReadFile(filepath.FromSlash(paper))
		if err != nil {
			return "", nil, err
		}
		files = append(files, file{filepath.Base(paper), 0o644, text})
	}
	stem := fmt.Sprintf("meadow-%s-%s-%s", version, goos, arch)
	for i := range files {
		files[i].name = stem + "/" + files[i].name
	}
	slices.SortFunc(files, func(a, b file) int { return cmp.Compare(a.name, b.name) })
	if goos == "windows" {
		data, err = zipped(files, when)
		return stem + ".zip", data, err
	}
	data, err = tarred(files, when)
	return stem + ".tar.gz", data, err
}

// packageOf returns the name and the content of the npm package. Its modules are some of the command's.
func packageOf(version string, when time.Time) (name string, data []byte, err error) {
	if !strings.Contains(version, ".") {
		version = "0.0.0-" + version // a commit without a tag before it
	}
	content, err := view.NPM(version)
	if err != nil {
		return "", nil, err
	}
	modules, err := licences(append(os.Environ(), "CGO_ENABLED=0"))
	if err != nil {
		return "", nil, err
	}
	files := []file{{"package/LICENSES-MODULES", 0o644, modules}}
	for name, data := range content {
		files = append(files, file{"package/" + name, 0o644, data})
	}
	text, err := os.ReadFile("LICENSE")
	if err != nil {
		return "", nil, err
	}
	files = append(files, file{"package/LICENSE", 0o644, text})
	slices.SortFunc(files, func(a, b file) int { return cmp.Compare(a.name, b.name) })
	data, err = tarred(files, when)
	return "meadow-nav-" + version + ".tgz", data, err
}

// licences returns the licences of the modules that the command links, and that of Go.
func licences(env []string) ([]byte, error) {
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}", "./cmd/meadow")
	list.Env = env
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	lines := slices.Compact(slices.Sorted(strings.Lines(string(out))))
	lines = append(lines, "Go\tstandard library\t"+strings.TrimSpace(string(root))+"\n")
	var b bytes.Buffer
	for _, line := range lines {
		parts := strings.Split(strings.TrimSpace(line), "\t")
		if len(parts) != 3 {
			continue // a package of the main module or of the standard library
		}
		var found []string
		for _, name := range []string{"LICENSE*", "COPYING*", "NOTICE*"} {
			some, err := filepath.Glob(filepath.Join(parts[2], name))
			if err != nil {
				return nil, err
			}
			found = append(found, some...)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("module %s has no licence", parts[0])
		}
		for _, path := range found {
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, "=== %s %s: %s\n\n%s\n", parts[0], parts[1], filepath.Base(path), text)
		}
	}
	return b.Bytes(), nil
}

// tarred packs files with equal owners and times.
func tarred(files []file, when time.Time) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	t := tar.NewWriter(z)
	for _, f := range files {
		if err := t.WriteHeader(&tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.data)), ModTime: when, Format: tar.FormatUSTAR}); err != nil {
			return nil, err
		}
		if _, err := t.Write(f.data); err != nil {
			return nil, err
		}
	}
	err = errors.Join(t.Close(), z.Close())
	return b.Bytes(), err
}

// zipped packs files with equal times.
func zipped(files []file, when time.Time) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: when}
		h.SetMode(os.FileMode(f.mode))
		w, err := z.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}
