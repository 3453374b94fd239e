package main

import (
	"os"
	"slices"

	"github.com/alecthomas/kong"
	kongcompletion "github.com/jotaen/kong-completion"
	"github.com/posener/complete"

	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// completionCmd prints the code that a shell loads.
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" placeholder:"SHELL" help:"bash, zsh or fish."`
}

// Help shows how the code is loaded.
func (completionCmd) Help() string {
	return "For this shell: source <(meadow completion bash), or meadow completion fish | source. " +
		"For all later shells the line goes into ~/.bashrc, ~/.zshrc or ~/.config/fish/config.fish."
}

// Run prints.
func (c *completionCmd) Run(ctx *kong.Context) error {
	code := kongcompletion.Completion{Shell: c.Shell, Code: true}
	return code.Run(ctx)
}

// completing reports whether a shell asks for completions: the program then prints words and stops.
func completing() bool { return os.Getenv("COMP_LINE") != "" }

// completions prints the words that may follow the line of a shell.
func completions(parser *kong.Kong) {
	var kinds []string
	for _, k := range levelgen.Kinds() {
		kinds = append(kinds, k.Name)
	}
	kongcompletion.Register(parser, kongcompletion.WithPredictors(map[string]complete.Predictor{
		"generators": complete.PredictSet(catalog.Names()...),
		"extractors": complete.PredictSet(slices.Concat(catalog.Extractors(), catalog.LimitedExtractors())...),
		"makers":     complete.PredictSet(slices.Concat(catalog.Extractors(), catalog.LimitedExtractors(), catalog.Surfaces())...),
		"kinds":      complete.PredictSet(kinds...),
		"units":      complete.PredictSet("mm", "cm", "in", "ft", "m"),
		"axes":       complete.PredictSet("x", "y", "z"),
	}))
}
