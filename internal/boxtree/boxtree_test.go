package boxtree

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// sizes are numbers of boxes around the sizes of leaves and of branches.
var sizes = []int{0, 1, 2, leaf, leaf + 1, 2*leaf + 1, 64, 513, 5000}

// randomBoxes draws boxes of very different sizes: some are equal, some are points, and some are boundless in height.
func randomBoxes[T Number](rng *rand.Rand, n int) []Box[T] {
	boxes := make([]Box[T], n)
	for i := range boxes {
		if i > 0 && rng.IntN(8) == 0 {
			boxes[i] = boxes[i-1]
			continue
		}
		for k := range 3 {
			at, size := rng.Int32N(2000)-1000, rng.Int32N(1<<rng.IntN(10))
			boxes[i].Low[k], boxes[i].High[k] = T(at), T(at+size)
		}
		if rng.IntN(8) == 0 {
			low, high := int32(math.MinInt32), int32(math.MaxInt32)
			boxes[i].Low[2], boxes[i].High[2] = T(low), T(high)
		}
	}
	return boxes
}

// meeting returns the indices of the chosen boxes that meet b, by a loop.
func meeting[T Number](boxes []Box[T], b *Box[T], chosen func(i int) bool) []int32 {
	var all []int32
	for i := range boxes {
		if chosen(i) && boxes[i].Meets(b) {
			all = append(all, int32(i))
		}
	}
	return all
}

// found returns the sorted indices that a search finds.
func found[T Number](t *Tree[T], b *Box[T]) []int32 {
	var ids []int32
	for _, i := range t.Search(b, nil) {
		ids = append(ids, i.ID)
	}
	slices.Sort(ids)
	return ids
}

func odd(i int) bool { return i%2 == 1 }

// TestAgainstBruteForce compares trees with a loop over all boxes: new trees, grafted trees, and trees with other boxes.
func TestAgainstBruteForce(t *testing.T) {
	t.Run("int32", againstBruteForce[int32])
	t.Run("float64", againstBruteForce[float64])
}

func againstBruteForce[T Number](t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	for _, n := range sizes {
		boxes := randomBoxes[T](rng, n)
		half := func(upper bool) func(i int) bool {
			return func(i int) bool { return odd(i) && (i >= n/2) == upper }
		}
		trees := map[string]*Tree[T]{
			"new":     New(boxes, odd),
			"grafted": New(boxes, half(false)).Graft(New(boxes, half(true))),
			"fitted":  New(randomBoxes[T](rng, n), odd),
		}
		trees["twice grafted"] = New(boxes, func(i int) bool { return i == 1 }).Graft(New(boxes, func(i int) bool { return odd(i) && i > 1 })).Graft(New(boxes, func(int) bool { return false }))
		trees["fitted"].Fit(boxes)
		for name, tree := range trees {
			for range 100 {
				b := randomBoxes[T](rng, 1)[0]
				want := meeting(boxes, &b, odd)
				if got := found(tree, &b); !slices.Equal(got, want) {
					t.Fatalf("%d boxes, %s: found %v, want %v", n, name, got, want)
				}
				if got := tree.IDs(&b, []int32{7}); got[0] != 7 || !slices.Equal(got[1:], want) {
					t.Fatalf("%d boxes, %s: IDs %v, want 7 and %v", n, name, got, want)
				}
				if got := tree.Meets(&b); got != (len(want) > 0) {
					t.Fatalf("%d boxes, %s: Meets is %v, %d boxes meet", n, name, got, len(want))
				}
				var seen []int32
				if tree.Any(&b, func(id int32) bool { seen = append(seen, id); return false }) {
					t.Fatalf("%d boxes, %s: Any is true without a true call", n, name)
				}
				if slices.Sort(seen); !slices.Equal(seen, want) {
					t.Fatalf("%d boxes, %s: Any sees %v, want %v", n, name, seen, want)
				}
				seen = seen[:0]
				tree.Each(b.Meets, func(id int32) { seen = append(seen, id) })
				if slices.Sort(seen); !slices.Equal(seen, want) {
					t.Fatalf("%d boxes, %s: Each visits %v, want %v", n, name, seen, want)
				}
			}
			if got, want := len(tree.Items()), n/2; got != want {
				t.Errorf("%d boxes, %s: %d items, want %d", n, name, got, want)
			}
			checkLeaves(t, tree)
		}
	}
}

