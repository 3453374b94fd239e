// Package bench holds the parts that the programs in lab/bench share: the main function, flags, limits of time, and files
// of finished work.
package bench

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"time"
)

// Main calls run with the arguments of the process and a context that an interrupt cancels. An error is printed behind
// the program's name, and the exit status is 1.
func Main(name string, run func(ctx context.Context, args []string, out, log io.Writer) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

// Flags are the flags of a program.
type Flags struct{ *flag.FlagSet }

// NewFlags returns the flags of a program; faults are written to log.
func NewFlags(name string, log io.Writer) Flags {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(log)
	return Flags{f}
}

// Parse reads the arguments. A positional argument is an error.
func (f Flags) Parse(args []string) error {
	if err := f.FlagSet.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return fmt.Errorf("unexpected %q", f.Arg(0))
	}
	return nil
}

// Limited returns the result of f, whose context ends after limit. If f panics, or returns later than grace after the
// limit, Limited returns the result of failed; a late f goes on in its own goroutine.
func Limited[T any](ctx context.Context, limit, grace time.Duration, f func(ctx context.Context) T, failed func(error) T) T {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	done := make(chan T, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				stack := make([]byte, 4096)
				done <- failed(fmt.Errorf("panic: %v\n%s", r, stack[:runtime.Stack(stack, false)]))
			}
		}()
		done <- f(ctx)
	}()
	select {
	case result := <-done:
		return result
	case <-time.After(limit + grace):
		return failed(fmt.Errorf("no end %v after the deadline", grace))
	}
}
