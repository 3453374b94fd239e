package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
)

// TestHelpFitsScreen: --help of every command has at most 54 lines of 80 columns, --help-all has every flag, and bare meadow lists every
// command.
func TestHelpFitsScreen(t *testing.T) {
	race.Skip(t)
	const most = 54
	var c commands
	parser, err := grammar(&c, io.Discard, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	bare := helpOf(t)
	for _, leaf := range parser.Model.Leaves(false) {
		if !strings.Contains(bare, "  "+leaf.Path()+" ") {
			t.Errorf("bare meadow does not list %s", leaf.Path())
		}
		words := strings.Fields(leaf.Path())
		short, whole := helpOf(t, append(words, "--help")...), helpOf(t, append(words, "--help-all")...)
		kinds := leaf.Detail != "" // gen lists the kinds of levels
		if lines := strings.Count(short, "\n"); lines > most && !kinds {
			t.Errorf("%s --help has %d lines", leaf.Path(), lines)
		}
		missing := 0
		for _, flags := range leaf.AllFlags(true) {
			for _, f := range flags {
				flag := regexp.MustCompile(`--` + f.Name + `[=\s]`)
				if !flag.MatchString(whole) {
					t.Errorf("%s --help-all lacks --%s", leaf.Path(), f.Name)
				}
				if !flag.MatchString(short) {
					missing++
				}
			}
		}
		if told := strings.Contains(short, "--help-all shows "+count(missing, "flag")+" more"); told != (missing > 0) {
			t.Errorf("%s --help leaves out %d flags, and tells so: %v", leaf.Path(), missing, told)
		}
	}
}

// helpOf returns the standard output of a run that must succeed.
func helpOf(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(t.Context(), args, &out, &errs); code != exitDone || errs.Len() > 0 {
		t.Fatalf("meadow %s: exit %d: %s", strings.Join(args, " "), code, &errs)
	}
	return out.String()
}

// TestCompletionInBash: after the printed code a bash completes commands, flags and values of the real program.
func TestCompletionInBash(t *testing.T) {
	race.Skip(t)
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	folder := t.TempDir()
	program := filepath.Join(folder, "meadow")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v: %s", err, out)
	}
	ask := func(line string) string {
		// The function that bash would run for a tab: COMP_LINE and COMP_POINT in the environment of the command behind -C.
		script := `eval "$(meadow completion bash)"; command=$(complete -p meadow | sed "s/.*-C '\(.*\)' meadow/\1/"); COMP_LINE="$1" COMP_POINT=${#1} "$command"`
		cmd := exec.Command(bash, "-c", script, "bash", line)
		cmd.Env = append(os.Environ(), "PATH="+folder+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		return " " + strings.Join(strings.Fields(string(out)), " ") + " "
	}
	for line, want := range map[string]string{
		"meadow bu":                   "build",
		"meadow build --con":          "--convex-distance",
		"meadow build --generator p":  "pasfv",
		"meadow gen tow":              "tower",
		"meadow completion z":         "zsh",
		"meadow build --units m":      "mm m",
		"meadow build --up z":         "z",
		"meadow build --extractor t":  "topview",
		"meadow build --extractor br": "brep brand",
	} {
		if got := ask(line); got != " "+want+" " {
			t.Errorf("%q completes to %q, want %q", line, got, want)
		}
	}
	if got := ask("meadow build "); strings.Contains(got, "reproduce") {
		t.Errorf("a command is offered for a level: %q", got)
	}
}
