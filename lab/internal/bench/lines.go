package bench

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
)

// Lines is a file of finished work, with a line of JSON for each piece. A stopped program goes on from its Lines and
// loses the pieces at work only. The nil Lines keeps nothing.
type Lines struct{ file *os.File }

// OpenLines opens or makes a file and calls read with every whole line, counted from 0. An incomplete last line is
// removed.
func OpenLines(path string, read func(n int, line []byte) error) (*Lines, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	whole, err := readLines(file, read)
	if err == nil {
		err = file.Truncate(whole)
	}
	if err == nil {
		_, err = file.Seek(whole, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &Lines{file}, nil
}

// readLines calls read with every whole line and returns the length of these lines in bytes.
func readLines(file io.Reader, read func(n int, line []byte) error) (whole int64, err error) {
	in := bufio.NewReader(file)
	for n := 0; ; n++ {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return whole, nil
		}
		if err == nil {
			err = read(n, line)
		}
		if err != nil {
			return 0, err
		}
		whole += int64(len(line))
	}
}

// Append writes a line.
func (l *Lines) Append(v any) error {
	if l == nil {
		return nil
	}
	data, err := json.Marshal(v)
	if err == nil {
		_, err = l.file.Write(append(data, '\n'))
	}
	return err
}

// Close closes the file.
func (l *Lines) Close() error {
	if l == nil {
		return nil
	}
	return l.file.Close()
}
