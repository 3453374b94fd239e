package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
)

// TestPagesNameCommands: every command on a page, in a block or within a sentence, exists: its name and flags for meadow,
// its folder for go, its target for make. `make docs-commands` runs the blocks.
func TestPagesNameCommands(t *testing.T) {
	race.Skip(t)
	root := filepath.Join("..", "..")
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	flags := commandFlags(t)
	seen := 0
	for _, page := range pages(t, root) {
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		for _, words := range pageCommands(string(text)) {
			seen++
			if fault := commandFault(root, string(makefile), flags, words); fault != "" {
				t.Errorf("%s: %s: %s", page, strings.Join(words, " "), fault)
			}
		}
	}
	if seen < 100 {
		t.Fatalf("only %d commands found", seen)
	}
}

// TestPageCommandsBite gives the check wrong commands.
func TestPageCommandsBite(t *testing.T) {
	race.Skip(t)
	root := filepath.Join("..", "..")
	flags := commandFlags(t)
	text := "`meadow build LEVEL --method best`, `meadow biuld`, `go test ./nothing -run X`, `make nothing`\n" +
		"```sh\nmeadow path x.mesh --wide 2\n```\n`meadow build LEVEL --jobs 1`, `go vet ./cmd/...`, `make check`, `meadow.Build`, `meadow bench queries --count 5`"
	commands := pageCommands(text)
	if len(commands) != 9 {
		t.Fatalf("got %q", commands)
	}
	for _, words := range commands {
		bad := slices.Contains(words, "--method") || slices.Contains(words, "biuld") || slices.Contains(words, "nothing") ||
			slices.Contains(words, "./nothing") || slices.Contains(words, "--wide")
		if fault := commandFault(root, "check: all\n", flags, words); (fault != "") != bad {
			t.Errorf("%q: %q", words, fault)
		}
	}
}

// pages lists the pages at the root and in docs; the changelog names removed flags.
func pages(t *testing.T, root string) []string {
	t.Helper()
	var all []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && name != "docs" && !strings.HasPrefix(name, "docs/"):
			return fs.SkipDir
		case path.Ext(name) == ".md" && name != "CHANGELOG.md":
			all = append(all, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var (
	codeBlock  = regexp.MustCompile("(?ms)^```sh\n(.*?)^```")
	anyBlock   = regexp.MustCompile("(?ms)^```.*?^```$")
	codeInline = regexp.MustCompile("`([^`]+)`")
	comment    = regexp.MustCompile(`(?:^|\s)#.*`)
)

// pageCommands returns the words of the commands of a page, those in blocks first.
func pageCommands(text string) [][]string {
	var lines []string
	for _, m := range codeBlock.FindAllStringSubmatch(text, -1) {
		for line := range strings.Lines(m[1]) {
			lines = append(lines, comment.ReplaceAllString(line, ""))
		}
	}
	for _, m := range codeInline.FindAllStringSubmatch(anyBlock.ReplaceAllString(text, ""), -1) {
		lines = append(lines, m[1])
	}
	var all [][]string
	for _, line := range lines {
		for part := range strings.SplitSeq(line, "&&") {
			words := strings.Fields(part)
			if len(words) > 1 && slices.Contains([]string{"meadow", "go", "make"}, words[0]) {
				all = append(all, words)
			}
		}
	}
	return all
}

// commandFlags returns the flags of every command and of every group of commands, by the path of its name.
func commandFlags(t *testing.T) map[string][]string {
	t.Helper()
	var c commands
	parser, err := grammar(&c, io.Discard, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for _, group := range parser.Model.Children {
		for _, n := range append(group.Children, group) {
			for _, f := range append(n.Flags, parser.Model.Flags...) {
				all[n.Path()] = append(all[n.Path()], "--"+f.Name)
				if f.Short != 0 {
					all[n.Path()] = append(all[n.Path()], "-"+string(f.Short))
				}
			}
		}
	}
	return all
}

// commandFault returns why a command does not exist, "" if it does.
func commandFault(root, makefile string, flags map[string][]string, words []string) string {
	switch words[0] {
	case "meadow":
		if !regexp.MustCompile(`^[a-z]+$`).MatchString(words[1]) {
			return "" // the name of something else
		}
		name := words[1]
		if len(words) > 2 && flags[name+" "+words[2]] != nil {
			name += " " + words[2]
		}
		known := flags[name]
		if known == nil {
			return "no such command"
		}
		for _, w := range words[2:] {
			flag, _, _ := strings.Cut(w, "=")
			if regexp.MustCompile(`^--?[a-z]`).MatchString(flag) && !slices.Contains(known, flag) {
				return fmt.Sprintf("no flag %s", flag)
			}
		}
	case "go":
		for _, w := range words[1:] {
			folder, _, _ := strings.Cut(w, "...")
			if !strings.HasPrefix(w, "./") || strings.ContainsAny(w, "$") {
				continue
			}
			if info, err := os.Stat(filepath.Join(root, filepath.FromSlash(folder))); err != nil || !info.IsDir() {
				return fmt.Sprintf("no folder %s", w)
			}
		}
	case "make":
		for _, w := range words[1:] {
			if regexp.MustCompile(`^[a-z-]+$`).MatchString(w) && !strings.HasPrefix(w, "-") && !strings.Contains("\n"+makefile, "\n"+w+":") {
				return fmt.Sprintf("no target %s", w)
			}
		}
	}
	return ""
}
