package flat

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"github.com/meadow-nav/meadow/plan"
)

// decodeOctile reads a grid in the format of the Moving AI benchmarks: four lines of head and a
// character for every cell.
//
//	type octile
//	height 49
//	width 49
//	map
//	@@@TT....
//
// Cells of '.', 'G' (ground) and 'S' (swamp) are walkable. '@', 'O' (out of bounds), 'T' (trees) and
// 'W' (water) are not. The cell in column x of row y covers x to x+1 and y to y+1, rows run to the
// south.
func decodeOctile(data []byte, opt Options) (*plan.Plan, []string, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, nil, errEmpty
	}
	lines := bytes.Split(data, []byte("\n"))
	for i, line := range lines {
		lines[i] = bytes.TrimRight(line, "\r")
	}
	width, height, rows, err := octileHead(lines)
	if err != nil {
		return nil, nil, err
	}
	g := grid{width: width, height: height}
	lines = lines[rows:]
	if err := checkGridSize(width, height, len(data)); err != nil {
		return nil, nil, err
	}
	g.open = make([]bool, width*height)
	for y := range height {
		if y >= len(lines) || y == len(lines)-1 && len(lines[y]) == 0 {
			return nil, nil, fmt.Errorf("line %d: the file ends, row %d of %d is missing", rows+y+1, y, height)
		}
		row := lines[y]
		if len(row) != width {
			return nil, nil, fmt.Errorf("line %d: row %d has %d cells, not %d", rows+y+1, y, len(row), width)
		}
		for x, c := range row {
			switch c {
			case '.', 'G', 'S':
				g.open[y*width+x] = true
			case '@', 'O', 'T', 'W':
			default:
				return nil, nil, fmt.Errorf("line %d: cell %d of row %d is %q, none of . G S @ O T W", rows+y+1, x, y, c)
			}
		}
	}
	var warnings []string
	for i := height; i < len(lines); i++ {
		if len(bytes.TrimSpace(lines[i])) > 0 {
			warnings = append(warnings, fmt.Sprintf("map: line %d: what follows the last row is left out", rows+i+1))
			break
		}
	}
	p, err := g.plan(opt.Scale, opt.Scale)
	return p, warnings, err
}

// octileHead reads the head; rows is the number of lines that it takes.
func octileHead(lines [][]byte) (width, height, rows int, err error) {
	for i, line := range lines {
		fields := bytes.Fields(line)
		if len(fields) == 0 {
			continue
		}
		key, value := string(fields[0]), ""
		if len(fields) > 1 {
			value = string(fields[1])
		}
		switch key {
		case "type":
			if value != "octile" {
				return 0, 0, 0, fmt.Errorf("line %d: type %.20q, only octile is known", i+1, value)
			}
		case "height", "width":
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 {
				return 0, 0, 0, fmt.Errorf("line %d: %s %.20q is no number of cells", i+1, key, value)
			}
			if key == "width" {
				width = n
			} else {
				height = n
			}
		case "map":
			if width == 0 || height == 0 {
				return 0, 0, 0, fmt.Errorf("line %d: the map begins before its width and height", i+1)
			}
			return width, height, i + 1, nil
		default:
			return 0, 0, 0, fmt.Errorf("line %d: %.20q instead of type, height, width or map", i+1, key)
		}
	}
	return 0, 0, 0, errors.New("the file ends before the map begins")
}
