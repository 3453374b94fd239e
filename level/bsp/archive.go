package bsp

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"strings"

	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/internal/input"
)

// Limits on archives.
const (
	maxDirectory = 1 << 24 // bytes of the directory, which is some 50,000 files
	maxListed    = 6       // names in an error
)

// DecodeArchive reads a level from an archive: the level opt.Map, or the only one. The level takes the name
// of its own file. See [Decode] for the rest.
//
// Only the archive's directory and the level's file are unpacked, within the limits, whatever sizes the
// directory states. Of a file on disk nothing else is read either; an archive from a pipe may have as many
// bytes as the limits allow.
func DecodeArchive(r io.Reader, opt Options) (*level.Level, error) {
	at, size, err := randomly(r, opt.Limits)
	if err != nil {
		return nil, fmt.Errorf("pk3: %w", err)
	}
	// The directory becomes memory: the limit on reading holds, whatever size the directory states.
	in := &metered{ReaderAt: at, left: maxDirectory}
	archive, err := zip.NewReader(in, size)
	if err != nil {
		return nil, fmt.Errorf("pk3: %w", err)
	}
	in.left = math.MaxInt64
	file, err := choose(archive.File, opt.Map)
	if err != nil {
		return nil, fmt.Errorf("pk3: %w", err)
	}
	name := clean(file.Name)
	if most := opt.Limits.WithDefaults().Bytes; file.UncompressedSize64 > uint64(most) {
		return nil, fmt.Errorf("pk3: %.200s: %w", name, &level.TooLarge{Kind: "bytes", Most: most})
	}
	unpacked, err := file.Open()
	if err != nil {
		return nil, fmt.Errorf("pk3: %.200s: %w", name, err)
	}
	defer unpacked.Close()
	// Contents are rarely more than three times as large.
	const ratio = 8
	lvl, err := Decode(sized{unpacked, int(min(file.UncompressedSize64, ratio*uint64(size)))}, name, opt)
	if err != nil {
		return nil, fmt.Errorf("pk3: %.200s: %w", name, err)
	}
	return lvl, nil
}

// metered is a reader that ends with an error after some bytes.
type metered struct {
	io.ReaderAt
	left int64
}

func (m *metered) ReadAt(p []byte, at int64) (int, error) {
	if m.left -= int64(len(p)); m.left < 0 {
		return 0, fmt.Errorf("the directory has more than %d bytes", maxDirectory)
	}
	return m.ReaderAt.ReadAt(p, at)
}

// sized is a reader with a limit in bytes.
type sized struct {
	io.Reader
	size int
}

func (s sized) Len() int { return s.size }

// randomly returns an archive to be read anywhere: a file as it is, from its start; anything else through
// memory, up to one byte beyond the limit.
func randomly(r io.Reader, limits level.Limits) (io.ReaderAt, int64, error) {
	if err := limits.Validate(); err != nil {
		return nil, 0, err
	}
	if r == nil {
		return nil, 0, errors.New("the reader is nil")
	}
	type file interface {
		io.ReaderAt
		io.Seeker
		fs.File
	}
	if f, ok := r.(file); ok {
		info, err := f.Stat()
		if err == nil && info.Mode().IsRegular() {
			if from, err := f.Seek(0, io.SeekCurrent); err == nil && from == 0 {
				return f, info.Size(), nil
			}
		}
	}
	data, err := input.All(r, limits)
	return bytes.NewReader(data), int64(len(data)), err
}

// choose returns the level with the given name, or the only level.
func choose(files []*zip.File, name string) (*zip.File, error) {
	var levels, fitting []*zip.File
	for _, f := range files {
		if !strings.EqualFold(path.Ext(f.Name), ".bsp") {
			continue
		}
		levels = append(levels, f)
		if name == "" || goesBy(f.Name, name) {
			fitting = append(fitting, f)
		}
	}
	switch {
	case len(levels) == 0:
		return nil, fmt.Errorf("no .bsp among the %d files of the archive", len(files))
	case len(fitting) == 0:
		return nil, fmt.Errorf("no level %.80q; the archive has %s", name, names(levels))
	case len(fitting) > 1 && name == "":
		return nil, fmt.Errorf("the archive has %d levels; name one of %s", len(levels), names(levels))
	case len(fitting) > 1:
		return nil, fmt.Errorf("%d levels match %.80q: %s", len(fitting), name, names(fitting))
	}
	return fitting[0], nil
}

// goesBy reports whether name is the path of a file or its end, with or without the extension.
func goesBy(file, name string) bool {
	file, name = strings.ToLower(input.Slashed(file)), strings.ToLower(input.Slashed(name))
	file, name = strings.TrimSuffix(file, ".bsp"), strings.TrimSuffix(name, ".bsp")
	return file == name || strings.HasSuffix(file, "/"+name)
}

// names lists levels for an error.
func names(levels []*zip.File) string {
	var list []string
	for i, f := range levels {
		if i == maxListed {
			list = append(list, fmt.Sprintf("and %d more", len(levels)-i))
			break
		}
		base := path.Base(input.Slashed(clean(f.Name)))
		list = append(list, fmt.Sprintf("%.80s", strings.TrimSuffix(base, path.Ext(base))))
	}
	return strings.Join(list, ", ")
}
