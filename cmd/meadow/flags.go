package main

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
)

// number is a float flag with negative values: kong alone takes "-3" for a flag.
type number float64

// Decode reads the next word, whatever its first letter.
func (n *number) Decode(ctx *kong.DecodeContext) error {
	word, err := next(ctx, "a number")
	if err != nil {
		return err
	}
	v, err := parseNumber(word)
	*n = number(v)
	return err
}

// point is a place flag, "x,y,z" in metres.
type point geom.Vec

// Decode reads the next word, whatever its first letter.
func (p *point) Decode(ctx *kong.DecodeContext) error {
	word, err := next(ctx, "x,y,z")
	if err != nil {
		return err
	}
	v, err := parsePlace(word)
	*p = point(v)
	return err
}

// parsePlace reads "x,y,z" in metres.
func parsePlace(word string) (geom.Vec, error) {
	parts := strings.Split(word, ",")
	if len(parts) != 3 {
		return geom.Vec{}, fmt.Errorf("invalid place %q; want x,y,z in metres", word)
	}
	var c [3]float64
	for i, part := range parts {
		var err error
		if c[i], err = parseNumber(strings.TrimSpace(part)); err != nil {
			return geom.Vec{}, fmt.Errorf("invalid place %q: %w", word, err)
		}
	}
	return geom.Vec{X: c[0], Y: c[1], Z: c[2]}, nil
}

// next takes the value of a flag. A word in the form of a flag stays, so that the error names the missing
// value; "-1" and "-.5" are values.
func next(ctx *kong.DecodeContext, want string) (string, error) {
	token := ctx.Scan.Peek()
	word := token.String()
	dash := token.InferredType() != kong.FlagValueToken && strings.HasPrefix(word, "-")
	number := len(word) > 1 && strings.ContainsRune("0123456789.", rune(word[1]))
	if token.IsEOL() || dash && !number {
		return "", fmt.Errorf("missing value, expecting %s", want)
	}
	ctx.Scan.Pop()
	return word, nil
}

// wholeNumber reads the flags that count.
type wholeNumber struct{}

// Decode reads the next word as a whole number.
func (wholeNumber) Decode(ctx *kong.DecodeContext, target reflect.Value) error {
	word, err := next(ctx, "a whole number")
	if err != nil {
		return err
	}
	if target.CanUint() {
		v, err := strconv.ParseUint(word, 10, target.Type().Bits())
		if err != nil {
			return notWhole(word, err, "0 or more")
		}
		target.SetUint(v)
		return nil
	}
	v, err := strconv.ParseInt(word, 10, target.Type().Bits())
	if err != nil {
		return notWhole(word, err, "smaller")
	}
	target.SetInt(v)
	return nil
}

// notWhole returns the error of a word that is no whole number, or none in the range.
func notWhole(word string, err error, want string) error {
	if errors.Is(err, strconv.ErrRange) {
		return fmt.Errorf("%.40q is too large a number", word)
	}
	if _, number := strconv.ParseInt(word, 10, 64); number == nil {
		return fmt.Errorf("%.40q is out of range, want %s", word, want)
	}
	return fmt.Errorf("%.40q is not a whole number", word)
}

func parseNumber(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is not a number", s)
	}
	return v, nil
}

// agentFlags describe who walks. Unlike in geom.Agent a zero means zero here, because flags have
// their defaults spelled out.
type agentFlags struct {
	Radius number `default:"0.4" placeholder:"M" help:"Radius of the agent in metres; 0 is a point (default ${default})." group:"Agent"`
	Height number `default:"1.8" placeholder:"M" help:"Height of the agent in metres (default ${default})." group:"Agent"`
	Climb  number `default:"0.4" placeholder:"M" help:"Highest step in metres; 0 climbs none (default ${default})." group:"Agent"`
	Gap    gap    `placeholder:"M" help:"Widest gap between floors to step over, in metres; 0 steps over none (default: half of the climb, at most the radius, at least 0.05)." group:"Agent" rare:""`
	Slope  number `default:"45" placeholder:"DEG" help:"Steepest slope in degrees, give or take 0.05 (default ${default})." group:"Agent"`
}

// agent returns the agent with zeros replaced by the values that mean zero, after checking the ranges.
func (f agentFlags) agent() (geom.Agent, error) {
	a := geom.Agent{
		Radius:   float64(f.Radius),
		Height:   float64(f.Height),
		MaxClimb: float64(f.Climb),
		MaxSlope: geom.Degrees(float64(f.Slope)),
		MaxGap:   f.Gap.width,
	}
	if err := a.Validate(); err != nil {
		return geom.Agent{}, err
	}
	a = a.Literal()
	if !f.Gap.given {
		a.MaxGap = 0 // the default depends on the other fields
	}
	return a, nil
}

// gap is the widest gap that the agent steps over, in metres, if the command line sets one.
type gap struct {
	width float64
	given bool
}

// Decode reads the next word, whatever the word starts with.
func (g *gap) Decode(ctx *kong.DecodeContext) error {
	var n number
	if err := n.Decode(ctx); err != nil {
		return err
	}
	*g = gap{float64(n), true}
	return nil
}

// keep names parts of the floor to keep: the part at a place, the parts above an area, or all.
type keep struct {
	all   bool
	area  float64   // square metres, 0 for none
	place *geom.Vec // nil for none
}

// add adds the flags to the parts that opt keeps. The least of several areas counts.
func (k keep) add(opt *meadow.FloorOptions) {
	switch {
	case k.place != nil:
		opt.Keep = append(opt.Keep, *k.place)
	case k.all:
		opt.KeepAll = true
	case opt.KeepArea == 0 || k.area < opt.KeepArea:
		opt.KeepArea = k.area
	}
}

// Decode reads "all", a place, or "area>X" with X in square metres.
func (k *keep) Decode(ctx *kong.DecodeContext) error {
	word, err := next(ctx, "x,y,z, area>X or all")
	if err != nil {
		return err
	}
	if word == "all" {
		*k = keep{all: true}
		return nil
	}
	if strings.Contains(word, ",") {
		place, err := parsePlace(word)
		*k = keep{place: &place}
		return err
	}
	limit, ok := strings.CutPrefix(word, "area>")
	if !ok {
		return fmt.Errorf("unknown part %q, want a place x,y,z, or area>X, or all", word)
	}
	v, err := parseNumber(limit)
	if err != nil {
		return err
	}
	if v < 0 {
		return fmt.Errorf("area>%g: an area is not negative", v)
	}
	*k = keep{all: v == 0, area: v}
	return nil
}
