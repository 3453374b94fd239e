package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/meadow-nav/meadow/view/workbench"
)

// heard is an output that another goroutine reads.
type heard struct {
	lock sync.Mutex
	text bytes.Buffer
}

func (h *heard) Write(p []byte) (int, error) {
	h.lock.Lock()
	defer h.lock.Unlock()
	return h.text.Write(p)
}

func (h *heard) String() string {
	h.lock.Lock()
	defer h.lock.Unlock()
	return h.text.String()
}

// TestViewServes: the command prints the address of a page on the loopback, which answers, and ends with status 0 when it is stopped.
func TestViewServes(t *testing.T) {
	t.Chdir(t.TempDir())
	if code := run(t.Context(), strings.Fields("gen arch -o arch.obj"), io.Discard, io.Discard); code != exitDone {
		t.Fatal(code)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out, errs heard
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, []string{"view", "arch.obj"}, &out, &errs) }()
	address := regexp.MustCompile(`(?m)^http://127\.0\.0\.1:\d+/\w{26}/$`)
	began := time.Now()
	for !address.MatchString(out.String()) {
		if time.Since(began) > time.Minute {
			t.Fatalf("no address: %q, %q", &out, &errs)
		}
		time.Sleep(time.Millisecond)
	}
	answer, err := http.Get(address.FindString(out.String()))
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || !bytes.Contains(page, []byte(`"opened":true`)) || !bytes.Contains(page, []byte("<title>arch.obj</title>")) {
		t.Errorf("the page is %d bytes, %v", len(page), err)
	}
	if bytes.Contains(page, []byte("meadow-build")) || len(page) > 400_000 {
		t.Errorf("the page has %d bytes, want 400 kB without Meadow as WebAssembly", len(page))
	}
	cancel()
	select {
	case code := <-ended:
		if code != exitDone {
			t.Errorf("exit %d: %s", code, &errs)
		}
	case <-time.After(time.Minute):
		t.Fatal("the server goes on")
	}
}

// TestViewBegins: each page begins with the file as it is now, in the unit that the flags or the page say; a mesh comes with its level, and a
// wrong file with the error of the command.
func TestViewBegins(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range []string{"gen arch -o arch.obj", "build arch.obj -o arch.mesh"} {
		if code := run(t.Context(), strings.Fields(args), io.Discard, io.Discard); code != exitDone {
			t.Fatal(args, code)
		}
	}
	e := &env{ctx: t.Context(), stdout: io.Discard, stderr: io.Discard}
	begin := func(c *viewCmd, args string) (workbench.Opened, []byte, error) {
		reply, err := c.begin(e, workbench.New(), json.RawMessage(args))
		opened, _ := reply.Answer.(workbench.Opened)
		return opened, reply.Body, err
	}
	level := &viewCmd{File: "arch.obj"}
	opened, usual, err := begin(level, "")
	if err != nil || opened.Kind != "level" || opened.Triangles != 744 || opened.Name != "arch.obj" {
		t.Errorf("opened %+v, %v", opened, err)
	}
	small := number(0.5)
	_, scaled, err := begin(&viewCmd{File: "arch.obj", levelFlags: levelFlags{Scale: &small}}, "")
	if err != nil || bytes.Equal(scaled, usual) {
		t.Errorf("--scale changes nothing: %v", err)
	}
	if _, asked, err := begin(level, `{"scale":0.5}`); err != nil || !bytes.Equal(asked, scaled) {
		t.Errorf("the page's unit is another one than the flag's: %v", err)
	}
	if _, _, err := begin(level, `{"up":"w"}`); err == nil {
		t.Error("an axis w is up")
	}
	if opened, _, err := begin(&viewCmd{File: "arch.mesh", Level: "arch.obj"}, ""); err != nil || opened.Kind != "mesh" || opened.Triangles != 744 {
		t.Errorf("a mesh with its level: %+v, %v", opened, err)
	}
	if err := os.WriteFile("arch.obj", []byte("v 1 1 1\nv 1 x 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := begin(level, ""); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("the error of a file that has become wrong is %v", err)
	}
}

// TestFilesOfLevels: a page takes the parts of a level along, and nothing outside of the level's folder.
func TestFilesOfLevels(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	for name, text := range map[string]string{
		"in/plate.obj":       "mtllib parts/plate.mtl\nusemtl red\nv -10 0 -10\nv -10 0 10\nv 10 0 10\nv 10 0 -10\nf 1 2 3 4\n",
		"in/parts/plate.mtl": "newmtl red\nKd 1 0 0\n",
		"secret.mtl":         "newmtl red\nKd 1 0 0\n",
		"in/outside.obj":     "mtllib ../secret.mtl\nusemtl red\nv -10 0 -10\nv -10 0 10\nv 10 0 10\nv 10 0 -10\nf 1 2 3 4\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	name, data, parts, err := filesOf("in/plate.obj", 0, 0)
	if err != nil || name != "plate.obj" || len(data) == 0 || len(parts) != 1 || parts[0].Name != "parts/plate.mtl" || len(parts[0].Data) == 0 {
		t.Errorf("%s with %d bytes and parts %v, %v", name, len(data), parts, err)
	}
	if _, _, parts, _ := filesOf("in/outside.obj", 0, 0); len(parts) != 0 {
		t.Errorf("parts from outside: %v", parts)
	}
}
