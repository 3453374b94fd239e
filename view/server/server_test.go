package server_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/view"
	"github.com/meadow-nav/meadow/view/server"
	"github.com/meadow-nav/meadow/view/workbench"
)

// running is a server with what its page knows.
type running struct {
	t       *testing.T
	address string // of the page
	host    string
	token   string
}

// serve starts a server on the loopback address, and ends it with the test.
func serve(t *testing.T, opt server.Options) *running {
	t.Helper()
	opt.Page.Title = "Meadow"
	s, err := server.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	r := &running{t: t, address: s.Address(l), host: l.Addr().String()}
	status, header, page := r.send(r.request("GET", r.address, ""))
	if status != http.StatusOK {
		t.Fatalf("the page has status %d: %s", status, page)
	}
	for name, want := range map[string]string{
		"Content-Security-Policy": "connect-src 'self'", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "X-Frame-Options": "DENY",
		"Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
	} {
		if !strings.Contains(header.Get(name), want) {
			t.Errorf("header %s is %q, want %q in it", name, header.Get(name), want)
		}
	}
	for _, want := range []string{"default-src 'none'", "frame-ancestors 'none'", "form-action 'none'", "base-uri 'none'"} {
		if !strings.Contains(header.Get("Content-Security-Policy"), want) {
			t.Errorf("the policy %q lacks %q", header.Get("Content-Security-Policy"), want)
		}
	}
	m := regexp.MustCompile(`"token":"(\w+)"`).FindStringSubmatch(page)
	if m == nil {
		t.Fatal("the page has no token")
	}
	r.token = m[1]
	return r
}

