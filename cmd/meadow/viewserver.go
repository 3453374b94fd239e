package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/meadow-nav/meadow/view"
	"github.com/meadow-nav/meadow/view/server"
	"github.com/meadow-nav/meadow/view/workbench"
)

// loopback is the address that only programs on the same machine reach.
const loopback = "127.0.0.1"

// serve shows a page until Ctrl-C, which is the usual end and no error.
func (c *viewCmd) serve(e *env) error {
	limits, err := c.limits()
	if err != nil {
		return err
	}
	opt := server.Options{Limits: limits, Page: view.Page{Context: e.ctx, Title: "Meadow"}}
	if c.File != "" {
		opt.Page.Title = filepath.Base(c.File)
		// A wrong file is an error before anything is served.
		if _, err := c.begin(e, workbench.New(), nil); err != nil {
			return err
		}
		opt.Begin = func(ctx context.Context, b *workbench.Bench, args json.RawMessage) (workbench.Reply, error) {
			return c.begin(&env{ctx: ctx, stdout: e.stdout, stderr: io.Discard}, b, args)
		}
	}
	s, err := server.New(opt)
	if err != nil {
		return err
	}
	if c.Port < 0 || c.Port > 65535 {
		return fmt.Errorf("--port is %d, must be 0 to 65535", c.Port)
	}
	listener, err := new(net.ListenConfig).Listen(e.ctx, "tcp", net.JoinHostPort(c.Listen, strconv.Itoa(c.Port)))
	if err != nil {
		return fmt.Errorf("--listen and --port: %w", err)
	}
	address := s.Address(listener)
	fmt.Fprintf(e.stdout, "%s\n", address)
	if at, ok := listener.Addr().(*net.TCPAddr); ok && !at.IP.IsLoopback() {
		fmt.Fprintf(e.stderr, "warning: other machines reach this server too; whoever knows the address may use it\n")
	}
	fmt.Fprintf(e.stderr, "The page is served until Ctrl-C.\n")
	if c.Open {
		if err := browse(address); err != nil {
			fmt.Fprintf(e.stderr, "warning: no browser starts (%v): open the address yourself\n", err)
		}
	}
	return s.Serve(e.ctx, listener)
}

// begin opens the file of the command line on a bench, as it is now: whoever saves the level and reloads the page sees the new one. args may
// say another unit and axis than the command line.
func (c *viewCmd) begin(e *env, b *workbench.Bench, args json.RawMessage) (workbench.Reply, error) {
	flags, err := c.with(args)
	if err != nil {
		return workbench.Reply{}, err
	}
	kind, err := kindOf(c.File)
	if err != nil {
		return workbench.Reply{}, err
	}
	name := filepath.Base(c.File)
	if kind != "level" {
		mesh, err := c.shownMesh(e, kind)
		if err != nil {
			return workbench.Reply{}, err
		}
		lvl, err := c.levelBelow()
		if err != nil {
			return workbench.Reply{}, err
		}
		return b.ShowMesh(name, kind, mesh, lvl)
	}
	if c.Level != "" {
		return workbench.Reply{}, fmt.Errorf("%s: is no mesh; --level needs one", c.File)
	}
	in, err := flags.openInput(c.File, false)
	if err != nil {
		return workbench.Reply{}, err
	}
	in.tell(e.stderr, c.File)
	if in.plane != nil {
		return b.ShowMap(name, in.plane)
	}
	scale, err := flags.scale()
	if err != nil {
		return workbench.Reply{}, err
	}
	return b.ShowLevel(name, in.level, scale, flags.Up)
}

// with returns the flags of the level with the fields scale and up of a request.
func (c *viewCmd) with(args json.RawMessage) (levelFlags, error) {
	flags := c.levelFlags
	var by struct {
		Scale float64 `json:"scale"`
		Up    string  `json:"up"`
	}
	if len(args) == 0 {
		return flags, nil
	}
	if err := json.Unmarshal(args, &by); err != nil {
		return flags, fmt.Errorf("begin: %w", err)
	}
	if by.Scale != 0 {
		scale := number(by.Scale)
		flags.Scale, flags.Units = &scale, ""
	}
	axis, err := workbench.AxisOf(by.Up)
	if by.Up != "" {
		flags.Up = axis
	}
	return flags, err
}

// browse opens an address in the system's browser.
func browse(address string) error {
	words := []string{"xdg-open"}
	switch runtime.GOOS {
	case "darwin":
		words = []string{"open"}
	case "windows":
		words = []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	// The browser outlives the command that starts it.
	command := exec.Command(words[0], append(words[1:], address)...)
	if err := command.Start(); err != nil {
		return err
	}
	go command.Wait()
	return nil
}
