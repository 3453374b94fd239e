// Askonly loads a mesh and asks it for a path. It links no extractor, no generator and no codec:
// navfile and query are all that a program needs which walks on meshes that others built.
//
//	go run ./cmd/meadow build testdata/ramp.obj -o ramp.mesh
//	go run ./examples/askonly ramp.mesh 1 0 -3 20 3 -3
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"os"
	"strconv"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/navmesh/navfile"
	"github.com/meadow-nav/meadow/query"
)

func main() {
	if len(os.Args) != 8 {
		log.Fatal("usage: askonly MESH X Y Z X Y Z")
	}
	file, err := os.Open(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	mesh, err := navfile.Read(bufio.NewReader(file))
	if err != nil {
		log.Fatal(err)
	}
	var c [6]float64
	for i := range c {
		if c[i], err = strconv.ParseFloat(os.Args[i+2], 64); err != nil {
			log.Fatal(err)
		}
	}
	q := query.NewIndex(mesh).NewQuery()
	path, err := q.Path(context.Background(), geom.Vec{X: c[0], Y: c[1], Z: c[2]}, geom.Vec{X: c[3], Y: c[4], Z: c[5]})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("complete: %v, %.2f m\n", path.Complete, path.Length)
	for _, p := range path.Surface() {
		fmt.Println(p)
	}
}
