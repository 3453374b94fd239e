// Server walks 500 agents through a house whose 50 doors open and close and whose 200 crates move, as a game server would:
// one goroutine changes the world, another moves the crowd on its snapshots, and nobody waits for anybody.
//
//	go run ./examples/server -duration 10s
//
// The program prints a line a second.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"time"
)

func main() {
	opt := options{walkers: 500, crates: 200}
	flag.DurationVar(&opt.duration, "duration", 10*time.Second, "how long to run")
	flag.IntVar(&opt.walkers, "walkers", opt.walkers, "number of walkers")
	flag.IntVar(&opt.crates, "crates", opt.crates, "number of crates")
	flag.Uint64Var(&opt.seed, "seed", 1, "seed of all random choices")
	flag.Parse()
	if flag.NArg() > 0 || opt.duration <= 0 || opt.walkers < 0 || opt.crates < 0 {
		log.Fatal("usage: server [-duration 10s] [-walkers 500] [-crates 200] [-seed 1]")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if _, err := run(ctx, os.Stdout, opt); err != nil {
		log.Fatal(err)
	}
}

// options are the flags.
type options struct {
	duration        time.Duration
	walkers, crates int
	seed            uint64
}

// Steps of walkers and of the world.
const (
	frame = 50 * time.Millisecond
	speed = 1.6 // metres per second
)

// run runs the server for a while and returns the sums of all lines.
func run(ctx context.Context, out io.Writer, opt options) (counts, error) {
	s, err := newServer(ctx, opt)
	if err != nil {
		return counts{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, opt.duration)
	defer cancel()
	errs := make(chan error, 2)
	go func() { errs <- s.change(ctx) }()
	go func() { errs <- s.walk(ctx) }()
	var sum counts
	second := time.NewTicker(time.Second)
	defer second.Stop()
	for begin, left := time.Now(), 2; left > 0; {
		select {
		case err := <-errs:
			if left--; err != nil {
				cancel()
				return sum, err
			}
		case <-second.C:
			now := s.take()
			sum.add(now)
			fmt.Fprintf(out, "%3.0f s: %s, %d of %d doors closed\n", time.Since(begin).Seconds(), now, len(s.world.Now().Closed()), len(s.doors))
		}
	}
	sum.add(s.take())
	return sum, nil
}