func (r *running) request(method, address, body string) *http.Request {
	r.t.Helper()
	q, err := http.NewRequestWithContext(r.t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	return q
}

// deed is a request as the page makes it.
func (r *running) deed(page, name string, args any, body []byte) *http.Request {
	r.t.Helper()
	value, err := json.Marshal(args)
	if err != nil {
		r.t.Fatal(err)
	}
	all := binary.LittleEndian.AppendUint32(nil, uint32(len(value)))
	q := r.request("POST", r.address+"do/"+name, string(all)+string(value)+string(body))
	q.Header.Set("Origin", "http://"+r.host)
	q.Header.Set("Content-Type", "application/octet-stream")
	q.Header.Set("X-Meadow-Token", r.token)
	q.Header.Set("X-Meadow-Page", page)
	return q
}

func (r *running) send(q *http.Request) (int, http.Header, string) {
	r.t.Helper()
	answer, err := http.DefaultClient.Do(q)
	if err != nil {
		r.t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return answer.StatusCode, answer.Header, string(data)
}

// reply is an answer in frames.
type reply struct {
	progress int
	kinds    string // without progress
	answer   string
	fault    string
	body     string
}

func (r *running) do(q *http.Request) reply {
	r.t.Helper()
	status, _, data := r.send(q)
	if status != http.StatusOK {
		r.t.Fatalf("%s: status %d: %s", q.URL.Path, status, data)
	}
	var out reply
	for len(data) > 0 {
		if len(data) < 5 || len(data)-5 < int(binary.LittleEndian.Uint32([]byte(data[1:5]))) {
			r.t.Fatalf("%s: %d bytes are no frame", q.URL.Path, len(data))
		}
		n := 5 + int(binary.LittleEndian.Uint32([]byte(data[1:5])))
		kind, text := data[0], data[5:n]
		data = data[n:]
		switch kind {
		case 'P':
			out.progress++
			continue
		case 'A':
			out.answer = text
		case 'B':
			out.body = text
		case 'E':
			if err := json.Unmarshal([]byte(text), &out.fault); err != nil {
				r.t.Fatal(err)
			}
		}
		out.kinds += string(kind)
	}
	return out
}

func file(name string, size int) map[string]any {
	return map[string]any{"files": []map[string]any{{"name": name, "size": size}}}
}

// TestAnswersAreTheWorkbenchs: the server gives a page the answers of the workbench, byte for byte, and each page has a level of
// its own.
func TestAnswersAreTheWorkbenchs(t *testing.T) {
	r := serve(t, server.Options{})
	plate, err := os.ReadFile(filepath.Join("..", "workbench", "testdata", "plate.obj"))
	if err != nil {
		t.Fatal(err)
	}
	own := workbench.New()
	same := func(name string, args any, body []byte) {
		t.Helper()
		value, _ := json.Marshal(args)
		want, err := own.Do(t.Context(), workbench.Request{Name: name, Args: value, Body: body}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := r.do(r.deed("first", name, args, body))
		if got.kinds != "AB" || got.body != string(want.Body) {
			t.Errorf("%s: frames %q with %d bytes (%s), want an answer with %d", name, got.kinds, len(got.body), got.fault, len(want.Body))
		}
	}
	same("open", file("plate.obj", len(plate)), plate)
	if got := r.do(r.deed("first", "build", map[string]any{"radius": 0.3}, nil)); !strings.Contains(got.answer, `"regions":`) || len(got.body) < 1000 {
		t.Errorf("built %s", got.answer)
	}
	if got := r.do(r.deed("second", "build", nil, nil)); got.kinds != "E" || !strings.Contains(got.fault, "no level is open") {
		t.Errorf("another page builds the level of the first: %+v", got)
	}
	if got := r.do(r.deed("first", "open", file("bad.obj", 6), []byte("v 1 x\n"))); !strings.Contains(got.fault, "bad.obj") || !strings.Contains(got.fault, "1") {
		t.Errorf("the error of a malformed file is %q, without its place", got.fault)
	}
	if got := r.do(r.deed("first", "begin", nil, nil)); got.kinds != "E" {
		t.Errorf("a server without a file begins with %q", got.answer)
	}
	if got := r.do(r.deed("first", "path", map[string]any{"from": []float64{1, 0, 1}, "to": []float64{9, 0, 9}, "reach": 2}, nil)); !strings.Contains(got.answer, `"complete":true`) {
		t.Errorf("after errors, the mesh is gone: %+v", got)
	}
}

// TestNobodyElse: without one of the page's proofs, or with another value, a request does nothing. Each case spoils one thing of a request
// that is otherwise the page's own, so a check that is missing shows.
func TestNobodyElse(t *testing.T) {
	r := serve(t, server.Options{Limits: level.Limits{Bytes: 1 << 10}})
	r.do(r.deed("page", "generate", map[string]any{"kind": "arch"}, nil))
	set := func(name, value string) func(*http.Request) {
		return func(q *http.Request) { q.Header.Set(name, value) }
	}
	address := func(from, to string) func(*http.Request) {
		return func(q *http.Request) { q.URL.Path = strings.Replace(q.URL.Path, from, to, 1) }
	}
	_, port, err := net.SplitHostPort(r.host)
	if err != nil {
		t.Fatal(err)
	}
	secret := regexp.MustCompile(`^/(\w+)/$`).FindStringSubmatch(strings.TrimPrefix(r.address, "http://"+r.host))[1]
	for _, c := range []struct {
		name   string
		status int
		spoil  func(*http.Request)
	}{
		{"whole", 200, func(*http.Request) {}},
		{"by localhost", 200, func(q *http.Request) { q.Host = "localhost:" + port; q.Header.Set("Origin", "http://"+q.Host) }},
		{"rebound name", 421, func(q *http.Request) { q.Host = "evil.example:" + port; q.Header.Set("Origin", "http://"+q.Host) }},
		{"name without port", 421, func(q *http.Request) { q.Host = "127.0.0.1"; q.Header.Set("Origin", "http://"+q.Host) }},
		{"another origin", 403, set("Origin", "http://evil.example")},
		{"another port", 403, set("Origin", "http://127.0.0.1:1")},
		{"no origin", 403, func(q *http.Request) { q.Header.Del("Origin") }},
		{"origin of a file", 403, set("Origin", "null")},
		{"https", 403, set("Origin", "https://"+r.host)},
		{"another site", 403, set("Sec-Fetch-Site", "cross-site")},
		{"another port of the site", 403, set("Sec-Fetch-Site", "same-site")},
		{"no token", 403, func(q *http.Request) { q.Header.Del("X-Meadow-Token") }},
		{"another token", 403, set("X-Meadow-Token", "x"+r.token[1:])},
		{"part of the token", 403, set("X-Meadow-Token", r.token[:len(r.token)-1])},
		{"form", 415, set("Content-Type", "text/plain")},
		{"form with files", 415, set("Content-Type", "multipart/form-data")},
		{"no page", 400, func(q *http.Request) { q.Header.Del("X-Meadow-Page") }},
		{"long page", 400, set("X-Meadow-Page", strings.Repeat("x", 65))},
		{"read", 405, func(q *http.Request) { q.Method = "GET" }},
		{"question before", 405, func(q *http.Request) { q.Method = "OPTIONS"; q.Header.Set("Access-Control-Request-Method", "POST") }},
		{"no secret", 404, address("/"+secret, "")},
		{"another secret", 404, address(secret, "x"+secret[1:])},
		{"folder", 404, address("do/kinds", "../../etc/passwd")},
		{"folder of the page", 404, address("do/kinds", "dist/client.js.gz")},
		{"request with a path", 200, address("do/kinds", "do/../../etc/passwd")}, // a name that no request has
	} {
		q := r.deed("page", "kinds", nil, nil)
		c.spoil(q)
		status, header, text := r.send(q)
		if status != c.status {
			t.Errorf("%s: status %d, want %d: %.200s", c.name, status, c.status, text)
		}
		for name := range header {
			if strings.HasPrefix(name, "Access-Control-") {
				t.Errorf("%s: the answer has the header %s", c.name, name)
			}
		}
		if c.status != 200 && strings.Contains(text, r.token) || c.name == "request with a path" && text[0] != 'E' {
			t.Errorf("%s: the answer is %.200q", c.name, text)
		}
		if header.Get("X-Content-Type-Options") != "nosniff" || header.Get("X-Frame-Options") != "DENY" {
			t.Errorf("%s: an answer without the headers of all answers", c.name)
		}
	}
	for dest, want := range map[string]int{"document": 200, "iframe": 403, "image": 403, "script": 403, "empty": 403} {
		q := r.request("GET", r.address, "")
		q.Header.Set("Sec-Fetch-Dest", dest)
		if status, _, _ := r.send(q); status != want {
			t.Errorf("the page as %s has status %d, want %d", dest, status, want)
		}
	}
}

// TestBounds: too many bytes are refused before they are read, also without a length in the header, and so are values longer than the request
// and headers without an end. The limit is told.
func TestBounds(t *testing.T) {
	r := serve(t, server.Options{Limits: level.Limits{Bytes: 1000}})
	large := bytes.Repeat([]byte("v 0 0 0\n"), 1<<18)
	status, _, text := r.send(r.deed("page", "open", file("a.obj", len(large)), large))
	if status != http.StatusRequestEntityTooLarge || !strings.Contains(text, "1000") {
		t.Errorf("%d bytes: status %d: %s", len(large), status, text)
	}
	q := r.deed("page", "open", file("a.obj", len(large)), large)
	q.ContentLength, q.TransferEncoding = -1, []string{"chunked"}
	if status, _, _ := r.send(q); status != http.StatusRequestEntityTooLarge {
		t.Errorf("%d bytes in pieces: status %d", len(large), status)
	}
	// A body that is announced too large and never comes is refused at once.
	never, feed := io.Pipe()
	defer feed.Close()
	q = r.deed("page", "open", file("a.obj", 1), nil)
	q.Body, q.ContentLength = never, 1<<40
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if answer, err := http.DefaultClient.Do(q.WithContext(ctx)); err != nil || answer.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a terabyte that never comes: %v, %v", answer, err)
	} else {
		answer.Body.Close()
	}
	small := large[:1200]
	if got := r.do(r.deed("page", "open", file("a.obj", len(small)), small)); got.kinds != "E" || !strings.Contains(got.fault, "1000") {
		t.Errorf("a file of %d bytes, where 1000 are allowed: %+v", len(small), got)
	}
	for name, body := range map[string]string{"nothing": "", "half a length": "\x01\x00", "a long value": "\xff\x00\x00\x00{}", "an endless value": "\xff\xff\xff\xff{}"} {
		q := r.deed("page", "kinds", nil, nil)
		q.Body, q.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
		if status, _, text := r.send(q); status != http.StatusBadRequest && status != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: status %d: %.100s", name, status, text)
		}
	}
	q = r.deed("page", "kinds", nil, nil)
	q.Header.Set("X-Long", strings.Repeat("x", 64<<10))
	if status, _, _ := r.send(q); status != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("a header of 64 kB: status %d", status)
	}
}

