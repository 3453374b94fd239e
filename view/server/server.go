// Package server shows levels in a browser on the same machine: it serves one page, which opens and builds levels by the requests of
// [workbench], and answers the requests at native speed, with progress, until the page gives up.
//
// Nobody else shall drive it. The server listens on the loopback address unless told otherwise; the page's address has a secret; and a
// request needs the secret's address, a token that only the page knows, the server's own name in Host, and the page's own origin. So
// pages of other origins, other users of the machine, and names that lead elsewhere tomorrow (DNS rebinding) get nothing. The server
// reads no file by request: uploads stay in memory.
package server

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/view"
	"github.com/meadow-nav/meadow/view/workbench"
)

// Options say what a server shows and how much it takes. The zero value shows an empty page.
type Options struct {
	// Page has the title and the texts for browsers that cannot draw.
	Page view.Page
	// Begin opens what each page begins with, again for each page that is opened; nil for an empty page. Args are those of the request
	// begin: a JSON value, or empty.
	Begin func(ctx context.Context, b *workbench.Bench, args json.RawMessage) (workbench.Reply, error)
	// Limits bound what files may come to. A request may have as many bytes, and a megabyte more for its value.
	Limits level.Limits
	// MaxBenches is how many pages have a level of their own; 0 is [DefaultBenches]. One more takes the place of the page that was idle
	// longest.
	MaxBenches int
}

// DefaultBenches is the usual number of pages with a level of their own.
const DefaultBenches = 8

// Limits of a connection. A request over the loopback takes no time worth mentioning, but slow machines exist.
const (
	maxHeader     = 16 << 10
	headerTime    = 10 * time.Second
	bodyTime      = 5 * time.Minute
	idleTime      = 2 * time.Minute
	endTime       = 300 * time.Millisecond // for requests that run when the server ends
	progressTime  = 40 * time.Millisecond  // between two frames of progress
	maxArgs       = 1 << 20
	maxReading    = 2  // bodies that are read at the same time
	maxPageName   = 64 // bytes of a page's name
	tokenHeader   = "X-Meadow-Token"
	sessionHeader = "X-Meadow-Page"
)

// Server serves pages. Make one with [New].
type Server struct {
	opt     Options
	secret  string // of the address
	token   string // of the page
	page    []byte
	policy  string
	benches benches
	reading chan struct{}
}

// New makes a server with a secret and a token of its own. Errors are those of the page.
func New(opt Options) (*Server, error) {
	if opt.Limits.Bytes == 0 {
		opt.Limits.Bytes = level.DefaultBytes
	}
	if opt.MaxBenches == 0 {
		opt.MaxBenches = DefaultBenches
	}
	if opt.Limits.Bytes < 0 || opt.MaxBenches < 0 {
		return nil, fmt.Errorf("server: %d bytes a request and %d pages, must be above 0", opt.Limits.Bytes, opt.MaxBenches)
	}
	s := &Server{opt: opt, secret: rand.Text(), token: rand.Text(), reading: make(chan struct{}, maxReading)}
	s.benches = benches{most: opt.MaxBenches, limits: opt.Limits}
	var out bytes.Buffer
	policy, err := view.WriteServed(&out, opt.Page, view.Served{Token: s.token, Begun: opt.Begin != nil, Most: opt.Limits.Bytes})
	if err != nil {
		return nil, err
	}
	s.page, s.policy = out.Bytes(), policy+"; frame-ancestors 'none'"
	return s, nil
}

// Address returns the address of the page for browsers.
func (s *Server) Address(l net.Listener) string {
	a := l.Addr().String()
	if at, err := netip.ParseAddrPort(a); err == nil && at.Addr().IsUnspecified() {
		a = fmt.Sprintf("127.0.0.1:%d", at.Port())
	}
	return "http://" + a + "/" + s.secret + "/"
}

