package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
)

// TestScripts runs every testdata/*.txt in a separate folder. A script is a list of lines:
//
//	run ARGS            runs the program in this process; words in '…' keep their blanks
//	pipe FILE ARGS      runs the program with a file as its standard input
//	keep NAME           makes a file of standard output
//	exit N              the status of the last run; a run that no exit line follows must give 0
//	out RE, err RE      standard output, standard error match; "out -" means that it is empty
//	!out RE, !err RE    … do not match
//	line                standard error is exactly one line
//	keys A B …          standard output is a JSON object with exactly these keys, in this order
//	json PATH VALUE     the value at PATH (a.b.0) of that object, as JSON; VALUE "*" is anything
//	file NAME, !file    there is such a file, there is none
//	files A B …         these are all files, in order
//	write NAME TEXT     makes a file; \n in TEXT is a line end
//	cut NAME N          keeps the first N bytes of a file
//	flip NAME N         inverts the byte at N
//	same A B            two files are equal
//	mkdir NAME          makes a folder
//
// Blank lines and lines that begin with # are ignored.
func TestScripts(t *testing.T) {
	race.Skip(t)
	scripts, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range scripts {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		t.Run(name, func(t *testing.T) {
			if !slices.Contains([]string{"tiles", "world"}, name) {
				race.Skip(t) // the tests of the packages run the goroutines of other commands
			}
			runScript(t, file)
		})
	}
}

// TestLongScripts runs the scripts that take long.
func TestLongScripts(t *testing.T) {
	if !slow.Enabled() {
		t.Skip("takes long: make laws runs these scripts")
	}
	race.Skip(t)
	scripts, err := filepath.Glob(filepath.Join("testdata", "long", "*.txt"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { runScript(t, file) })
	}
}

func runScript(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	s := script{t: t}
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		s.where = fmt.Sprintf("%s:%d: %s", filepath.Base(file), i+1, line)
		s.step(line)
	}
	s.checkExit()
}

// script is the state of a script.
type script struct {
	t       *testing.T
	where   string
	ran     string // where the last run stands, "" when its status was checked
	status  int
	out     bytes.Buffer
	err     bytes.Buffer
	decoded any
}

func (s *script) fail(format string, args ...any) {
	s.t.Helper()
	s.t.Errorf("%s\n\t%s\n\tstdout: %s\n\tstderr: %s", s.where, fmt.Sprintf(format, args...), &s.out, &s.err)
}

func (s *script) checkExit() {
	s.t.Helper()
	if s.ran != "" && s.status != 0 {
		s.where = s.ran
		s.fail("exit %d", s.status)
	}
	s.ran = ""
}

// run runs the program.
func (s *script) run(args []string) {
	s.t.Helper()
	s.checkExit()
	s.out.Reset()
	s.err.Reset()
	s.decoded = nil
	s.ran = s.where
	s.status = run(s.t.Context(), args, &s.out, &s.err)
}

