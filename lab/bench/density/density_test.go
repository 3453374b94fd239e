package main

import (
	"bytes"
	"context"
	"io"
	"math"
	"strings"
	"testing"
	"time"
)

// TestTable measures two kinds with two amounts of detail, and checks that rows have all columns.
func TestTable(t *testing.T) {
	var out bytes.Buffer
	if err := run(context.Background(), []string{"-kinds", "rocks,pebbles", "-factors", "1,2", "-rounds", "1"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines:\n%s", len(lines), &out)
	}
	for _, line := range lines {
		if n := strings.Count(line, "|"); n != 9 {
			t.Errorf("row %q has %d bars, want 9", line, n)
		}
	}
}

// TestLimit takes a build past its limit for a fault.
func TestLimit(t *testing.T) {
	err := run(context.Background(), []string{"-kinds", "rocks", "-factors", "1", "-rounds", "1", "-limit", "1ns"}, io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "rocks, 1 times") {
		t.Errorf("the error is %v, want one about rocks", err)
	}
}

// TestArguments refuses unknown kinds and factors out of order.
func TestArguments(t *testing.T) {
	for _, args := range [][]string{{"-kinds", "lawns"}, {"-factors", "2,1"}, {"-factors", "0"}, {"-rounds", "0"}, {"-radius", "-1"}, {"-gap", "-1"}, {"-gap", "wide"}} {
		if err := run(context.Background(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}

// TestExponent knows the exponents of powers.
func TestExponent(t *testing.T) {
	r := row{figures: []figure{{100, time.Second}, {200, 2 * time.Second}, {400, 8 * time.Second}}}
	if got := r.exponent(); math.Abs(got-1.5) > 1e-9 {
		t.Errorf("the exponent is %g, want 1.5", got)
	}
	if r.figures = r.figures[:1]; !math.IsNaN(r.exponent()) {
		t.Errorf("the exponent of one figure is %g, want NaN", r.exponent())
	}
}