// Serve answers until the context ends, and then ends the requests that run. Its error is that of the listener.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	base, end := context.WithCancel(ctx)
	defer end()
	h := &http.Server{
		Handler: s.Handler(l.Addr()), MaxHeaderBytes: maxHeader, ReadHeaderTimeout: headerTime, ReadTimeout: bodyTime, IdleTimeout: idleTime,
		BaseContext: func(net.Listener) context.Context { return base },
	}
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		<-base.Done()
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
		defer cancel()
		if h.Shutdown(late) != nil {
			h.Close()
		}
	}()
	err := h.Serve(l)
	end()
	<-stopped
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Handler answers requests to a listener at an address.
func (s *Server) Handler(at net.Addr) http.Handler {
	hosts := hostsOf(at)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		h.Set("X-Frame-Options", "DENY")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		if !hosts(r.Host) {
			http.Error(w, "this server is not called "+r.Host, http.StatusMisdirectedRequest)
			return
		}
		rest, ok := strings.CutPrefix(r.URL.Path, "/")
		secret, rest, slash := strings.Cut(rest, "/")
		if !ok || !slash || !same(secret, s.secret) {
			http.Error(w, "open the address that meadow view printed", http.StatusNotFound)
			return
		}
		name, deed := strings.CutPrefix(rest, "do/")
		switch {
		case rest == "":
			s.servePage(w, r)
		case deed && name != "":
			s.do(w, r, name)
		default:
			http.Error(w, "nothing is here", http.StatusNotFound)
		}
	})
}

// hostsOf returns whether a request's Host is a name of the server. On all addresses of the machine, every number is a name, because only
// names can be made to lead elsewhere.
func hostsOf(at net.Addr) func(string) bool {
	addr, err := netip.ParseAddrPort(at.String())
	if err != nil {
		return func(string) bool { return false }
	}
	port := fmt.Sprint(addr.Port())
	own := []string{addr.String()}
	if addr.Addr().IsLoopback() || addr.Addr().IsUnspecified() {
		own = append(own, "localhost:"+port)
	}
	return func(host string) bool {
		if slices.Contains(own, host) {
			return true
		}
		if !addr.Addr().IsUnspecified() {
			return false
		}
		a, err := netip.ParseAddrPort(host)
		return err == nil && a.Port() == addr.Port()
	}
}

// same compares without telling by its time how far two texts agree.
func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

func (s *Server) servePage(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "the page is read by GET", http.StatusMethodNotAllowed)
		return
	}
	// Browsers say what they load a page for. Images, scripts and frames of other pages need none of it.
	if dest := r.Header.Get("Sec-Fetch-Dest"); dest != "" && dest != "document" {
		http.Error(w, "the page is no part of another page", http.StatusForbidden)
		return
	}
	h := w.Header()
	h.Set("Content-Security-Policy", s.policy)
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Length", fmt.Sprint(len(s.page)))
	if r.Method == http.MethodGet {
		w.Write(s.page)
	}
}

// refuse returns why a request to do something is not the page's own, with a status, or 0.
func (s *Server) refuse(r *http.Request) (status int, why string) {
	switch {
	case r.Method != http.MethodPost:
		return http.StatusMethodNotAllowed, "requests are made by POST"
	case r.Header.Get("Origin") != "http://"+r.Host:
		return http.StatusForbidden, "the request is from another origin"
	case r.Header.Get("Sec-Fetch-Site") != "" && r.Header.Get("Sec-Fetch-Site") != "same-origin":
		return http.StatusForbidden, "the request is from another site"
	case !same(r.Header.Get(tokenHeader), s.token):
		return http.StatusForbidden, "the page is of another start of meadow view: open its address again"
	case r.Header.Get("Content-Type") != "application/octet-stream":
		return http.StatusUnsupportedMediaType, "the request is not application/octet-stream"
	case r.Header.Get(sessionHeader) == "" || len(r.Header.Get(sessionHeader)) > maxPageName:
		return http.StatusBadRequest, "the request does not name its page"
	case r.ContentLength > s.opt.Limits.Bytes+maxArgs:
		return http.StatusRequestEntityTooLarge, s.tooLarge()
	}
	return 0, ""
}

func (s *Server) tooLarge() string {
	return fmt.Sprintf("the files have more than %d bytes together, which is the limit (--max-bytes)", s.opt.Limits.Bytes)
}

