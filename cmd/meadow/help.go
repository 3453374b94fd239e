package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// rareTag marks a flag that --help leaves to --help-all; on a command it names groups of such flags.
const rareTag = "rare"

// helpAll is the flag that prints help with all flags.
type helpAll bool

// IgnoreDefault keeps the flag from running without its word.
func (helpAll) IgnoreDefault() {}

// BeforeReset prints and stops, as kong's own help flag does: nothing else of the command line needs to be right.
func (helpAll) BeforeReset(ctx *kong.Context) error {
	if err := kong.DefaultHelpPrinter(helpOptions, ctx); err != nil {
		return err
	}
	ctx.Kong.Exit(0)
	return nil
}

// helpOptions are those of all help.
var helpOptions = kong.HelpOptions{
	Compact: true, FlagsLast: true, WrapUpperBound: 100, ValueFormatter: kong.DefaultHelpValueFormatter,
}

// shortHelp prints help without rare flags, and tells their number.
func shortHelp(options kong.HelpOptions, ctx *kong.Context) error {
	node := ctx.Selected()
	if node == nil {
		node = ctx.Model.Node
	}
	var groups []string
	if node.Tag != nil {
		groups = strings.Split(node.Tag.Get(rareTag), ",")
	}
	var hidden []*kong.Flag
	for _, flags := range node.AllFlags(true) {
		for _, f := range flags {
			if f.Tag.Has(rareTag) || f.Group != nil && slices.Contains(groups, f.Group.Key) {
				f.Hidden = true
				hidden = append(hidden, f)
			}
		}
	}
	err := kong.DefaultHelpPrinter(options, ctx)
	for _, f := range hidden {
		f.Hidden = false
	}
	if err == nil && len(hidden) > 0 {
		_, err = fmt.Fprintf(ctx.Stdout, "\n%s --help-all shows %s more.\n", node.FullPath(), count(len(hidden), "flag"))
	}
	return err
}

// commandGroups has the titles of the groups of commands.
var commandGroups = kong.Groups{
	"make":    "From a level to a mesh",
	"level":   "Levels",
	"ask":     "Use a mesh",
	"judge":   "Judge a mesh",
	"science": "Measure and compare",
	"more":    "More",
}
