package main

import (
	"bytes"
	"context"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// TestTable prints the rows of a painted world, and checks the columns of the ratio.
func TestTable(t *testing.T) {
	var out bytes.Buffer
	if err := run(context.Background(), []string{"-worlds", "pillars:check", "-paths", "6", "-rounds", "1", "-epsilon", "0.2,0.05"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines:\n%s", len(lines), &out)
	}
	for i, epsilon := range []string{"0.2", "0.05"} {
		cells := strings.Split(lines[2+i], " | ")
		if cells[0] != "| pillars:check" || cells[2] != epsilon || cells[3] != "6" || cells[10] != "0 |" {
			t.Errorf("row %q", lines[2+i])
		}
	}
}

// TestPaint checks that every pattern gives a mesh at least two costs.
func TestPaint(t *testing.T) {
	l, err := levelgen.Generate("rooms", levelgen.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	mesh, err := meadow.Build(context.Background(), l, meadow.Agent{})
	if err != nil {
		t.Fatal(err)
	}
	for pattern := range patterns {
		list := paint(mesh.Mesh, pattern, 1)
		least, most := math.Inf(1), 0.0
		for i := range mesh.Tiles {
			for r := range mesh.Tiles[i].Regions {
				c := list[mesh.Tiles[i].Regions[r].Area]
				least, most = min(least, c), max(most, c)
			}
		}
		if !(least < most) {
			t.Errorf("%s: all ground costs %v", pattern, least)
		}
	}
}

// TestFlags has flags that the program refuses.
func TestFlags(t *testing.T) {
	for _, args := range [][]string{{"-worlds", "city:plaid"}, {"-epsilon", "0"}, {"-epsilon", "x"}, {"-paths", "0"}, {"-rounds", "0"}, {"more"}} {
		if _, err := parse(args, io.Discard); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
