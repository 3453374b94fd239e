package main

import (
	"fmt"
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
	begun time.Time
	stage string // of the last call, with its numbers
	done  int
	total int
	bar   *progressbar.ProgressBar
}

// stages says in words which stage of the library works. Names that are missing here are names of generators.
var stages = map[string]string{
	"free floor": "finding walkable triangles",
	"edges":      "finding the edges of the floor",
	"radius":     "keeping the radius from walls",
	"borders":    "joining the floor",
	"voxels":     "filling cells",
	"union":      "uniting solids",
	"decompose":  "cutting the floor into regions",
	"tiles":      "building tiles",
	"steps":      "moving the crowd",
	"changes":    "changing the world",
}

// told returns the words for a stage, and the time since the beginning of all stages.
func told(stage string, since time.Duration) string {
	words, ok := stages[stage]
	if !ok {
		words = "running " + stage
	}
	return fmt.Sprintf("%s, %v", words, since.Round(time.Second/10))
}

// newProgress returns a progress on stderr when that is a terminal, else nil.
func newProgress(stderr io.Writer) *progress {
	f, ok := stderr.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return &progress{out: stderr, begun: time.Now()}
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
	// Stages that count on together share a bar.
	if p.bar == nil || stage != p.stage && (total != p.total || done < p.done) {
		p.clear()
		p.bar = progressbar.NewOptions(max(total, 1),
			progressbar.OptionSetWriter(p.out),
			progressbar.OptionSetDescription(told(stage, time.Since(p.begun))),
			progressbar.OptionShowCount(),
			progressbar.OptionSetWidth(30),
			progressbar.OptionSetRenderBlankState(true),
			progressbar.OptionSetPredictTime(false),
			progressbar.OptionSetElapsedTime(false),
			progressbar.OptionThrottle(50*time.Millisecond),
			progressbar.OptionClearOnFinish(),
		)
	}
	p.stage, p.done, p.total = stage, done, total
	p.bar.Describe(told(stage, time.Since(p.begun)))
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
