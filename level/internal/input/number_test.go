package input

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// same fails the test unless Float and strconv agree on the token.
func same(t *testing.T, token string) {
	t.Helper()
	want, err := strconv.ParseFloat(token, 64)
	line := "v " + token + " 7"
	got, next, ok := Float([]byte(line), 2)
	if ok != (err == nil) {
		t.Fatalf("Float(%q) ok = %v, strconv says %v", token, ok, err)
	}
	if !ok {
		return
	}
	if math.Float64bits(got) != math.Float64bits(want) {
		t.Fatalf("Float(%q) = %x, strconv %x", token, got, want)
	}
	if next != 2+len(token) {
		t.Fatalf("Float(%q) ends at %d, want %d", token, next, 2+len(token))
	}
	if alone, _, ok := Float([]byte(token), 0); !ok || math.Float64bits(alone) != math.Float64bits(want) {
		t.Fatalf("Float(%q) at the end of the text = %x, %v", token, alone, ok)
	}
}

func TestFloatEqualsStrconv(t *testing.T) {
	for _, token := range []string{
		"", "0", "-0", "+0", "1", "-1", "+1.5", ".5", "5.", ".", "-", "+", "-.", "e5", "1e", "1e+", "1e5", "1E-5", "1e+22", "1e23",
		"1e-22", "1e-23", "1e-400", "1e400", "1e99999999999999999999", "0e99999999999999999999", "123456789012345", "1234567890123456789",
		"12345678901234567890", "9007199254740992", "9007199254740993", "9007199254740993e-3", "0.000000000000000000001",
		"0.30000000000000004", "1000000.000244140625", "4.9e-324", "2.2250738585072011e-308", "1.7976931348623157e308",
		"1.7976931348623159e308", "nan", "NaN", "inf", "-Inf", "+infinity", "0x1p-2", "0x_1p-2", "1_000", "1.2.3", "1/2", "--1", "1,5",
		"00000000000000000000000001", "1f", "1.5e3x", "\x80", strings.Repeat("1", 400),
	} {
		same(t, token)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		switch rng.IntN(4) {
		case 0: // any float at all, shortest
			same(t, strconv.FormatFloat(math.Float64frombits(rng.Uint64()), 'g', -1, 64))
		case 1: // as exporters write
			same(t, strconv.FormatFloat((rng.Float64()-0.5)*2e4, 'f', rng.IntN(12), 64))
		case 2: // near the edges of the fast path
			same(t, strconv.FormatUint(1<<53-8+rng.Uint64N(16), 10)+"e"+strconv.Itoa(rng.IntN(60)-30))
		case 3: // halfway cases: more digits than a float64 has
			same(t, strconv.FormatFloat(rng.Float64()*1e3, 'f', 14+rng.IntN(10), 64))
		}
	}
}

func TestInt(t *testing.T) {
	for _, c := range []struct {
		text string
		v    int
		next int
		ok   bool
	}{
		{"12/3", 12, 2, true},
		{"-7 ", -7, 2, true},
		{"+7", 7, 2, true},
		{"", 0, 0, false},
		{"-", 0, 1, false},
		{"x", 0, 0, false},
		{"99999999999999999999", 0, 18, false},
	} {
		v, next, ok := Int([]byte(c.text), 0)
		if ok != c.ok || next != c.next || ok && v != c.v {
			t.Errorf("Int(%q) = %d, %d, %v, want %d, %d, %v", c.text, v, next, ok, c.v, c.next, c.ok)
		}
	}
}

func TestTokens(t *testing.T) {
	b := []byte(" \tab\r\n")
	if i := SkipBlank(b, 0); i != 2 {
		t.Errorf("SkipBlank = %d, want 2", i)
	}
	if i := TokenEnd(b, 2); i != 4 {
		t.Errorf("TokenEnd = %d, want 4", i)
	}
	if i := SkipBlank(b, 4); i != len(b) {
		t.Errorf("SkipBlank at the end = %d, want %d", i, len(b))
	}
}

func TestFloatDoesNotAllocate(t *testing.T) {
	b := []byte("0.30000000000000004")
	if n := testing.AllocsPerRun(100, func() { Float(b, 0) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzFloat(f *testing.F) {
	for _, s := range []string{"1", "-1.5e-3", "0x1p4", "9007199254740993", "1e", "."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, token string) {
		for i := range len(token) {
			if IsBlank(token[i]) {
				return
			}
		}
		same(t, token)
	})
}

func BenchmarkFloat(b *testing.B) {
	for _, c := range []struct{ name, token string }{
		{"exporter", "32.471557617"}, {"shortest", "0.30000000000000004"},
	} {
		b.Run(c.name, func(b *testing.B) {
			line := []byte(c.token)
			want, err := strconv.ParseFloat(c.token, 64)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if v, _, ok := Float(line, 0); !ok || v != want {
					b.Fatal(v)
				}
			}
		})
	}
}
