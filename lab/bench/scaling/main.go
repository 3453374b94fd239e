// Scaling measures how the time and memory of methods grow with the number of obstacle vertices, and
// that the size of an empty world does not matter to them.
//
//	go run ./lab/bench/scaling > scaling.md
//
// Every figure comes from a separate process on one core, so no method pays for the memory of another. The
// program prints tables in Markdown with exponents by least squares.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/lab/internal/bench"
)

func main() { bench.Main("scaling", run) }

// settings are the flags.
type settings struct {
	methods []string
	kinds   []string
	most    int
	limit   time.Duration
	slice   time.Duration
	one     string
}

// compared are the methods with a promise of near-linear time.
var compared = []string{"wavefront", "delaunay", "hertelmehlhorn", "anavmg", "best"}

func run(ctx context.Context, args []string, out, log io.Writer) error {
	s, err := parse(args, log)
	if err != nil {
		return err
	}
	if s.one != "" {
		return child(ctx, s, out)
	}
	r := results{settings: s}
	var failed []error
	for _, kind := range s.kinds {
		for _, method := range s.methods {
			for _, n := range sizes(s.most) {
				f, err := s.measured(ctx, task{kind, method, n})
				if err != nil {
					return err
				}
				fmt.Fprintf(log, "%s, %s: %v\n", kind, method, f)
				if f.Failed != "" {
					failed = append(failed, fmt.Errorf("%s, %s: %v", kind, method, f))
					break // larger ones would fail all the more
				}
				r.figures = append(r.figures, f)
			}
		}
	}
	for _, method := range s.methods {
		for k := range empties {
			f, err := s.measured(ctx, task{emptyWorld, method, k})
			if err != nil {
				return err
			}
			if f.Failed != "" {
				failed = append(failed, fmt.Errorf("%s, %s: %v", emptyWorld, method, f))
				continue
			}
			r.figures = append(r.figures, f)
		}
	}
	return errors.Join(append(failed, r.markdown(out))...)
}

func parse(args []string, log io.Writer) (settings, error) {
	var s settings
	f := bench.NewFlags("scaling", log)
	methods := f.String("generators", "", "`names` of generators, separated by commas; by default "+strings.Join(compared, ", "))
	kinds := f.String("kinds", "scatter,blocks,comb", "`names` of kinds of worlds: "+strings.Join(kindNames(), ", "))
	f.IntVar(&s.most, "most", 1_000_000, "vertices of the largest world")
	f.DurationVar(&s.limit, "limit", 10*time.Minute, "a figure that takes longer is left out, and all larger ones")
	f.DurationVar(&s.slice, "slice", 2*time.Second, "no run of a figure begins after this long")
	f.StringVar(&s.one, "one", "", "measure one `task` and print it as JSON: kind,method,size")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	s.methods = slices.DeleteFunc(slices.Clone(compared), func(name string) bool { return !slices.Contains(catalog.Names(), name) })
	if *methods != "" {
		s.methods = strings.Split(*methods, ",")
	}
	for _, name := range s.methods {
		if _, err := catalog.Generator(name); err != nil {
			return s, err
		}
	}
	s.kinds = strings.Split(*kinds, ",")
	for _, name := range s.kinds {
		if worlds[name] == nil {
			return s, fmt.Errorf("unknown worlds %q; worlds: %s", name, strings.Join(kindNames(), ", "))
		}
	}
	if s.most < smallest || s.limit <= 0 {
		return s, fmt.Errorf("worlds of up to %d vertices, %v each: at least %d, and a limit", s.most, s.limit, smallest)
	}
	return s, nil
}

// task is the work of one process: size vertices of a kind, or empty world number size.
type task struct {
	Kind, Method string
	Size         int
}

func parseTask(text string) (t task, err error) {
	parts := strings.Split(text, ",")
	if len(parts) != 3 {
		return t, fmt.Errorf("invalid task %q", text)
	}
	t.Kind, t.Method = parts[0], parts[1]
	t.Size, err = strconv.Atoi(parts[2])
	return t, err
}

// measured lets a separate process measure a task.
func (s *settings) measured(ctx context.Context, t task) (figure, error) {
	program, err := os.Executable()
	if err != nil {
		return figure{}, err
	}
	limited, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	c := exec.CommandContext(limited, program, "-slice", s.slice.String(), "-one", fmt.Sprintf("%s,%s,%d", t.Kind, t.Method, t.Size))
	c.Stderr = os.Stderr
	c.Env = append(os.Environ(), "GOMAXPROCS=1")
	text, err := c.Output()
	switch {
	case ctx.Err() != nil:
		return figure{}, ctx.Err()
	case limited.Err() != nil:
		return figure{task: t, Failed: fmt.Sprintf("took longer than %v", s.limit)}, nil
	case err != nil:
		return figure{task: t, Failed: "failed: " + err.Error()}, nil
	}
	f := figure{}
	err = json.Unmarshal(text, &f)
	f.task = t
	return f, err
}

// child measures one task and prints its figure.
func child(ctx context.Context, s settings, out io.Writer) error {
	t, err := parseTask(s.one)
	if err != nil {
		return err
	}
	f, err := measure(ctx, t, s.slice)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(f)
}
