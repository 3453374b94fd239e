package lattice

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// anyWord draws words of often all zeros or ones, so that carries run through.
func anyWord() *rapid.Generator[uint64] {
	return rapid.OneOf(rapid.SampledFrom([]uint64{0, 1, 1<<63 - 1, 1 << 63, math.MaxUint64}), rapid.Uint64())
}

func bigWide(a wide) *big.Int {
	v := new(big.Int).SetUint64(a.hi)
	return v.Lsh(v, 64).Add(v, new(big.Int).SetUint64(a.lo))
}

func bigSigned(a wide) *big.Int {
	v := bigWide(a)
	if a.hi>>63 != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), 128))
	}
	return v
}

func TestWideEqualsReference(t *testing.T) {
	modulus := new(big.Int).Lsh(big.NewInt(1), 128)
	rapid.Check(t, func(t *rapid.T) {
		a := wide{anyWord().Draw(t, "a.hi"), anyWord().Draw(t, "a.lo")}
		b := wide{anyWord().Draw(t, "b.hi"), anyWord().Draw(t, "b.lo")}
		m, n := anyWord().Draw(t, "m"), anyWord().Draw(t, "n")
		bigA, bigB, bigM, bigN := bigWide(a), bigWide(b), new(big.Int).SetUint64(m), new(big.Int).SetUint64(n)

		sum := new(big.Int).Add(bigA, bigB)
		if bigWide(a.add(b)).Cmp(sum.Mod(sum, modulus)) != 0 {
			t.Fatalf("%v + %v", a, b)
		}
		difference := new(big.Int).Sub(bigA, bigB)
		if bigWide(a.sub(b)).Cmp(difference.Mod(difference, modulus)) != 0 {
			t.Fatalf("%v - %v", a, b)
		}
		if bigWide(mul(m, n)).Cmp(new(big.Int).Mul(bigM, bigN)) != 0 {
			t.Fatalf("%d · %d", m, n)
		}
		if got := mulSigned(int64(m), int64(n)); bigSigned(got).Cmp(new(big.Int).Mul(big.NewInt(int64(m)), big.NewInt(int64(n)))) != 0 {
			t.Fatalf("%d · %d with signs", int64(m), int64(n))
		}
		if a.compare(b) != bigA.Cmp(bigB) || a.sign() != bigSigned(a).Sign() {
			t.Fatalf("order of %v and %v", a, b)
		}
		if got, want := compareProducts(a, m, b, n), new(big.Int).Mul(bigA, bigM).Cmp(new(big.Int).Mul(bigB, bigN)); got != want {
			t.Fatalf("%v·%d against %v·%d: %d, want %d", a, m, b, n, got, want)
		}
		if got, _ := new(big.Float).SetInt(bigA).Float64(); math.Abs(a.float()-got) > got*0x1p-52 {
			t.Fatalf("%v as a float is %g, want %g", a, a.float(), got)
		}
	})
}

func TestRoundedQuotientEqualsReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		den := 1 + anyWord().Draw(t, "den")%(1<<63-1)
		m := wide{anyWord().Draw(t, "hi") % (1 << 31), anyWord().Draw(t, "lo")}
		if rapid.Bool().Draw(t, "half") {
			// An odd multiple of half of the divisor.
			m = mul(den/2, 2*(anyWord().Draw(t, "times")%(1<<40))+1)
		}
		negative := rapid.Bool().Draw(t, "negative")
		value := new(big.Rat).SetFrac(bigWide(m), new(big.Int).SetUint64(den))
		if negative {
			value.Neg(value)
		}
		value.Add(value, ratHalf)
		want := new(big.Int)
		want.DivMod(value.Num(), value.Denom(), new(big.Int))
		got, ok := roundedQuotient(negative, m, den)
		if ok && (!want.IsInt64() || want.Int64() != got) {
			t.Fatalf("%v / %d (negative %v) = %d, want %v", m, den, negative, got, want)
		}
		// Refused only where a coordinate could not be meant.
		if !ok && want.IsInt64() && magnitude(want.Int64()) < 1<<62 {
			t.Fatalf("%v / %d is refused, is %v", m, den, want)
		}
	})
}
