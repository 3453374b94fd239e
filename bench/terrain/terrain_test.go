package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
)

// The whole campaign on small worlds: nothing is on the wrong ground, and one mesh for all methods has the paths of
// one for each.
func TestCampaign(t *testing.T) {
	var out bytes.Buffer
	args := []string{"-rules", "../../examples/terrain", "-points", "4000", "-paths", "20", "-rounds", "1"}
	if err := run(context.Background(), args, &out, io.Discard); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, want := range []string{"| rts | 5", "| urban | 3", "| 4000 |", "| rts | wheels | 20 | 20 |", "| urban | cycle |", "| rts | divided |", "| urban | all |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-worlds", "moon"}, "no kind \"moon\""},
		{[]string{"-worlds", "city", "-rules", "../../examples/terrain"}, "city.yaml"},
		{[]string{"-points", "-1"}, "must not be negative"},
		{[]string{"-fast"}, "flag provided but not defined"},
	} {
		if err := run(context.Background(), tt.args, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: %v, want %q", tt.args, err, tt.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := run(ctx, []string{"-rules", "../../examples/terrain"}, io.Discard, io.Discard); err == nil {
		t.Error("no error of a cancelled run")
	}
}
