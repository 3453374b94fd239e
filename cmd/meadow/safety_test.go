package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/internal/race"
)

// asCommand is set for child processes of tests, which are the command.
const asCommand = "MEADOW_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}

// TestInternalErrors: a panic, wherever it happens, is one line with its own exit status.
func TestInternalErrors(t *testing.T) {
	for name, f := range map[string]func() int{
		"here":    func() int { panic("broken\nin two lines") },
		"a fault": func() int { var p *int; return *p },
		"elsewhere": func() int {
			_ = par.For(context.Background(), 4, 8, func(int) error { panic(errors.New("broken")) })
			return 0
		},
	} {
		var errs bytes.Buffer
		t.Setenv("MEADOW_STACK", "")
		if code := guard(&errs, f); code != exitInternal {
			t.Errorf("%s: exit %d", name, code)
		}
		if got := errs.String(); !strings.HasPrefix(got, "meadow: internal error: ") || !strings.HasSuffix(got, "; please report it\n") || strings.Count(got, "\n") != 1 {
			t.Errorf("%s: %q", name, got)
		}
		errs.Reset()
		t.Setenv("MEADOW_STACK", "1")
		guard(&errs, f)
		if !strings.Contains(errs.String(), "TestInternalErrors") {
			t.Errorf("%s: no stack: %q", name, errs.String())
		}
	}
	if code := guard(os.Stderr, func() int { return exitNo }); code != exitNo {
		t.Errorf("without a panic: exit %d", code)
	}
}

// TestErrorsAreOneShortLine: whatever a file contains, its error is one line and harms no terminal.
func TestErrorsAreOneShortLine(t *testing.T) {
	race.Skip(t)
	dir := t.TempDir()
	t.Chdir(dir)
	long := strings.Repeat("x", 1<<20)
	files := map[string]string{
		"keys.yaml":    "terrain: 1\n" + strings.Repeat("\"\\e[31m"+strings.Repeat("k", 100)+"\": 1\n", 5000),
		"control.obj":  "v 1 \x1b[31m\a 2\n",
		"type.geojson": `{"type":"` + long + `"}`,
		"name.gltf":    `{"asset":{"version":"2.0"},"extensionsRequired":["` + long + `"]}`,
		"box.obj":      "v 0 0 0\nv 9 0 0\nv 0 0 -9\nf 1 2 3\n",
	}
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"build", "control.obj", "-o", "a.mesh"},
		{"build", "type.geojson", "-o", "a.mesh"},
		{"build", "name.gltf", "-o", "a.mesh"},
		{"build", "box.obj", "-o", "a.mesh", "--terrain", "keys.yaml"},
		{"build", "box.obj", "-o", "a.mesh", "--max-bytes", "10"},
		{"build", "box.obj", "-o", "a.mesh", "--max-triangles", "-1"},
		{"build", long + ".obj", "-o", "a.mesh"},
	} {
		var out, errs bytes.Buffer
		code := run(t.Context(), args, &out, &errs)
		got := errs.String()
		if code != exitBad || strings.Count(got, "\n") != 1 || len(got) > maxLine+500 || strings.ContainsAny(got, "\x1b\a") {
			t.Errorf("%.40s: exit %d, %d bytes: %.300q", args, code, len(got), got)
		}
	}
	var errs bytes.Buffer
	run(t.Context(), []string{"build", "box.obj", "-o", "a.mesh", "--max-bytes", "10"}, &errs, &errs)
	if got := errs.String(); !strings.Contains(got, "more than 10 bytes; --max-bytes and --max-triangles are the limits") {
		t.Errorf("the flag is not named: %s", got)
	}
}

// TestSignalEndsCommands starts commands, interrupts them at several moments, and waits for the end. The bound is far
// above a second, for machines that are busy; MEADOW_SIGNALS=1 takes all commands, larger inputs, and prints the times.
func TestSignalEndsCommands(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("no signals here")
	}
	t.Chdir(t.TempDir())
	all := os.Getenv("MEADOW_SIGNALS") != ""
	rooms, moments := "40", []time.Duration{30 * time.Millisecond}
	if all {
		rooms, moments = "120", []time.Duration{10 * time.Millisecond, 300 * time.Millisecond, 2 * time.Second}
	}
	var out, errs bytes.Buffer
	for _, args := range []string{"gen rooms --size " + rooms + " -o in.obj", "build in.obj -o in.mesh"} {
		if code := run(t.Context(), strings.Fields(args), &out, &errs); code != exitDone {
			t.Fatalf("%s: exit %d: %s", args, code, &errs)
		}
	}
	fifo := "endless.obj"
	if err := exec.Command("mkfifo", fifo).Run(); err != nil {
		t.Skip("no pipes with a name here: ", err)
	}
	commands := []string{
		"build " + fifo + " -o out.mesh", // which waits for a writer that never comes
		"bench queries in.mesh --count 100000000",
	}
	if all {
		commands = append(commands,
			"build in.obj -o out.mesh", "build in.obj -o out.mesh --extractor raster --radius 0.1", "build in.obj -o out.mesh --extractor brep",
			"build in.obj -o out.mesh --generator best", "check in.mesh", "check in.mesh --level in.obj", "metrics in.mesh", "compare in.obj -o out.svg",
			"render in.mesh -o out.png --width 8000", "convert in.obj out.glb", "widen in.mesh -o wide.mesh --radius 0.4", "terrain in.obj", "demo",
			"reproduce all", "gen maze --size 900 -o out.obj", "path in.mesh --from 1,0,1 --to 9,0,9",
		)
	}
	for _, line := range commands {
		for _, moment := range moments {
			took, code, said := interrupted(t, strings.Fields(line), moment)
			if all {
				fmt.Printf("%8v until the signal, %6v until the end, exit %3d: %s\n", moment, took.Round(time.Millisecond), code, line)
			}
			if took > 5*time.Second {
				t.Errorf("%s: ends %v after the signal", line, took)
			}
			if code != exitInterrupted && !all {
				t.Errorf("%s: exit %d: %s", line, code, said)
			}
		}
	}
	if left, _ := filepath.Glob("*.tmp"); len(left) > 0 && !all {
		t.Errorf("left behind: %v", left)
	}
}

// interrupted runs a command as a process and returns how long it lives after an interrupt. On a busy machine a process may take seconds
// until it handles signals. Where the signal itself ends the process, the command runs again and gets the signal later.
func interrupted(t *testing.T, args []string, after time.Duration) (took time.Duration, code int, said string) {
	t.Helper()
	const killed = -1 // by a signal without a handler
	for start := 100 * time.Millisecond; start < 10*time.Second; start *= 2 {
		if took, code, said = interruptedAt(t, args, start+after); code != killed {
			break
		}
	}
	return took, code, said
}

func interruptedAt(t *testing.T, args []string, moment time.Duration) (took time.Duration, code int, said string) {
	t.Helper()
	var errs bytes.Buffer
	c := exec.Command(os.Args[0], args...)
	c.Env, c.Stderr = append(os.Environ(), asCommand+"=1"), &errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	killer := time.AfterFunc(time.Minute, func() { c.Process.Kill() })
	defer killer.Stop()
	time.Sleep(moment)
	start := time.Now()
	if err := c.Process.Signal(syscall.SIGINT); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	_ = c.Wait() // its status says all
	return time.Since(start), c.ProcessState.ExitCode(), errs.String()
}
