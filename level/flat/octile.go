package flat

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
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
// Cells of '.', 'G' (ground) and 'S' (swamp) are walkable. '@', 'O' (out of bounds), 'T' (trees) and 'W' (water) are not;
// Overgrown makes trees and water walkable. The cell in column x of row y covers x to x+1 and y to y+1, rows run to the south.
func decodeOctile(data []byte, opt source) (drawing, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errEmpty
	}
	width, height, head, rest, err := octileHead(data)
	if err != nil {
		return nil, err
	}
	m := &octileMap{grid: grid{width: width, height: height, limits: opt.Limits}, scale: opt.Scale}
	if err := checkGridSize(width, height, len(data)); err != nil {
		return nil, err
	}
	m.open, m.cells = make([]bool, width*height), make([]byte, width*height)
	for y := range height {
		if len(rest) == 0 {
			return nil, fmt.Errorf("line %d: the file ends before row %d of %d", head+y+1, y, height)
		}
		var row []byte
		row, rest, _ = bytes.Cut(rest, []byte("\n"))
		row = bytes.TrimRight(row, "\r")
		if len(row) != width {
			return nil, fmt.Errorf("line %d: row %d has %d cells; want %d", head+y+1, y, len(row), width)
		}
		for x, c := range row {
			k := slices.IndexFunc(letters, func(l letter) bool { return l.letter == c })
			if k < 0 {
				return nil, fmt.Errorf("line %d: cell %d of row %d is %q; want one of . G S @ O T W", head+y+1, x, y, c)
			}
			m.cells[y*width+x] = c
			m.open[y*width+x] = letters[k].open || opt.Overgrown && letters[k].name != ""
		}
	}
	for line := head + height + 1; len(rest) > 0; line++ {
		var text []byte
		text, rest, _ = bytes.Cut(rest, []byte("\n"))
		if len(bytes.TrimSpace(text)) > 0 {
			m.told = append(m.told, fmt.Sprintf("map: line %d: the text behind the last row is left out", line))
			break
		}
	}
	return m, nil
}

// octileHead reads the header and its number of lines; rest is the text after it.
func octileHead(data []byte) (width, height, lines int, rest []byte, err error) {
	for i := 0; len(data) > 0; i++ {
		var line []byte
		line, data, _ = bytes.Cut(data, []byte("\n"))
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
				return 0, 0, 0, nil, fmt.Errorf("line %d: unsupported type %.20q; supported: octile", i+1, value)
			}
		case "height", "width":
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 {
				return 0, 0, 0, nil, fmt.Errorf("line %d: invalid %s %.20q; want a number of cells", i+1, key, value)
			}
			if key == "width" {
				width = n
			} else {
				height = n
			}
		case "map":
			if width == 0 || height == 0 {
				return 0, 0, 0, nil, fmt.Errorf("line %d: the map begins before its width and height", i+1)
			}
			return width, height, i + 1, data, nil
		default:
			return 0, 0, 0, nil, fmt.Errorf("line %d: unexpected %.20q; want type, height, width or map", i+1, key)
		}
	}
	return 0, 0, 0, nil, errors.New("the file ends before the map begins")
}