// checkLeaves checks that the leaves hold every item once, in boxes around the items.
func checkLeaves[T Number](t *testing.T, tree *Tree[T]) {
	t.Helper()
	items := 0
	for _, l := range tree.Leaves() {
		items += len(l.Items)
		for i := range l.Items {
			if !l.Box.Holds(&l.Items[i].Box) {
				t.Errorf("the leaf %v does not hold %v", l.Box, l.Items[i])
			}
		}
	}
	if items != len(tree.Items()) {
		t.Errorf("the leaves hold %d items of %d", items, len(tree.Items()))
	}
}

// TestNearest compares the items within a distance with a loop, for a limit that stays and for a limit that shrinks to
// the distance of the last item: the last item is then the nearest item.
func TestNearest(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, n := range sizes {
		boxes := randomBoxes[int32](rng, n)
		tree := New(boxes, nil)
		var s Nearest
		for range 100 {
			from := [3]float64{float64(rng.IntN(2000) - 1000), float64(rng.IntN(2000) - 1000), float64(rng.IntN(2000) - 1000)}
			limit2 := rng.Float64() * 1e6
			var got, want []int32
			nearest := math.Inf(1)
			for i := range boxes {
				d2 := distance2(&boxes[i], &from)
				nearest = min(nearest, d2)
				if d2 <= limit2 {
					want = append(want, int32(i))
				}
			}
			s.Start(tree, from)
			for id, ok := s.Next(limit2); ok; id, ok = s.Next(limit2) {
				got = append(got, id)
			}
			byDistance := func(i, k int32) int { return cmp.Compare(distance2(&boxes[i], &from), distance2(&boxes[k], &from)) }
			if n <= leaf && !slices.IsSortedFunc(got, byDistance) {
				t.Fatalf("%d boxes: the leaf's items come in the order %v", n, got)
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Fatalf("%d boxes: %v within the root of %v of %v, want %v", n, got, limit2, from, want)
			}
			last, asked := math.Inf(1), 0
			s.Start(tree, from)
			for id, ok := s.Next(last); ok && last > nearest; id, ok = s.Next(last) {
				last = min(last, distance2(&boxes[id], &from))
				asked++
			}
			if last != nearest || asked > 40 {
				t.Fatalf("%d boxes: %v after %d items, the nearest box is at %v", n, last, asked, nearest)
			}
		}
	}
}

// TestPairs compares the pairs of boxes that meet with two loops, and checks that the number of comparisons ends the visits.
func TestPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, n := range []int{0, 1, leaf, 100, 700} {
		boxes := randomBoxes[int32](rng, n)
		tree := New(boxes, nil)
		seen := map[[2]int32]bool{}
		left := math.MaxInt
		tree.Pairs(&left, func(i, k int32) {
			pair := [2]int32{min(i, k), max(i, k)}
			if seen[pair] || i == k {
				t.Fatalf("%d boxes: the pair %v comes twice", n, pair)
			}
			seen[pair] = true
		})
		want := 0
		for i := range boxes {
			for k := range i {
				if boxes[i].Meets(&boxes[k]) {
					want++
					if !seen[[2]int32{int32(k), int32(i)}] {
						t.Fatalf("%d boxes: no pair %d, %d", n, k, i)
					}
				}
			}
		}
		if len(seen) != want {
			t.Fatalf("%d boxes: %d pairs, want %d", n, len(seen), want)
		}
		if needed := math.MaxInt - left; n > leaf {
			some := needed / 2
			visits := 0
			tree.Pairs(&some, func(int32, int32) { visits++ })
			if some >= 0 || visits >= want {
				t.Errorf("%d boxes: %d of %d visits with half of the comparisons, %d left", n, visits, want, some)
			}
		}
	}
}

