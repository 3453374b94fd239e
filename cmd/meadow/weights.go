package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/meadow-nav/meadow/metric"
)

// weights are the weights of the twelve metrics; an empty list is 1 for all.
type weights struct{ list []float64 }

// Decode reads "name=value" pairs, one after the other, from the word itself or, without an "=", from the
// named file: separated by commas or line ends, # begins a remark.
func (w *weights) Decode(ctx *kong.DecodeContext) error {
	word, err := next(ctx, "a file or name=value,…")
	if err != nil {
		return err
	}
	text := word
	if !strings.Contains(word, "=") {
		data, err := readFile(word)
		if err != nil {
			return err
		}
		if text = string(data); strings.TrimSpace(text) == "" {
			return fmt.Errorf("%s: the file is empty", word)
		}
	}
	*w, err = parseWeights(text)
	return err
}

func parseWeights(text string) (weights, error) {
	list := make([]float64, metric.Kinds)
	for k := range list {
		list[k] = 1
	}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		for pair := range strings.SplitSeq(line, ",") {
			if pair = strings.TrimSpace(pair); pair == "" {
				continue
			}
			if err := setWeight(list, pair); err != nil {
				return weights{}, err
			}
		}
	}
	return weights{list}, nil
}

// setWeight sets the weight of one metric, or of all.
func setWeight(list []float64, pair string) error {
	name, value, ok := strings.Cut(pair, "=")
	if !ok {
		return fmt.Errorf("invalid weight %q; want name=value, as in regions=2", pair)
	}
	name = strings.TrimSpace(name)
	v, err := parseNumber(strings.TrimSpace(value))
	if err != nil {
		return fmt.Errorf("the weight of %s: %w", name, err)
	}
	if v < 0 {
		return fmt.Errorf("the weight of %s is %g, must be 0 or more", name, v)
	}
	names := []string{"all"}
	for k := range metric.Kind(metric.Kinds) {
		if k.String() == name || name == "all" {
			list[k] = v
			ok = false
		}
		names = append(names, k.String())
	}
	if ok {
		return fmt.Errorf("unknown metric %q; metrics: %s", name, strings.Join(names, ", "))
	}
	return nil
}
