package search_test

import (
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/lab/search"
)

// TestChambers checks the promises of chambers: every cell has a room, doors join rooms that are there and, where
// no blocked cell is strewn, all rooms are joined by doors; centres are free cells of their room.
func TestChambers(t *testing.T) {
	for seed := range uint64(40) {
		w, h := 20+int(seed*17%200), 20+int(seed*29%200)
		further := int(seed % 4)
		random := search.RandomChambers
		if seed >= 30 {
			random = search.RandomClosets
		}
		c, err := random(w, h, further, seed)
		if err != nil {
			t.Fatal(err)
		}
		rooms := int32(len(c.Centre))
		for i, k := range c.Room {
			if k < 0 || k >= rooms {
				t.Fatalf("seed %d: cell %d of room %d of %d", seed, i, k, rooms)
			}
		}
		var edges []search.Edge
		for _, d := range c.Doors {
			if d[0] == d[1] {
				t.Fatalf("seed %d: a door from room %d to itself", seed, d[0])
			}
			edges = append(edges, search.Edge{From: d[0], To: d[1], Cost: 1}, search.Edge{From: d[1], To: d[0], Cost: 1})
		}
		g, err := search.NewGraph(int(rooms), edges)
		if err != nil {
			t.Fatal(err)
		}
		if further == 0 && len(c.Doors) >= int(rooms) {
			t.Fatalf("seed %d: %d doors between %d rooms: there are ways around", seed, len(c.Doors), rooms)
		}
		s := search.NewDijkstra(g)
		for k, cell := range c.Centre {
			if c.Blocked[cell] || c.Room[cell] != int32(k) {
				t.Fatalf("seed %d: the middle of room %d is cell %d of room %d", seed, k, cell, c.Room[cell])
			}
			if !find(t, s, 0, int32(k)).Found() {
				t.Fatalf("seed %d: no doors lead to room %d", seed, k)
			}
		}
		again, err := random(w, h, further, seed)
		if err != nil || !slices.Equal(again.Blocked, c.Blocked) {
			t.Fatalf("seed %d: not the same again", seed)
		}
	}
	if _, err := search.RandomChambers(0, 5, 0, 1); err == nil {
		t.Error("chambers on 0 × 5 cells")
	}
	if _, err := search.RandomChambers(5, 5, -1, 1); err == nil {
		t.Error("chambers with one in -1 further passages")
	}
	if _, err := search.RandomClosets(5, 5, -1, 1); err == nil {
		t.Error("closets with one in -1 further passages")
	}
}

// TestClosetsAreShut: blocked cells close about a quarter of the doors of closets.
func TestClosetsAreShut(t *testing.T) {
	shut, doors := 0, 0
	for seed := range uint64(2) {
		c, err := search.RandomClosets(150, 150, 2, seed)
		if err != nil {
			t.Fatal(err)
		}
		g, _, err := c.Graph()
		if err != nil {
			t.Fatal(err)
		}
		open, err := c.OverviewOfOpenDoors(g)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := c.Overview()
		if err != nil {
			t.Fatal(err)
		}
		for room := range int32(len(c.Centre)) {
			_, costs := open.Graph.From(room)
			_, distances := plain.Graph.From(room)
			for i := range costs {
				doors++
				if costs[i] > distances[i] {
					shut++
				}
			}
		}
	}
	if share := float64(shut) / float64(doors); !(share > 0.2 && share < 0.3) {
		t.Errorf("%d of %d doors are closed", shut, doors)
	}
}