func (s *script) step(line string) {
	s.t.Helper()
	verb, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	args := split(rest)
	switch verb {
	case "run":
		s.run(args)
	case "pipe":
		f, err := os.Open(args[0])
		s.must(err)
		before := os.Stdin
		os.Stdin = f
		s.run(args[1:])
		os.Stdin = before
		s.must(f.Close())
	case "keep":
		s.must(os.WriteFile(rest, s.out.Bytes(), 0o666))
	case "exit":
		s.ran = ""
		if strconv.Itoa(s.status) != rest {
			s.fail("exit %d", s.status)
		}
	case "out", "err", "!out", "!err":
		text := s.out.String()
		if strings.HasSuffix(verb, "err") {
			text = s.err.String()
		}
		matched := text == ""
		if rest != "-" {
			matched = regexp.MustCompile("(?m)" + rest).MatchString(text)
		}
		if matched == strings.HasPrefix(verb, "!") {
			s.fail("matched: %v", matched)
		}
	case "line":
		if n := strings.Count(s.err.String(), "\n"); n != 1 || !strings.HasSuffix(s.err.String(), "\n") {
			s.fail("%d lines", n)
		}
		if word := saidTwice(s.err.String()); word != "" {
			s.fail("%q is said twice", word)
		}
	case "keys":
		if got := keysOf(s.out.Bytes()); !slices.Equal(got, args) {
			s.fail("keys %q", got)
		}
	case "json":
		s.json(args)
	case "file", "!file":
		_, err := os.Stat(rest)
		if (err == nil) != (verb == "file") {
			s.fail("stat: %v", err)
		}
	case "files":
		if got := allFiles(s.t); !slices.Equal(got, args) {
			s.fail("there are %q", got)
		}
	case "write":
		text := strings.TrimSpace(strings.TrimPrefix(rest, args[0]))
		s.must(os.WriteFile(args[0], []byte(strings.ReplaceAll(text, `\n`, "\n")), 0o666))
	case "cut", "flip":
		n, err := strconv.Atoi(args[1])
		s.must(err)
		data, err := os.ReadFile(args[0])
		s.must(err)
		if verb == "cut" {
			data = data[:n]
		} else {
			data[n] ^= 0xff
		}
		s.must(os.WriteFile(args[0], data, 0o666))
	case "same":
		a, err := os.ReadFile(args[0])
		s.must(err)
		b, err := os.ReadFile(args[1])
		s.must(err)
		if !bytes.Equal(a, b) {
			s.fail("%d and %d bytes, not equal", len(a), len(b))
		}
	case "mkdir":
		s.must(os.MkdirAll(rest, 0o777))
	default:
		s.t.Fatalf("%s: no such verb", s.where)
	}
}

// saidTwice returns a bare word between colons that a line of standard error repeats, or has from the name of the command; "" for none.
func saidTwice(line string) string {
	parts := strings.Split(strings.TrimSpace(line), ": ")
	said := strings.Fields(parts[0])
	for _, part := range parts[1:] {
		if slices.Contains(said, part) {
			return part
		}
		if regexp.MustCompile(`^[a-z]+$`).MatchString(part) {
			said = append(said, part)
		}
	}
	return ""
}

func (s *script) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatalf("%s: %v", s.where, err)
	}
}

// json compares the value at a path.
func (s *script) json(args []string) {
	s.t.Helper()
	if s.decoded == nil {
		if err := json.Unmarshal(s.out.Bytes(), &s.decoded); err != nil {
			s.fail("not JSON: %v", err)
			return
		}
	}
	v := s.decoded
	for step := range strings.SplitSeq(args[0], ".") {
		switch at := v.(type) {
		case map[string]any:
			next, ok := at[step]
			if !ok {
				s.fail("no %q", step)
				return
			}
			v = next
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(at) {
				s.fail("no element %q of %d", step, len(at))
				return
			}
			v = at[i]
		default:
			s.fail("%q: nothing below %v", step, v)
			return
		}
	}
	got, err := json.Marshal(v)
	s.must(err)
	if want := strings.Join(args[1:], " "); want != "*" && want != string(got) {
		s.fail("it is %s", got)
	}
}

// keysOf lists the keys of a JSON object in written order.
func keysOf(text []byte) []string {
	dec := json.NewDecoder(bytes.NewReader(text))
	var keys []string
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil
		}
		keys = append(keys, fmt.Sprint(key))
		var skip json.RawMessage
		if dec.Decode(&skip) != nil {
			return nil
		}
	}
	return keys
}

// allFiles lists the files below the working folder, sorted, with slashes.
func allFiles(t *testing.T) []string {
	t.Helper()
	var names []string
	err := filepath.Walk(".", func(name string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// split cuts a line into words; blanks inside of '…' belong to the word.
func split(line string) []string {
	var words []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		var word string
		if quoted, ok := strings.CutPrefix(line, "'"); ok {
			word, line, _ = strings.Cut(quoted, "'")
		} else {
			word, line, _ = strings.Cut(line, " ")
		}
		words = append(words, word)
	}
	return words
}
