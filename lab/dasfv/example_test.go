package dasfv_test

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/dasfv"
)

// A building collapses into a plaza, and is cleared away.
func Example() {
	ctx := context.Background()
	plaza := lattice.Box{Max: lattice.Point{X: 1000, Y: 1000}}
	w, err := dasfv.New(ctx, plaza, nil, dasfv.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	building := lattice.Ring{{X: 400, Y: 400}, {X: 600, Y: 400}, {X: 600, Y: 600}, {X: 400, Y: 600}}
	ids, change, err := w.Add(ctx, building)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d region went, %d came\n", len(change.Removed), len(change.Added))
	if change, err = w.Remove(ctx, ids...); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d regions went, %d came\n", len(change.Removed), len(change.Added))
	// Output:
	// 1 region went, 4 came
	// 4 regions went, 1 came
}
