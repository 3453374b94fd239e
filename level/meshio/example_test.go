package meshio_test

import (
	"fmt"
	"testing/fstest"

	"github.com/meadow-nav/meadow/level/meshio"
)

// A file from a program that works in centimetres with Z up.
func ExampleOpen() {
	files := fstest.MapFS{"ramp.obj": {Data: []byte("g ramp\nv 0 0 0\nv 400 0 0\nv 400 300 50\nv 0 300 50\nf 1 2 3 4\n")}}
	lvl, err := meshio.Open(files, "ramp.obj", meshio.Options{Scale: 0.01, Up: meshio.Z})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(lvl.Triangles), "triangles of", lvl.Objects[0].Name, "up to", lvl.Bounds().Max)

	_, err = meshio.Open(fstest.MapFS{"bad.obj": {Data: []byte("v 0 0 0\nf 1 2 3\n")}}, "bad.obj", meshio.Options{})
	fmt.Println(err)
	// Output:
	// 2 triangles of ramp up to (4.000, 0.500, 0.000)
	// bad.obj: obj: line 2: face vertex 2 of 1
}
