package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/meadow-nav/meadow/lab/experiment"
	"github.com/meadow-nav/meadow/lab/experiment/sources"
)

// run runs experiments one after the other, prints each, and sums up. Results of a state file by the same program with the
// same options are not computed again.
func (c *reproduceCmd) run(e *env, names []string, options experiment.Options) error {
	state, err := c.openState()
	if err != nil {
		return err
	}
	p := newProgress(e.stderr)
	defer p.stop()
	var results sources.Record
	for i, name := range names {
		p.tell(name, i, len(names))
		if old, ok := state.take(name); ok && c.Out == "" && c.Recast == "" {
			results = append(results, *old)
			p.stop()
			if err := c.again(e, old); err != nil {
				return err
			}
			continue
		}
		begin := time.Now()
		r, err := experiment.Run(e.ctx, name, options)
		if err != nil {
			return err
		}
		p.stop()
		if err := c.draw(e, &r); err != nil {
			return err
		}
		result := sources.ResultOf(&r, state.program, state.options, time.Since(begin).Seconds())
		results = append(results, result)
		if err := state.add(e, result); err != nil {
			return err
		}
		if err := c.print(e, i, &r); err != nil {
			return err
		}
	}
	if !c.JSON && len(names) > 1 {
		summarize(e.stdout, results)
	}
	return c.judge(results)
}

// print prints a report as JSON or as a table.
func (c *reproduceCmd) print(e *env, i int, r *experiment.Report) error {
	if c.JSON {
		return writeJSON(e.stdout, struct {
			Experiment string           `json:"experiment"`
			Rows       []experiment.Row `json:"rows"`
		}{r.Name, r.Rows})
	}
	if i > 0 {
		fmt.Fprintln(e.stdout)
	}
	fmt.Fprint(e.stdout, table(r))
	return nil
}

// again prints a result of the state file.
func (c *reproduceCmd) again(e *env, r *sources.Result) error {
	if !c.JSON {
		fmt.Fprintf(e.stdout, "%s  done before: %s\n", r.Experiment, c.State)
		return nil
	}
	return writeJSON(e.stdout, struct {
		Experiment string            `json:"experiment"`
		Rows       []sources.Figures `json:"rows"`
	}{r.Experiment, r.Rows})
}

// judge returns an answer of no where a claim of ours fails at the experiments' own size. Smaller runs judge nothing.
func (c *reproduceCmd) judge(results sources.Record) error {
	if c.scale() != "" {
		return nil
	}
	var failed []string
	for i := range results {
		for _, claim := range results[i].Claims {
			if v, _ := sources.Judge(results[i].Experiment, claim); v == sources.Fails {
				failed = append(failed, results[i].Experiment+": "+claim.Text)
			}
		}
	}
	if len(failed) > 0 {
		return no("%d of our claims do not hold: %s", len(failed), strings.Join(failed, "; "))
	}
	return nil
}

// summarize prints the judged rows of several experiments.
func summarize(w io.Writer, results sources.Record) {
	var all sources.Tally
	fmt.Fprintf(w, "\n%-14s %7s %5s %7s %5s %10s %10s %9s\n", "experiment", "claims", "hold", "differ", "fail", "published", "within 5%", "seconds")
	var notes strings.Builder
	for i := range results {
		r := &results[i]
		var t sources.Tally
		t.Add(r)
		all.Add(r)
		fmt.Fprintf(w, "%-14s %7d %5d %7d %5d %10d %10d %9.1f\n", r.Experiment, t.Claims, t.Verdicts[sources.Holds], t.Verdicts[sources.Known], t.Verdicts[sources.Fails], t.Published, t.Near, r.Seconds)
		for _, claim := range r.Claims {
			switch v, why := sources.Judge(r.Experiment, claim); v {
			case sources.Known:
				paragraph(&notes, "  ", fmt.Sprintf("differs: %s: %s: %s", r.Experiment, claim.Text, why))
			case sources.Fails:
				paragraph(&notes, "  ", fmt.Sprintf("fails: %s: %s", r.Experiment, claim.Text))
			}
		}
	}
	fmt.Fprintf(w, "%s%s\n", notes.String(), all)
}

// scale describes options that change the size of experiments, "" for their own size.
func (c *reproduceCmd) scale() string {
	var list []string
	if c.Worlds > 0 {
		list = append(list, fmt.Sprintf("worlds %d", c.Worlds))
	}
	if c.Paths > 0 {
		list = append(list, fmt.Sprintf("paths %d", c.Paths))
	}
	if len(c.Generators) > 0 {
		list = append(list, "generators "+strings.Join(c.Generators, ","))
	}
	return strings.Join(list, "; ")
}

// stateFile is a file of results; one without a path keeps nothing.
type stateFile struct {
	path, program, options string
	record                 sources.Record
}

// openState reads the state file; a missing file is empty.
func (c *reproduceCmd) openState() (*stateFile, error) {
	s := &stateFile{path: c.State, options: c.scale()}
	if c.State == "" {
		return s, nil
	}
	var err error
	if s.record, err = readRecord(c.State); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	s.program, err = programHash()
	return s, err
}

// readRecord reads a file of results.
func readRecord(path string) (sources.Record, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	rec, err := sources.ReadRecord(strings.NewReader(string(data)))
	if err != nil {
		return nil, fmt.Errorf("%s: no file of results: %w", path, err)
	}
	return rec, nil
}

// programHash returns a hash of the running program: a changed program runs all experiments again.
func programHash() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// take returns the result of an experiment if this program made the result with these options.
func (s *stateFile) take(name string) (*sources.Result, bool) {
	r, ok := s.record.Find(name)
	return r, ok && r.Program == s.program && r.Options == s.options
}

// add adds a result and writes the file.
func (s *stateFile) add(e *env, r sources.Result) error {
	if s.path == "" {
		return nil
	}
	s.record = s.record.With(r)
	return e.write(s.path, s.record.Write)
}

// list prints the entries of the sources, or of the sources and experiments that are named.
func (c *reproduceCmd) list(e *env) error {
	chosen := map[sources.Entry]bool{}
	for _, name := range c.Names {
		found, err := sources.Select(name)
		if err != nil {
			return err
		}
		for _, entry := range found {
			chosen[entry] = true
		}
	}
	for _, s := range sources.Sources() {
		head := false
		for _, entry := range sources.Entries() {
			if entry.Source != s.Letter || len(c.Names) > 0 && !chosen[entry] {
				continue
			}
			if c.JSON {
				err := writeJSON(e.stdout, struct {
					Source  string `json:"source"`
					Number  string `json:"number"`
					Section string `json:"section"`
					Row     string `json:"row"`
					Subject string `json:"subject"`
					State   string `json:"state"`
				}{entry.Source, entry.Number, entry.Section, entry.Row, entry.Subject, entry.String()})
				if err != nil {
					return err
				}
				continue
			}
			if !head {
				fmt.Fprintf(e.stdout, "%s  %s\n", s.Letter, s.Title)
				head = true
			}
			fmt.Fprintf(e.stdout, "  %-12s %-9s %-58s %s\n", entry.Number, entry.Section, entry.Subject, entry)
		}
	}
	if !c.JSON {
		fmt.Fprintln(e.stdout, sources.Count(sources.Entries()))
	}
	return nil
}

// page prints docs/sources.md.
func (c *reproduceCmd) page(e *env) error {
	if c.State == "" {
		return errors.New("--sources needs --state with the results")
	}
	rec, err := readRecord(c.State)
	if err != nil {
		return err
	}
	return sources.WritePage(e.stdout, rec)
}