// TestJobsDoNotMatter checks that a tree is the same on any number of cores, and that a cancelled tree is an error.
func TestJobsDoNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, n := range append(sizes, 50000) {
		boxes := randomBoxes[int32](rng, n)
		want := New(boxes, odd)
		for _, jobs := range []int{1, 4} {
			got, err := Grow(t.Context(), boxes, odd, jobs)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%d boxes, %d jobs: a different tree", n, jobs)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, n := range []int{0, 50000} {
		if _, err := Grow(ctx, make([]Box[int32], n), nil, 2); !errors.Is(err, context.Canceled) {
			t.Errorf("%d boxes, cancelled: %v", n, err)
		}
	}
}

// TestRenumber checks that a search returns changed indices.
func TestRenumber(t *testing.T) {
	boxes := randomBoxes[int32](rand.New(rand.NewPCG(6, 6)), 100)
	tree := New(boxes, nil)
	tree.Renumber(func(id int32) int32 { return id + 1000 })
	everywhere := Box[int32]{[3]int32{math.MinInt32, math.MinInt32, math.MinInt32}, [3]int32{math.MaxInt32, math.MaxInt32, math.MaxInt32}}
	got := found(tree, &everywhere)
	if len(got) != len(boxes) || got[0] != 1000 || got[99] != 1099 {
		t.Errorf("indices %v", got)
	}
}

