// Command meadow turns levels into navigation meshes and asks them for paths.
//
// Exit status 0: done. 1: the answer is no (no path, a check failed). 2: invalid usage or input, with one line on
// standard error. 70: an error of meadow itself, to be reported; with MEADOW_STACK=1 in the environment the line
// is followed by where it happened. 130: stopped by Ctrl-C. Files appear whole or not at all.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"github.com/meadow-nav/meadow/internal/excerpt"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/flat"
	"github.com/meadow-nav/meadow/level/heightmap"
)

// The exit statuses.
const (
	exitDone        = 0
	exitNo          = 1
	exitBad         = 2
	exitInternal    = 70  // EX_SOFTWARE of sysexits.h
	exitInterrupted = 130 // 128 + SIGINT, as in shells
)

// commands is the command line: one field per subcommand, each in its own file.
type commands struct {
	Version kong.VersionFlag `help:"Print the version and stop."`
	HelpAll helpAll          `help:"Print help with all flags." hidden:""`

	Demo  demoCmd  `cmd:"" group:"make" help:"Build a bundled level, walk it, write a picture and a live page."`
	Build buildCmd `cmd:"" group:"make" help:"Turn a level into a navigation mesh."`
	Join  joinCmd  `cmd:"" group:"make" help:"Make one mesh of a folder of tiles."`
	Widen widenCmd `cmd:"" group:"make" help:"Derive a mesh for a wider agent, without the level."`

	Convert convertCmd `cmd:"" group:"level" help:"Convert a level or a mesh from one format to another."`
	Gen     genCmd     `cmd:"" group:"level" help:"Make a level."`
	Terrain terrainCmd `cmd:"" group:"level" help:"Show the ground of a level and who may cross it; write the rules."`

	Path  pathCmd  `cmd:"" group:"ask" help:"Find the shortest path between two places on a mesh."`
	World worldCmd `cmd:"" group:"ask" rare:"Agent,Level,Floor" help:"Change a mesh by a script: obstacles, doors, questions; or measure changes."`
	Crowd crowdCmd `cmd:"" group:"ask" rare:"Agent,Level,Floor" help:"Move agents on a mesh, at random or by a scenario; measure them, draw them."`

	Info    infoCmd    `cmd:"" group:"judge" help:"Show the content of a mesh file and how the mesh was made."`
	Check   checkCmd   `cmd:"" group:"judge" rare:"Level,Floor" help:"Validate a mesh; print every fault with its place."`
	Metrics metricsCmd `cmd:"" group:"judge" rare:"Floor,Metrics" help:"Measure the quality of a mesh."`
	Verify  verifyCmd  `cmd:"" group:"judge" rare:"Agent,Level,Floor" help:"Judge meshes by the whole floor of their level: coverage, borders, heights, parts, paths."`
	Diff    diffCmd    `cmd:"" group:"judge" help:"Tell how two meshes differ: ground won and lost, heights, parts, links."`
	Compare compareCmd `cmd:"" group:"judge" rare:"Level,Growth" help:"Decompose one floor by many generators; print a table, draw them side by side."`
	View    viewCmd    `cmd:"" group:"judge" rare:"Level" help:"Open levels and meshes in the browser: build, turn, ask; or write such a page."`
	Render  renderCmd  `cmd:"" group:"judge" rare:"Level,Passing,Other ways" help:"Draw a mesh or a level as SVG or PNG."`

	Bench     benchCmd     `cmd:"" group:"science" help:"Measure how fast a mesh answers."`
	Lab       labCmd       `cmd:"" group:"science" help:"Try what the sources propose: graphs of points, smoothers, searches, roadmaps, passes by ground, bent regions."`
	Reproduce reproduceCmd `cmd:"" group:"science" help:"Run published experiments again; print their figures above ours."`

	Completion completionCmd `cmd:"" group:"more" help:"Print code that completes commands, flags and files in bash, zsh or fish."`
}

// env is the environment of a subcommand.
type env struct {
	ctx    context.Context
	stdout io.Writer
	stderr io.Writer
}

func main() {
	// Most memory of a build lives until its end: half as many collections save a tenth of the time.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(usualPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		stop() // a second signal ends the program at once
		// Most work watches the context and ends by itself. Finished files are renamed, so the rest may end
		// anywhere.
		time.Sleep(patience)
		fmt.Fprintln(os.Stderr, "meadow: stopped")
		os.Exit(exitInterrupted)
	})
	os.Exit(guard(os.Stderr, func() int { return run(ctx, os.Args[1:], os.Stdout, os.Stderr) }))
}

// memoryLimit is the memory from which on the collector looks for garbage more often, see [debug.SetMemoryLimit]. The rest
// of 2 GB is for memory outside the collector's count.
const memoryLimit = 1700 << 20

// collectOften makes the collector look for garbage more often for a level of many triangles: whenever the memory in use has
// grown by some 40 MB, or by a sixth where a sixth is more. At a million triangles the peak falls from 780 to 400 MB, and the work of the
// processor grows by a tenth.
func collectOften(triangles int) {
	if percent := collectPercent(triangles); percent < usualPercent && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// collectPercent returns by how much memory may grow, in per cent, before the collector looks for garbage. A triangle takes
// some 250 bytes.
func collectPercent(triangles int) int {
	const growth, least = 1 << 24, 16
	return min(usualPercent, max(least, growth/max(1, triangles)))
}

// usualPercent is [collectPercent] for small inputs.
const usualPercent = 200

// patience is how long a command may take to end after a signal.
const patience = 400 * time.Millisecond

// guard returns f's result, and turns a panic into one line and the exit status of an internal error.
func guard(stderr io.Writer, f func() int) (code int) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		stack := debug.Stack()
		if p, ok := r.(*par.Panic); ok { // of another goroutine
			stack = p.Stack
		}
		fmt.Fprintf(stderr, "meadow: internal error: %s; please report it\n", excerpt.Text(strings.TrimSpace(fmt.Sprint(r)), maxLine, false))
		if os.Getenv("MEADOW_STACK") != "" {
			fmt.Fprintf(stderr, "%s", stack)
		}
		code = exitInternal
	}()
	return f()
}

