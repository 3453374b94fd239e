package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// streams are files that stand for standard input and output while a command runs. On the command line a stream is
// "-", or FORMAT:- where an extension would tell the format, as in "png:-".
type streams struct {
	folder  string // temporary; "" without streams
	in, out string // paths in folder, "" for none
}

// maxStream bounds standard input, in bytes. The limits of the formats are lower by default.
const maxStream = 1 << 30

// The flags that name files to write, and a stream on the command line, alone or behind such a flag.
var (
	writes = regexp.MustCompile(`^(-o|--(out|report|page|tracks|chart|winner))$`)
	piped  = regexp.MustCompile(`^(-o|--[a-z]+=)?(?:([a-z0-9]+):)?-$`)
)

// openStreams replaces the streams of a command line by files, and fills the file of standard input.
func openStreams(args []string, stdin io.Reader) (s streams, changed []string, err error) {
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	changed = args
	for i, arg := range args {
		m := piped.FindStringSubmatch(arg)
		if m == nil {
			continue
		}
		if s.folder == "" {
			changed = append([]string(nil), args...)
			if s.folder, err = os.MkdirTemp("", "meadow-"); err != nil {
				return s, nil, err
			}
		}
		written := writes.MatchString(strings.TrimSuffix(m[1], "=")) || i > 0 && writes.MatchString(args[i-1]) || args[0] == "convert" && i == lastWord(args)
		file, standard := &s.in, "stdin"
		if written {
			file, standard = &s.out, "stdout"
		}
		if *file != "" {
			return s, nil, fmt.Errorf("%q: a command line has one %s", arg, map[bool]string{false: "standard input", true: "standard output"}[written])
		}
		*file = filepath.Join(s.folder, standard)
		switch {
		case m[2] != "":
			*file += "." + m[2]
		case written:
			*file += ".mesh"
		}
		changed[i] = m[1] + *file
	}
	if s.in == "" {
		return s, changed, nil
	}
	f, err := os.Create(s.in)
	if err != nil {
		return s, nil, err
	}
	defer f.Close()
	switch n, err := io.Copy(f, io.LimitReader(stdin, maxStream+1)); {
	case err != nil:
		return s, nil, fmt.Errorf("standard input: %w", err)
	case n == 0:
		return s, nil, errors.New("standard input: is empty")
	case n > maxStream:
		return s, nil, fmt.Errorf("standard input: more than %d bytes", maxStream)
	}
	return s, changed, f.Close()
}

// lastWord returns the index of the last argument that is no flag: the output of convert.
func lastWord(args []string) int {
	last := 0
	for i, arg := range args {
		if !strings.HasPrefix(arg, "--") {
			last = i
		}
	}
	return last
}

// send copies the file of standard output, if the command has made one.
func (s *streams) send(stdout io.Writer) error {
	if s.out == "" {
		return nil
	}
	f, err := os.Open(s.out)
	if err != nil {
		return nil // an answer of no has no file
	}
	defer f.Close()
	if _, err := io.Copy(stdout, f); err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	return nil
}

// close removes the files.
func (s *streams) close() {
	if s.folder != "" {
		os.RemoveAll(s.folder) // a temporary folder that stays is no reason to fail
	}
}

// named returns a writer to w that calls the files by the names of their streams.
func (s *streams) named(w io.Writer) io.Writer {
	if s.folder == "" {
		return w
	}
	var pairs []string
	if s.in != "" {
		pairs = append(pairs, s.in, "standard input")
	}
	if s.out != "" {
		pairs = append(pairs, s.out, "standard output")
	}
	return renaming{strings.NewReplacer(pairs...), w}
}

// renaming replaces texts within single writes.
type renaming struct {
	names *strings.Replacer
	w     io.Writer
}

func (r renaming) Write(b []byte) (int, error) {
	if _, err := io.WriteString(r.w, r.names.Replace(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}
