package meadow

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/meadow-nav/meadow/internal/atomicfile"
	"github.com/meadow-nav/meadow/navmesh/streamfile"
	"github.com/meadow-nav/meadow/query/streamed"
)

// WriteStreamed writes the mesh in tiles: see [OpenStreamed].
func (m *Mesh) WriteStreamed(w io.Writer, opt streamfile.Options) error {
	if err := m.usable(); err != nil {
		return err
	}
	if w == nil {
		return errors.New("meadow: the writer is nil")
	}
	return streamfile.Write(w, m.Mesh, opt)
}

// SaveStreamed writes the mesh in tiles to the file at path. After an error, the file is as before.
func (m *Mesh) SaveStreamed(path string, opt streamfile.Options) error {
	if err := m.usable(); err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error { return m.WriteStreamed(w, opt) })
}

// StreamedFile is an open file of a mesh in tiles. Any number of goroutines use a StreamedFile.
type StreamedFile struct {
	*streamed.Stream
	file *os.File
}

// OpenStreamed opens a file that [Mesh.SaveStreamed] wrote, and reads its index alone: tiles come into memory when paths
// need them, and go by the budget. See package query/streamed. [Load] reads the whole mesh of such a file.
func OpenStreamed(path string, opt streamed.Options) (*StreamedFile, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		var s *streamed.Stream
		if s, err = streamed.Open(f, info.Size(), opt); err == nil {
			return &StreamedFile{s, f}, nil
		}
		err = fmt.Errorf("%s: %w", path, err)
	}
	return nil, errors.Join(err, f.Close())
}

// Close closes the file. Tiles in memory and views stay usable; reading another tile fails.
func (s *StreamedFile) Close() error {
	if s == nil || s.file == nil {
		return nil // no file is open
	}
	return s.file.Close()
}