// do answers a request: its body is the length of a JSON value as 4 bytes, the value, and bytes. The answer is a row of frames, each a
// letter, a length as 4 bytes, and that many bytes: P for progress, then E for an error, or A for the answer and B for its bytes.
func (s *Server) do(w http.ResponseWriter, r *http.Request, name string) {
	if status, why := s.refuse(r); status != 0 {
		http.Error(w, why, status)
		return
	}
	request, status, err := s.read(w, r, name)
	if err != nil {
		http.Error(w, err.Error(), status)
		return
	}
	bench, err := s.benches.take(r.Context(), r.Header.Get(sessionHeader))
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	defer s.benches.give(bench)
	w.Header().Set("Content-Type", "application/octet-stream")
	out := frames{w: w, control: http.NewResponseController(w)}
	reply, err := s.answer(r.Context(), bench.bench, request, out.progress)
	var answer []byte
	if err == nil {
		answer, err = json.Marshal(reply.Answer)
	}
	if err != nil {
		text, _ := json.Marshal(err.Error())
		out.frame('E', text)
		return
	}
	out.frame('A', answer)
	out.frame('B', reply.Body)
}

// answer asks the bench. The request begin is the server's own.
func (s *Server) answer(ctx context.Context, b *workbench.Bench, r workbench.Request, tell workbench.Tell) (workbench.Reply, error) {
	if r.Name != "begin" {
		return b.Do(ctx, r, tell)
	}
	if s.opt.Begin == nil {
		return workbench.Reply{}, errors.New("no file was named for this page")
	}
	return s.opt.Begin(ctx, b, r.Args)
}

// read reads a request, of which few are in memory half read at the same time.
func (s *Server) read(w http.ResponseWriter, r *http.Request, name string) (workbench.Request, int, error) {
	bad := func(status int, format string, args ...any) (workbench.Request, int, error) {
		return workbench.Request{}, status, fmt.Errorf(format, args...)
	}
	select {
	case s.reading <- struct{}{}:
		defer func() { <-s.reading }()
	case <-r.Context().Done():
		return bad(http.StatusServiceUnavailable, "stopped")
	}
	body := http.MaxBytesReader(w, r.Body, s.opt.Limits.Bytes+maxArgs)
	var length [4]byte
	if _, err := io.ReadFull(body, length[:]); err != nil {
		return bad(http.StatusBadRequest, "the request has no length: %w", err)
	}
	n := binary.LittleEndian.Uint32(length[:])
	all, err := readAll(body, r.ContentLength-int64(len(length)))
	if errors.As(err, new(*http.MaxBytesError)) {
		return bad(http.StatusRequestEntityTooLarge, "%s", s.tooLarge())
	}
	if err != nil {
		return bad(http.StatusBadRequest, "the request ends early: %w", err)
	}
	if int(n) > len(all) {
		return bad(http.StatusBadRequest, "the value of the request has %d bytes of %d", len(all), n)
	}
	return workbench.Request{Name: name, Args: json.RawMessage(all[:n]), Body: all[n:]}, 0, nil
}

// readAll reads to the end. size is a hint, negative without one; memory grows with what has come.
func readAll(r io.Reader, size int64) ([]byte, error) {
	var all bytes.Buffer
	if size > 0 {
		all.Grow(int(min(size, 1<<20)))
	}
	_, err := all.ReadFrom(r)
	return all.Bytes(), err
}

// frames writes an answer in pieces.
type frames struct {
	w       io.Writer
	control *http.ResponseController
	lock    sync.Mutex // for told and failed, and so that frames stay whole
	told    time.Time
	failed  bool
}

// frame writes and sends a piece. After a failure it writes nothing: the page is gone.
func (f *frames) frame(kind byte, data []byte) {
	f.lock.Lock()
	defer f.lock.Unlock()
	if f.failed {
		return
	}
	head := binary.LittleEndian.AppendUint32([]byte{kind}, uint32(len(data)))
	_, err := f.w.Write(head)
	if err == nil {
		_, err = f.w.Write(data)
	}
	if err == nil {
		err = f.control.Flush()
	}
	f.failed = err != nil
}

// due reports whether the page has heard nothing for a while, and takes now for the last time it heard.
func (f *frames) due(now time.Time) bool {
	f.lock.Lock()
	defer f.lock.Unlock()
	if now.Sub(f.told) < progressTime {
		return false
	}
	f.told = now
	return true
}

// progress tells the page how far a request is, not more often than people see. A build calls it from any goroutine.
func (f *frames) progress(stage string, done, total int) {
	if !f.due(time.Now()) {
		return
	}
	text, err := json.Marshal(struct {
		Stage string `json:"stage"`
		Done  int    `json:"done"`
		Total int    `json:"total"`
	}{stage, done, total})
	if err == nil {
		f.frame('P', text)
	}
}
