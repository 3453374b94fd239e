package main

import (
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress draws how far long work is on one line of a terminal. The nil progress draws nothing.
type progress struct {
	out   io.Writer
	mu    sync.Mutex // stages report from many goroutines
	stage string
	bar   *progressbar.ProgressBar
}

// newProgress returns a progress on stderr when that is a terminal, else nil.
func newProgress(stderr io.Writer) *progress {
	f, ok := stderr.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return &progress{out: stderr}
}

// callback returns the library's callback, nil without drawing.
func (p *progress) callback() func(stage string, done, total int) {
	if p == nil {
		return nil
	}
	return p.show
}

// tell draws how far a stage is; the nil progress draws nothing.
func (p *progress) tell(stage string, done, total int) {
	if p != nil {
		p.show(stage, done, total)
	}
}

func (p *progress) show(stage string, done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar == nil || stage != p.stage {
		p.clear()
		p.stage = stage
		p.bar = progressbar.NewOptions(max(total, 1),
			progressbar.OptionSetWriter(p.out),
			progressbar.OptionSetDescription(stage),
			progressbar.OptionSetWidth(30),
			progressbar.OptionSetRenderBlankState(true),
			progressbar.OptionSetPredictTime(false),
			progressbar.OptionSetElapsedTime(false),
			progressbar.OptionThrottle(50*time.Millisecond),
			progressbar.OptionClearOnFinish(),
		)
	}
	// A bar that cannot be drawn is no reason to stop the work.
	_ = p.bar.Set(min(done, total))
}

// stop removes the line.
func (p *progress) stop() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

func (p *progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
		p.bar = nil
	}
}
