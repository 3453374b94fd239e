package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
)

// limit is the time that a command of a page may take.
const limit = 10 * time.Minute

// command is a line of a block marked sh.
type command struct {
	line   int // in the page, from 1
	text   string
	reason string // why the line is not run, "" for a line to run
}

// exempt matches the comment above a block with lines that are not run, such as
//
//	<!-- not run: needs Debian's packages -->
//	<!-- not run, go test: a target of its own -->
//
// The words after the comma are the beginnings of the lines; without them, the comment is about the whole block.
var exempt = regexp.MustCompile(`^<!-- not run(?:, ([^:]+))?: (.+) -->$`)

// commandsOf lists the commands of a page in order.
func commandsOf(p page) ([]command, error) {
	var all []command
	type exception struct{ prefix, reason string }
	var pending, exceptions []exception
	inside, begun := false, ""
	for i, line := range strings.Split(p.text, "\n") {
		switch trimmed := strings.TrimSpace(line); {
		case begun == "" && strings.HasPrefix(trimmed, "```"):
			begun, inside = "```", trimmed == "```sh"
			if exceptions = nil; inside {
				exceptions, pending = pending, nil
			}
		case begun != "" && trimmed == begun:
			begun, inside = "", false
		case inside:
			text := strings.TrimSpace(stripComment(line))
			if text == "" {
				continue
			}
			if strings.HasSuffix(text, `\`) {
				return nil, fmt.Errorf("%s:%d: a command has to be one line", p.name, i+1)
			}
			c := command{line: i + 1, text: text}
			for _, e := range exceptions {
				if strings.HasPrefix(text, e.prefix) {
					c.reason = e.reason
				}
			}
			all = append(all, c)
		case exempt.MatchString(trimmed):
			m := exempt.FindStringSubmatch(trimmed)
			pending = append(pending, exception{m[1], m[2]})
		case trimmed != "" && len(pending) > 0:
			return nil, fmt.Errorf("%s:%d: no block of commands follows the comment", p.name, i+1)
		}
	}
	return all, nil
}

// stripComment removes a comment from a line of a shell: a # at the beginning or after a blank.
func stripComment(line string) string {
	if i := strings.Index(" "+line, " #"); i >= 0 {
		return line[:max(0, i-1)]
	}
	return line
}

// runCommands runs the commands of the pages, page by page, and removes the results of each page. The error lists all failures.
func (w *workplace) runCommands(ctx context.Context, pages []page, out io.Writer) error {
	var failed []error
	var left []string
	count := 0
	for _, p := range pages {
		commands, err := commandsOf(p)
		if err != nil {
			return err
		}
		for _, c := range commands {
			where := fmt.Sprintf("%s:%d: %s", p.name, c.line, c.text)
			if c.reason != "" {
				left = append(left, where+"\n\t"+c.reason)
				continue
			}
			begin := time.Now()
			limited, cancel := context.WithTimeout(ctx, limit)
			_, err := w.run(limited, c.text)
			cancel()
			if ctx.Err() != nil {
				return ctx.Err()
			}
			count++
			verdict := "ok  "
			if err != nil {
				verdict = "FAIL"
				failed = append(failed, fmt.Errorf("%s: %w", where, err))
			}
			fmt.Fprintf(out, "%s %6.1f s  %s\n", verdict, time.Since(begin).Seconds(), where)
		}
		if err := w.tidy(); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "\n%d commands run, %d failed; %d not run:\n", count, len(failed), len(left))
	for _, where := range left {
		fmt.Fprintln(out, where)
	}
	return errors.Join(failed...)
}