// grammar returns the parser of the command line.
func grammar(c *commands, stdout, stderr io.Writer) (*kong.Kong, error) {
	return kong.New(c,
		kong.Name("meadow"),
		kong.Description("Navigation meshes from levels, and shortest paths on them."),
		kong.Vars{
			"version":    "meadow " + version(),
			"kinds":      kindNames(),
			"generator":  catalog.Default,
			"generators": strings.Join(catalog.Names(), ", "),
			"limited":    strings.Join(catalog.Limited(), ", "),
			"extractor":  catalog.DefaultExtractor,
			"extractors": strings.Join(append(catalog.Extractors(), catalog.LimitedExtractors()...), ", "),
			"surfaces":   strings.Join(catalog.Surfaces(), ", "),
			"formats":    ".obj .glb .gltf .stl .ply .off .3mf .bsp .pk3 .map, or a height map .png .tif .asc .raw .r32",
			"maps":       strings.Join(flat.Extensions(), " "),
			"writes":     ".obj .glb .stl .ply",
		},
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { panic(exited(code)) }),
		kong.ConfigureHelp(helpOptions),
		kong.Help(shortHelp),
		kong.KindMapper(reflect.Int, wholeNumber{}), kong.KindMapper(reflect.Int64, wholeNumber{}), kong.KindMapper(reflect.Uint64, wholeNumber{}),
		commandGroups,
	)
}

// exited is the value with which kong's help and version flags leave parsing.
type exited int

// run is the whole program; it returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (code int) {
	defer func() {
		if r := recover(); r != nil {
			e, ours := r.(exited)
			if !ours {
				panic(r)
			}
			code = int(e)
		}
	}()
	var c commands
	parser, err := grammar(&c, stdout, stderr)
	if err != nil {
		panic(err) // the grammar is wrong: a test would have found it
	}
	if completing() {
		completions(parser)
	}
	switch {
	case len(args) == 0:
		args = []string{"--help"}
	case args[0] == "help":
		args = append(slices.Clone(args[1:]), "--help")
	}
	through, args, err := openStreams(args, os.Stdin)
	if err != nil {
		return report(stderr, "meadow", err)
	}
	defer through.close()
	stdout, stderr, data := through.named(stdout), through.named(stderr), stdout
	if through.out != "" {
		stdout = stderr // the text stays apart from the data
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		name := "meadow"
		if e := new(kong.ParseError); errors.As(err, &e) && e.Context.Selected() != nil {
			name = e.Context.Selected().FullPath()
		}
		return report(stderr, name, fmt.Errorf("%w; see %s --help", err, name))
	}
	name := parsed.Selected().FullPath()
	out := &printer{w: stdout}
	err = parsed.Run(&env{ctx: ctx, stdout: out, stderr: stderr})
	if err == nil {
		err = through.send(data)
	}
	if out.err != nil && (err == nil || errors.Is(err, out.err) || errors.As(err, new(noError))) {
		err = fmt.Errorf("standard output: %w", out.err) // who reads it has not got the answer
	}
	return report(stderr, name, err)
}

// noError is an answer of no: the question was understood and nothing is broken.
type noError struct{ error }

// no returns an error for exit status 1.
func no(format string, args ...any) error { return noError{fmt.Errorf(format, args...)} }

// report prints err as one line and returns its exit status.
func report(stderr io.Writer, name string, err error) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(stderr, "%s: stopped\n", name)
		return exitInterrupted
	}
	hint := ""
	if errors.As(err, new(*level.TooLarge)) {
		hint = "; --max-bytes and --max-triangles are the limits"
	}
	if strings.Contains(err.Error(), heightmap.NeedsRule) {
		hint = "; --map-rgb names the rule"
	}
	fmt.Fprintf(stderr, "%s: %s%s\n", name, once(name, oneLine(err)), hint)
	if errors.As(err, new(noError)) {
		return exitNo
	}
	return exitBad
}

// maxLine is how many bytes of an error are printed.
const maxLine = 4000

// oneLine joins the lines of an error, for instance of errors.Join. A longer line loses its middle, and
// control characters become escapes.
func oneLine(err error) string {
	lines := strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' })
	return excerpt.Text(strings.Join(lines, "; "), maxLine, false)
}

// once leaves out names of packages that an error, or the name of the command before it, has already said.
func once(command, text string) string {
	said := strings.Fields(command)
	parts := strings.Split(text, ": ")
	kept := parts[:0]
	for i, part := range parts {
		bare := i < len(parts)-1 && strings.Trim(part, lowercase) == ""
		if bare && slices.Contains(said, part) {
			continue
		}
		if bare {
			said = append(said, part)
		}
		kept = append(kept, part)
	}
	return strings.Join(kept, ": ")
}

const lowercase = "abcdefghijklmnopqrstuvwxyz"

// released is the version that cmd/dist gives to the programs of a release.
var released string

// version is that of the release, or of the module if installed by version, else the commit of the build.
func version() string {
	if released != "" {
		return released
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "devel " + s.Value[:min(12, len(s.Value))]
		}
	}
	return "devel"
}
