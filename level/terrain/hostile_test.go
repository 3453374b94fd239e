package terrain

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/meadow-nav/meadow/internal/costtest"
	"github.com/meadow-nav/meadow/internal/race"
)

// TestHostileRules reads files of 200 kB designed to cost time, memory or pages of errors.
func TestHostileRules(t *testing.T) {
	race.Skip(t)
	const size = 200_000
	fill := func(unit string) string { return strings.Repeat(unit, size/len(unit)) }
	numbered := func(format string) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	const head = "terrain: 1\n"
	long := strings.Repeat("k", size/2)
	for name, text := range map[string]string{
		"anchors":           fill("&a "),
		"aliases":           fill("*a "),
		"tags":              fill("!a "),
		"colons":            fill("a: "),
		"commas":            "a: [" + fill(",") + "]",
		"block literal":     "a: |\n" + fill("  x\n"),
		"folded text":       "a: >\n" + fill("  x y\n"),
		"escapes":           `a: "` + fill(`\e`) + `"`,
		"unknown keys":      head + numbered("k%d: 1\n"),
		"groups":            head + "groups:\n" + numbered("  - name: g%d\n"),
		"methods":           head + "methods:\n" + numbered("  - name: m%d\n    includes: [a]\n"),
		"uses":              head + "methods:\n  - name: m\n    on: [" + numbered("g%d,") + "a]",
		"crossings":         head + "crossings:\n" + numbered("  - {name: c%d, from: a, to: b, methods: c}\n"),
		"methods of one":    head + "crossings:\n  - {name: c, from: a, to: b, methods: [" + numbered("m%d,") + "c]}\n",
		"keys under a long": head + "methods:\n  - name: m\n    on:\n      " + long + ":\n" + strings.Repeat("        a: 1\n", size/26),
		"a long key":        head + long + ": 1\n" + long + "2: 1\n",
		"a long name":       head + "groups:\n  - name: " + long + "\n" + strings.Repeat("    x: 1\n", size/20),
		"control letters":   head + `"` + strings.Repeat(`\e[31m\a`, 1000) + `": 1`,
		"steps":             indented(size),
	} {
		t.Run(name, func(t *testing.T) {
			costtest.Within(t, 5*time.Second, 100, func() {
				_, err := Parse(strings.NewReader(text), "f")
				if err == nil {
					t.Fatal("taken for rules")
				}
				if n := len(err.Error()); n > 50_000 {
					t.Errorf("an error of %d bytes", n)
				}
				if strings.ContainsAny(err.Error(), "\x1b\a") {
					t.Errorf("control characters in %q", err)
				}
			})
		})
	}
}

// indented returns a mapping in a mapping in a mapping, about size bytes.
func indented(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

// TestFaultsAreCounted checks that long lists of faults and of names end with the number of omitted ones.
func TestFaultsAreCounted(t *testing.T) {
	var keys, groups strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&keys, "k%d: 1\n", i)
	}
	_, err := Parse(strings.NewReader("terrain: 1\n"+keys.String()), "f")
	if err == nil || !strings.HasSuffix(err.Error(), "\nand 39980 more") || strings.Count(err.Error(), "\n") != MaxFaults {
		t.Errorf("got %.200v", err)
	}
	for i := range 100 {
		fmt.Fprintf(&groups, "  - name: g%d\n", i)
	}
	_, err = Parse(strings.NewReader("terrain: 1\ngroups:\n"+groups.String()+"methods:\n  - {name: m, on: [x]}\n"), "f")
	if err == nil || !strings.HasSuffix(err.Error(), "g10 and 89 more") && !strings.HasSuffix(err.Error(), "g10, and 89 more") {
		t.Errorf("got %v", err)
	}
}
