package state

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
)

type sample struct {
	n     int32
	some  float64
	at    geom.Vec
	open  bool
	names []uint8
}

func (s *sample) fields(k *Coder) {
	Integer(k, &s.n)
	k.Some(&s.some)
	k.Vec(&s.at)
	k.Truth(&s.open)
	List(k, &s.names, 8, func(v *uint8) { Integer(k, v) })
}

var form = Form{"SAMPLE", 3, 1 << 20, errors.New("not a sample")}

// TestForm reads what was written, and refuses all shorter and changed bytes, other versions and values out of bounds.
func TestForm(t *testing.T) {
	want := sample{-5, 2.5, geom.Vec{X: 1, Y: -2, Z: 1e6}, true, []uint8{1, 2, 255}}
	var out bytes.Buffer
	if err := form.Write(&out, want.fields); err != nil {
		t.Fatal(err)
	}
	var got sample
	if err := form.Read(bytes.NewReader(out.Bytes()), got.fields); err != nil {
		t.Fatal(err)
	}
	if got.n != want.n || got.some != want.some || got.at != want.at || got.open != want.open || !slices.Equal(got.names, want.names) {
		t.Errorf("read %+v, want %+v", got, want)
	}
	if Hash(got.fields) != Hash(want.fields) {
		t.Error("equal states have different hashes")
	}
	for i := range out.Len() {
		bad := bytes.Clone(out.Bytes())
		bad[i] ^= 1
		var s sample
		if err := form.Read(bytes.NewReader(bad), s.fields); !errors.Is(err, form.Err) {
			t.Errorf("byte %d changed: %v", i, err)
		}
		if err := form.Read(bytes.NewReader(out.Bytes()[:i]), s.fields); !errors.Is(err, form.Err) {
			t.Errorf("cut at %d: %v", i, err)
		}
	}
	for name, s := range map[string]sample{
		"NaN": {some: math.NaN()}, "negative": {some: -1}, "infinite": {at: geom.Vec{Y: math.Inf(1)}},
	} {
		out.Reset()
		if err := form.Write(&out, s.fields); err != nil {
			t.Fatal(err)
		}
		var got sample
		if err := form.Read(&out, got.fields); !errors.Is(err, form.Err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestHostileLength gives a list more elements than its bytes hold: nothing large is made.
func TestHostileLength(t *testing.T) {
	var out bytes.Buffer
	if err := form.Write(&out, func(k *Coder) { n := 1 << 30; Integer(k, &n) }); err != nil {
		t.Fatal(err)
	}
	var list []uint8
	err := form.Read(&out, func(k *Coder) { List(k, &list, 8, func(v *uint8) { Integer(k, v) }) })
	if !errors.Is(err, form.Err) || list != nil {
		t.Errorf("error %v, %d elements", err, len(list))
	}
}
