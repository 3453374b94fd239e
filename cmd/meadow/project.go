package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/internal/project"
)

// projectFile returns the project file that stands in place of a level: a .yaml file that is no map of a robot, a folder with meadow.yaml, or for no level
// at all that of this folder. It returns "" for a level.
func projectFile(level string) (string, error) {
	switch info, err := os.Stat(level); {
	case level == "":
		if _, err := os.Stat(project.Name); errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("no level is given, and this folder has no %s", project.Name)
		}
		return project.Name, nil
	case err == nil && info.IsDir():
		file := filepath.Join(level, project.Name)
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("%s: is a folder without %s", level, project.Name)
		}
		return file, nil
	}
	if ext := strings.ToLower(filepath.Ext(level)); (ext == ".yaml" || ext == ".yml") && !meadow.IsMap(level) {
		return level, nil
	}
	return "", nil
}

// notInProject are flags of build that a project file cannot set.
var notInProject = []string{"help", "help-all", "version", "json"}

// withProject are flags of build that count for all meshes of a project.
var withProject = []string{"json", "jobs"}

// buildProject builds all meshes of a project file, one after the other. All settings are read before the first build.
func (c *buildCmd) buildProject(e *env, ctx *kong.Context, file string) error {
	for _, p := range ctx.Path {
		if p.Flag != nil && !slices.Contains(withProject, p.Flag.Name) {
			return fmt.Errorf("%s: a project has its own --%s", file, p.Flag.Name)
		}
	}
	data, err := readFile(file)
	if err != nil {
		return err
	}
	meshes, err := project.Parse(data, file)
	if err != nil {
		return err
	}
	builds := make([]*buildCmd, len(meshes))
	for i, m := range meshes {
		if builds[i], err = c.ofProject(file, m); err != nil {
			return err
		}
		for j, other := range builds[:i] {
			if other.Out == builds[i].Out {
				return fmt.Errorf("%s:%d: out is %s, as in line %d", file, m.Line, other.Out, meshes[j].Line)
			}
		}
	}
	for i, b := range builds {
		if err := b.build(e); err != nil {
			return fmt.Errorf("%s:%d: %w", file, meshes[i].Line, err)
		}
	}
	return nil
}

// ofProject returns the command line of a mesh in a project, parsed.
func (c *buildCmd) ofProject(file string, m project.Mesh) (*buildCmd, error) {
	var line commands
	parser, err := grammar(&line, io.Discard, io.Discard)
	if err != nil {
		return nil, err
	}
	flags := map[string]*kong.Flag{}
	for _, node := range parser.Model.Children {
		if node.Name == "build" {
			for _, f := range node.Flags {
				flags[f.Name] = f
			}
		}
	}
	args := []string{"build"}
	level := ""
	for _, s := range m.Settings {
		fault := func(format string, a ...any) error {
			return &project.Fault{File: file, Line: s.Line, Text: fmt.Sprintf(format, a...)}
		}
		f := flags[s.Key]
		switch {
		case s.Key == "level":
		case f == nil || slices.Contains(notInProject, s.Key):
			return nil, fault("%q is no setting of a mesh; meadow build --help-all lists the settings", s.Key)
		case f.IsBool() && len(s.Values) == 1 && (s.Values[0] == "true" || s.Values[0] == "false"):
			if s.Values[0] == "true" {
				args = append(args, "--"+s.Key)
			}
			continue
		case f.IsBool():
			return nil, fault("%s is %q, must be true or false", s.Key, strings.Join(s.Values, ", "))
		}
		if len(s.Values) != 1 && (f == nil || !f.IsCumulative()) {
			return nil, fault("%s has %s, must have one", s.Key, count(len(s.Values), "value"))
		}
		for _, v := range s.Values {
			if s.Key == "level" || f.PlaceHolder == "FILE" && v != "auto" {
				if v, err = inFolder(filepath.Dir(file), v); err != nil {
					return nil, fault("%s: %v", s.Key, err)
				}
			}
			if s.Key == "level" {
				level = v
				continue
			}
			args = append(args, "--"+s.Key+"="+v)
		}
	}
	if level == "" {
		return nil, &project.Fault{File: file, Line: m.Line, Text: "the mesh has no level"}
	}
	if _, err := parser.Parse(append(args, "--", level)); err != nil {
		return nil, &project.Fault{File: file, Line: m.Line, Text: err.Error()}
	}
	b := &line.Build
	if b.Out == "" {
		return nil, &project.Fault{File: file, Line: m.Line, Text: "the mesh has no out, the file to write"}
	}
	b.JSON = c.JSON
	if c.Jobs != 0 {
		b.Jobs = c.Jobs
	}
	return b, nil
}

// inFolder returns a path of a project file as seen from here. Paths, and links that paths follow, may not leave the folder.
func inFolder(folder, path string) (string, error) {
	if !filepath.IsLocal(filepath.FromSlash(path)) {
		return "", fmt.Errorf("%q leaves the folder of the project", path)
	}
	joined := filepath.Join(folder, filepath.FromSlash(path))
	if strings.HasSuffix(path, "/") {
		joined += string(os.PathSeparator)
	}
	root, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return "", err
	}
	for _, p := range []string{filepath.Clean(joined), filepath.Dir(filepath.Clean(joined))} {
		real, err := filepath.EvalSymlinks(p)
		if err != nil {
			continue // to be made, or missed by its reader
		}
		if rel, err := filepath.Rel(root, real); err != nil || !filepath.IsLocal(rel) {
			return "", fmt.Errorf("%q leaves the folder of the project by a link", path)
		}
	}
	return joined, nil
}