// TestNoAllocations checks that questions allocate nothing.
func TestNoAllocations(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	boxes := randomBoxes[int32](rng, 5000)
	tree := New(boxes, nil)
	list := make([]Item[int32], 0, len(boxes))
	var near Nearest
	i := 0
	if n := testing.AllocsPerRun(100, func() {
		b := &boxes[i]
		i++
		count, visited := 0, 0
		list = tree.Search(b, list[:0])
		tree.Any(b, func(int32) bool { count++; return false })
		tree.Each(b.Meets, func(int32) { visited++ })
		near.Start(tree, [3]float64{})
		near.Next(1e6)
		if count != len(list) {
			t.Fatalf("Any sees %d boxes, Search %d", count, len(list))
		}
		if visited != len(list) {
			t.Fatalf("Each visits %d boxes, Search finds %d", visited, len(list))
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestBoxes checks the operations on boxes by hand.
func TestBoxes(t *testing.T) {
	a := Box[int32]{[3]int32{0, 0, 0}, [3]int32{10, 10, 10}}
	for k := range 3 {
		b := Box[int32]{[3]int32{4, 4, 4}, [3]int32{6, 6, 6}}
		b.Low[k], b.High[k] = 10, 12
		apart := b
		apart.Low[k] = 11
		if !a.Meets(&b) || !b.Meets(&a) || a.Meets(&apart) || apart.Meets(&a) || a.Holds(&b) {
			t.Errorf("axis %d: boxes that touch meet, boxes apart do not", k)
		}
	}
	c := Box[int32]{[3]int32{11, 4, 4}, [3]int32{12, 6, 6}}
	u := a.Union(c)
	if want := (Box[int32]{[3]int32{0, 0, 0}, [3]int32{12, 10, 10}}); u != want || !u.Holds(&a) || !u.Holds(&c) {
		t.Errorf("union %v, want %v", u, want)
	}
	if got, want := c.Grown(2), (Box[int32]{[3]int32{9, 2, 2}, [3]int32{14, 8, 8}}); got != want {
		t.Errorf("grown %v, want %v", got, want)
	}
	if got := distance2(&a, &[3]float64{13, 5, 14}); got != 25 {
		t.Errorf("squared distance %v, want 3² + 4²", got)
	}
}

// benchBoxes are boxes of a floor of n triangles: small boxes side by side.
func benchBoxes(n int) []Box[int32] {
	rng := rand.New(rand.NewPCG(8, 8))
	side := int(math.Sqrt(float64(n)))
	boxes := make([]Box[int32], 0, n)
	for x := range side {
		for y := range side {
			x, y, z := int32(x)*4096, int32(y)*4096, rng.Int32N(4096)
			boxes = append(boxes, Box[int32]{[3]int32{x, y, z}, [3]int32{x + 5000, y + 5000, z + 1000}})
		}
	}
	return boxes
}

func BenchmarkNew(b *testing.B) {
	boxes := benchBoxes(250_000)
	b.ReportAllocs()
	for b.Loop() {
		if t := New(boxes, nil); len(t.Items()) != len(boxes) {
			b.Fatal("items are missing")
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	boxes := benchBoxes(250_000)
	tree := New(boxes, nil)
	var found []Item[int32]
	i := 0
	for b.Loop() {
		i = (i + 7919) % len(boxes)
		if found = tree.Search(&boxes[i], found[:0]); len(found) == 0 {
			b.Fatalf("%d boxes meet box %d", len(found), i)
		}
	}
}

func BenchmarkNearest(b *testing.B) {
	boxes := benchBoxes(250_000)
	tree := New(boxes, nil)
	var s Nearest
	i := 0
	for b.Loop() {
		i = (i + 7919) % len(boxes)
		at := boxes[i].Low
		s.Start(tree, [3]float64{float64(at[0]) + 10, float64(at[1]) + 10, float64(at[2]) + 20000})
		if _, ok := s.Next(1e9); !ok {
			b.Fatalf("no box is near box %d", i)
		}
	}
}

// TestOver compares the pairs of boxes over each other with two loops, and ends the visits at any of them.
func TestOver(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	found := 0
	for _, n := range []int{0, 1, leaf, 100, 700} {
		boxes := randomBoxes[int32](rng, n)
		for i := range boxes {
			for k := range 3 { // margins of boundless axes would overflow
				boxes[i].Low[k], boxes[i].High[k] = max(boxes[i].Low[k], -1<<30), min(boxes[i].High[k], 1<<30)
			}
		}
		tree := New(boxes, nil)
		for _, c := range []struct{ margin, rise int32 }{{0, 0}, {3, 40}, {50, 200}, {0, -30}} {
			from := func(low int32) int32 { return low + c.rise }
			seen := map[[2]int32]bool{}
			if tree.Over(c.margin, from, func(lower, upper int32) bool {
				pair := [2]int32{lower, upper}
				if seen[pair] || lower == upper {
					t.Fatalf("%d boxes: the pair %v comes twice", n, pair)
				}
				seen[pair] = true
				return false
			}) {
				t.Fatalf("%d boxes: a visit ended the search", n)
			}
			want := 0
			for i := range boxes {
				for k := range boxes {
					b := boxes[i].Grown(c.margin)
					b.Low[2], b.High[2] = from(boxes[i].Low[2]), math.MaxInt32
					if i == k || !b.Meets(&boxes[k]) {
						continue
					}
					if want++; !seen[[2]int32{int32(i), int32(k)}] {
						t.Fatalf("%d boxes, %+v: no pair %d, %d", n, c, i, k)
					}
				}
			}
			if len(seen) != want {
				t.Fatalf("%d boxes, %+v: %d pairs, want %d", n, c, len(seen), want)
			}
			found += want
			last, visits := rng.IntN(want+1), 0
			if tree.Over(c.margin, from, func(int32, int32) bool { visits++; return visits > last }) != (last < want) || visits != min(last+1, want) {
				t.Fatalf("%d boxes, %+v: %d visits of %d, want an end after %d", n, c, visits, want, last)
			}
		}
	}
	if found == 0 {
		t.Error("no box lies over another")
	}
}