// TestFewPages: the page that was idle longest gives way to one more, and hears of it once.
func TestFewPages(t *testing.T) {
	r := serve(t, server.Options{MaxBenches: 2})
	arch := map[string]any{"kind": "arch"}
	r.do(r.deed("a", "generate", arch, nil))
	r.do(r.deed("b", "generate", arch, nil))
	r.do(r.deed("a", "kinds", nil, nil))
	r.do(r.deed("c", "kinds", nil, nil))
	if got := r.do(r.deed("a", "build", nil, nil)); got.kinds != "AB" {
		t.Errorf("the page that was used last has lost its level: %+v", got)
	}
	if status, _, text := r.send(r.deed("b", "build", nil, nil)); status != http.StatusServiceUnavailable || !strings.Contains(text, "2 newer pages") {
		t.Errorf("the idle page: status %d: %s", status, text)
	}
	if got := r.do(r.deed("b", "build", nil, nil)); !strings.Contains(got.fault, "no level is open") {
		t.Errorf("the idle page, again: %+v", got)
	}
}

// TestBegin: the file of the command line is read anew for each page, and its error is the page's.
func TestBegin(t *testing.T) {
	opened := 0
	r := serve(t, server.Options{Page: view.Page{}, Begin: func(ctx context.Context, b *workbench.Bench, args json.RawMessage) (workbench.Reply, error) {
		if opened++; opened == 3 {
			return workbench.Reply{}, fmt.Errorf("level.obj:7: no number")
		}
		return b.Do(ctx, workbench.Request{Name: "generate", Args: []byte(`{"kind":"arch"}`)}, nil)
	}})
	for _, page := range []string{"a", "b"} {
		if got := r.do(r.deed(page, "begin", nil, nil)); got.kinds != "AB" || !strings.Contains(got.answer, "arch") {
			t.Errorf("page %s begins with %+v", page, got)
		}
		if got := r.do(r.deed(page, "build", nil, nil)); got.kinds != "AB" {
			t.Errorf("page %s: %+v", page, got)
		}
	}
	if got := r.do(r.deed("c", "begin", nil, nil)); got.fault != "level.obj:7: no number" {
		t.Errorf("a wrong file: %+v", got)
	}
}

