package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow"
)

// The aims, as ratios to Detour: geometric means over levels, and the most on any level.
var (
	aimSearch      = Micros{P50: 0.8, Mean: 1.0, P99: 1.5}
	worstSearch    = Micros{P50: 1.5, Mean: 2, P99: 3}
	aimPrepared    = Micros{P50: 0.3, Mean: 0.3, P99: 0.5}
	worstPrepared  = Micros{P50: 0.6, Mean: 0.6, P99: 0.6}
	aimWhole       = 0.9
	nothingToPrint = "—"
)

// mostOff is the largest distance from the floor that the judge accepts, in metres: paths promise query.HeightError.
const mostOff = 0

// rival is the mesh of the peer that Meadow is compared with: the one tile, or the tiles where the level is too large for one.
func (l *Level) rival() *Peer {
	if l.Solo.Polys == 0 && l.Tiled.Polys > 0 {
		return &l.Tiled
	}
	return &l.Solo
}

// by returns the ratios of times.
func (m Micros) by(other Micros) Micros {
	return Micros{m.P50 / other.P50, m.Mean / other.Mean, m.P99 / other.P99}
}

func (m Micros) String() string {
	return fmt.Sprintf("%s / %s / %s", digits(m.P50), digits(m.Mean), digits(m.P99))
}

// digits formats with three significant digits.
func digits(v float64) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return nothingToPrint
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// markdown prints the tables.
func (res *Results) markdown(out io.Writer) error {
	var b strings.Builder
	a := res.Agent
	fmt.Fprintf(&b, "Agent: radius %g m, height %g m, climb %g m, slope %.4g°. Machine: %s/%s, %d cores, %s. Single calls, µs: median / mean / 99 %%. The worst level first.\n",
		a.Radius, a.Height, a.MaxClimb, a.MaxSlope/meadow.Degrees(1), res.OS, res.Arch, res.CPUs, res.Go)
	done := slices.DeleteFunc(slices.Clone(res.Levels), func(l Level) bool { return l.Failed != "" || l.Pairs == 0 })
	slices.SortStableFunc(done, func(a, b Level) int { return cmp.Compare(b.badness(), a.badness()) })
	table := func(title string, columns ...string) (row func(cells ...string)) {
		fmt.Fprintf(&b, "\n### %s\n\n", title)
		row = func(cells ...string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
		row(columns...)
		fmt.Fprintf(&b, "|%s\n", strings.Repeat("---|", len(columns)))
		return row
	}
	row := table("Paths", "level", "triangles", "polygons, regions", "Detour", "search", "/ Detour", "prepared", "/ Detour", "`Path` with both lookups / Detour's", "cold / Detour's cold", "/ Detour in tiles")
	var search, prepared, whole, cold, tiled []Micros
	for _, l := range done {
		r := l.rival()
		ratios := []Micros{l.Meadow.Between.by(r.Between), l.Ready.by(r.Between), l.Meadow.Whole.by(r.Whole), l.Meadow.Cold.by(r.Cold), l.Meadow.Between.by(l.Tiled.Between)}
		search, prepared, whole, cold, tiled = append(search, ratios[0]), append(prepared, ratios[1]), append(whole, ratios[2]), append(cold, ratios[3]), append(tiled, ratios[4])
		row(l.Name, fmt.Sprint(l.Triangles), fmt.Sprintf("%d, %d", r.Polys, l.Regions), r.Between.String(), l.Meadow.Between.String(), ratios[0].String(),
			l.Ready.String(), ratios[1].String(), ratios[2].String(), ratios[3].String(), ratios[4].String())
	}
	row("geometric mean", "", "", "", "", mean(search).String(), "", mean(prepared).String(), mean(whole).String(), mean(cold).String(), mean(tiled).String())
	row("at most", "", "", "", "", aimSearch.String(), "", aimPrepared.String(), digits(aimWhole), "", "")
	row("at most on a level", "", "", "", "", worstSearch.String(), "", worstPrepared.String(), "", "", "")

	row = table("Indexes, and the judge", "level", "pairs", "NewIndex, ms", "Prepare, ms", "corners", "kB", "length / Detour's", "longer ones", "where Detour keeps to the floor", "off the floor, m", "over cracks, m", "unequal when prepared")
	for _, l := range done {
		j := l.Judged
		row(l.Name, fmt.Sprint(l.Pairs), digits(l.IndexMS), digits(l.PrepareMS), fmt.Sprint(l.Prepared.Corners), digits(float64(l.Prepared.Bytes)/1024), fmt.Sprintf("%.4f", j.OurLength/j.TheirLength),
			fmt.Sprint(j.Longer), fmt.Sprint(j.OnOurFloor), digits(j.Off), fmt.Sprintf("%.4f", j.Bridged), fmt.Sprint(j.Unequal))
	}
	for _, l := range res.Levels {
		for _, why := range [][2]string{{"", l.Failed}, {", Detour in one tile", l.Solo.Failed}, {", Detour in tiles", l.Tiled.Failed}, {", prepared", l.Unprepared}} {
			if why[1] != "" {
				fmt.Fprintf(&b, "\n%s%s: %s.\n", l.Name, why[0], why[1])
			}
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// badness is the largest ratio of the search by the most on any level.
func (l *Level) badness() float64 {
	r := l.Meadow.Between.by(l.rival().Between)
	return max(r.P50/worstSearch.P50, r.Mean/worstSearch.Mean, r.P99/worstSearch.P99)
}

// mean returns the geometric means of the ratios that are finite.
func mean(all []Micros) Micros {
	one := func(of func(Micros) float64) float64 {
		sum, n := 0.0, 0
		for _, m := range all {
			if v := of(m); v > 0 && !math.IsInf(v, 0) {
				sum += math.Log(v)
				n++
			}
		}
		return math.Exp(sum / float64(n))
	}
	return Micros{one(func(m Micros) float64 { return m.P50 }), one(func(m Micros) float64 { return m.Mean }), one(func(m Micros) float64 { return m.P99 })}
}

// faults returns an error if the judge has found a fault in a path.
func (res *Results) faults() error {
	var all []error
	for _, l := range res.Levels {
		if j := l.Judged; j.OnOurFloor > 0 || j.Unequal > 0 || j.Off > mostOff {
			all = append(all, fmt.Errorf("%s: %d paths longer than Detour's on the same floor, %d unequal when prepared, %.3f m off the floor", l.Name, j.OnOurFloor, j.Unequal, j.Off))
		}
	}
	return errors.Join(all...)
}