// TestCancel: progress arrives while a build runs; when the page gives up, the build ends, and the page's next request is answered. The mesh
// from before stays.
func TestCancel(t *testing.T) {
	r := serve(t, server.Options{})
	r.do(r.deed("page", "generate", map[string]any{"kind": "random", "seed": 2, "size": 120}, nil))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	q := r.deed("page", "build", map[string]any{"generator": "wavefront"}, nil).WithContext(ctx)
	answer, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	kind := make([]byte, 1)
	if _, err := io.ReadFull(answer.Body, kind); err != nil || kind[0] != 'P' {
		t.Fatalf("the first frame is %q, %v; want progress", kind, err)
	}
	// One request at a time: the next one waits for the build.
	soon, give := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer give()
	if early, err := http.DefaultClient.Do(r.deed("page", "kinds", nil, nil).WithContext(soon)); err == nil {
		early.Body.Close()
		t.Error("a request is answered while another one of its page runs")
	}
	cancel()
	began := time.Now()
	if got := r.do(r.deed("page", "build", map[string]any{"radius": 1e9}, nil)); got.kinds != "E" {
		t.Errorf("a wrong radius builds: %s", got.answer)
	}

	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("the request after the cancelled one waits for %v", took)
	}
	if got := r.do(r.deed("page", "save", nil, nil)); !strings.Contains(got.fault, "no mesh") {
		t.Errorf("a cancelled build left a mesh of %d bytes: %.200s", len(got.body), got.fault)
	}
}

// TestEnd: a server ends with its context, also while a page builds, and within the patience of the command.
func TestEnd(t *testing.T) {
	s, err := server.New(server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	c, err := net.Dial("tcp", l.Addr().String()) // a connection without a request
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	cancel()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("the server goes on")
	}
}
