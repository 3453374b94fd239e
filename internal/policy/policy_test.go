package policy

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// file is a source file and its imports.
type file struct {
	path    string // relative to the root of the module
	dir     string // its folder, "." for the root
	test    bool
	imports []string
}

// eachFile visits every file of the module that the go command would look at, and the pages.
func eachFile(t *testing.T, root string, visit func(rel, text string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() {
			// The go command's ignored folders, and the folder for results at the root.
			hidden := strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "testdata"
			if name != root && (hidden || name == filepath.Join(root, "out")) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(base, ".go") && !strings.HasSuffix(base, ".md") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		visit(filepath.ToSlash(rel), string(text))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// readTree parses the imports of every Go file of the module, whatever its build tags.
func readTree(t *testing.T, root string) []file {
	t.Helper()
	var files []file
	eachFile(t, root, func(rel, text string) {
		if !strings.HasSuffix(rel, ".go") {
			return
		}
		src, err := parser.ParseFile(token.NewFileSet(), rel, text, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		f := file{path: rel, dir: path.Dir(rel), test: strings.HasSuffix(rel, "_test.go")}
		for _, spec := range src.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			f.imports = append(f.imports, imported)
		}
		files = append(files, f)
	})
	return files
}

// rules is every table, parsed.
type rules struct {
	imports     graph
	everywhere  []string
	modules     []fence
	testModules []string
	fenced      []fence
}

// fence opens some imports to some packages.
type fence struct{ imports, open []string }

func parseFences(table string) []fence {
	var out []fence
	for line := range strings.Lines(table) {
		if what, who, ok := strings.Cut(line, ":"); ok {
			out = append(out, fence{list(what), list(who)})
		}
	}
	return out
}

func loadRules(t *testing.T) rules {
	t.Helper()
	g, err := parse(Imports)
	if err != nil {
		t.Fatal(err)
	}
	return rules{g, list(strings.TrimSpace(Everywhere)), parseFences(Modules), strings.Fields(ModulesOfTests), parseFences(Fenced)}
}

// fault returns the fault of f importing imported, "" for none.
func (r *rules) fault(f file, imported string) string {
	if inside, ok := strings.CutPrefix(imported+"/", Module+"/"); ok {
		if f.test {
			return "" // a test may bring in whatever it compares with; the compiler forbids cycles
		}
		return r.insideFault(f.dir, strings.TrimSuffix(inside, "/"))
	}
	edge := fmt.Sprintf("%s imports %q", f.path, imported)
	if strings.Contains(strings.SplitN(imported, "/", 2)[0], ".") {
		for _, m := range r.testModules {
			if f.test && within(imported, m) {
				return ""
			}
		}
		for _, m := range r.modules {
			if within(imported, m.imports[0]) && match(m.open, f.dir) != "" {
				return ""
			}
		}
		return edge + ": no line of Modules allows it"
	}
	for _, m := range r.fenced {
		if slices.Contains(m.imports, imported) && match(m.open, f.dir) == "" && (!f.test || imported == "unsafe") {
			return edge + ": the line of Fenced for it does not name the package"
		}
	}
	return ""
}

func (r *rules) insideFault(dir, imported string) string {
	if imported == "" {
		imported = "."
	}
	edge := fmt.Sprintf("%s imports %s", dir, imported)
	if match(r.everywhere, imported) != "" {
		return ""
	}
	if match(r.everywhere, dir) != "" {
		return edge + ": a package of Everywhere imports only others of it"
	}
	above, below := match(r.imports.names, dir), match(r.imports.names, imported)
	switch {
	case above == "":
		return edge + ": no line of Imports names " + dir
	case below == "":
		return edge + ": no line of Imports names " + imported
	case !slices.Contains(r.imports.allowed[above], below):
		return fmt.Sprintf("%s: no line puts %s below %s", edge, below, above)
	}
	return ""
}

// within reports whether the import path p lies in the module m.
func within(p, m string) bool { return p == m || strings.HasPrefix(p, m+"/") }

func TestImportPolicy(t *testing.T) {
	r := loadRules(t)
	files := readTree(t, filepath.Join("..", ".."))
	if len(files) < 20 {
		t.Fatalf("only %d files read, the walk is wrong", len(files))
	}
	for _, f := range files {
		if f.dir != "." && match(r.everywhere, f.dir) == "" && match(r.imports.names, f.dir) == "" {
			t.Errorf("%s: no table names the package %s", f.path, f.dir)
			continue
		}
		for _, imported := range f.imports {
			if fault := r.fault(f, imported); fault != "" {
				t.Error(fault)
			}
		}
	}
}

// TestSidesStayApart checks the table against itself: no wording of Imports may let the build side
// and the run side meet below the root.
func TestSidesStayApart(t *testing.T) {
	g := loadRules(t).imports
	for line := range strings.Lines(Apart) {
		left, right, ok := strings.Cut(line, "|")
		if !ok {
			continue
		}
		for _, a := range list(left) {
			for _, b := range list(right) {
				if !slices.Contains(g.names, a) || !slices.Contains(g.names, b) {
					t.Errorf("%s | %s: one of them is not in Imports", a, b)
				}
				if slices.Contains(g.allowed[a], b) {
					t.Errorf("%s may reach %s", a, b)
				}
				// A catalogue lists its members; every other pair stays apart in both directions.
				if b != "lab/catalog" && slices.Contains(g.allowed[b], a) {
					t.Errorf("%s may reach %s", b, a)
				}
			}
		}
	}
}

// applications put everything in the hands of people, lab included: commands, and the workbench of pages.
var applications = []string{"cmd", "examples", "view/workbench", "view/buildwasm", "view/server"}

// TestLabStaysApart checks the table against itself: no wording of Imports may let a package of the product reach lab.
func TestLabStaysApart(t *testing.T) {
	g := loadRules(t).imports
	isLab := func(name string) bool { return within(name, "lab") }
	labs := 0
	for _, name := range g.names {
		if isLab(name) {
			labs++
		}
		if isLab(name) || slices.ContainsFunc(applications, func(a string) bool { return within(name, a) }) {
			continue
		}
		for _, below := range g.allowed[name] {
			if isLab(below) {
				t.Errorf("%s may reach %s", name, below)
			}
		}
	}
	if labs < 5 {
		t.Fatalf("only %d names in lab, the test looks at the wrong folder", labs)
	}
}

// TestTheTestBites gives the rules imports to refuse, and similar imports to allow.
func TestTheTestBites(t *testing.T) {
	r := loadRules(t)
	tests := []struct {
		dir, imported string
		test, ok      bool
	}{
		{dir: "geom/lattice", imported: Module + "/geom", ok: true},
		{dir: "geom", imported: Module + "/geom/lattice"},
		{dir: "query", imported: Module + "/navmesh", ok: true},
		{dir: "query", imported: Module + "/plan"},
		{dir: "query", imported: Module + "/build/join"},
		{dir: "query", imported: Module + "/build/join", test: true, ok: true},
		{dir: "build/anavmg", imported: Module + "/build/gen", ok: true},
		{dir: "build/anavmg", imported: Module + "/build/hertelmehlhorn"},
		{dir: "build/anavmg", imported: Module + "/navmesh"},
		{dir: "lab/catalog", imported: Module + "/build/anavmg", ok: true},
		{dir: "lab/raster", imported: Module + "/build/gen"},
		{dir: "draw/svg", imported: Module + "/draw/png"},
		{dir: "draw", imported: Module + "/query"},
		{dir: ".", imported: Module + "/lab/catalog"},
		{dir: "query", imported: Module + "/lab/search"},
		{dir: "build/best", imported: Module + "/lab/delaunay"},
		{dir: "cmd/meadow", imported: Module + "/lab/catalog", ok: true},
		{dir: "cmd/meadow", imported: Module, ok: true},
		{dir: "navmesh", imported: Module},
		{dir: "internal/par", imported: Module + "/geom"},
		{dir: "build/plan", imported: Module + "/internal/par", ok: true},
		{dir: "unheard/of", imported: Module + "/geom"},
		{dir: "geom", imported: Module + "/unheard/of"},
		{dir: "level/gltf", imported: "github.com/qmuntal/gltf/modeler", ok: true},
		{dir: "query", imported: "github.com/qmuntal/gltf"},
		{dir: "query", imported: "pgregory.net/rapid", test: true, ok: true},
		{dir: "query", imported: "pgregory.net/rapid"},
		{dir: "level/obj", imported: "os"},
		{dir: "level/obj", imported: "os", test: true, ok: true},
		{dir: "level/obj", imported: "io/fs", ok: true},
		{dir: "cmd/meadow", imported: "os", ok: true},
		{dir: "internal/par", imported: "unsafe"},
		{dir: "internal/par", imported: "unsafe", test: true},
	}
	for _, tt := range tests {
		f := file{path: tt.dir + "/x.go", dir: tt.dir, test: tt.test, imports: []string{tt.imported}}
		if fault := r.fault(f, tt.imported); (fault == "") != tt.ok {
			t.Errorf("%s (test %v) imports %s: got fault %q, want ok %v", tt.dir, tt.test, tt.imported, fault, tt.ok)
		}
	}
}

func TestParseFindsCycles(t *testing.T) {
	if _, err := parse("a < b\nb < c < a\n"); err == nil || !strings.Contains(err.Error(), "below itself") {
		t.Errorf("got %v", err)
	}
	if _, err := parse("a, b\n"); err == nil || !strings.Contains(err.Error(), "no <") {
		t.Errorf("got %v", err)
	}
}

// TestNamedTestsExist: a comment or a page may name only existing tests.
func TestNamedTestsExist(t *testing.T) {
	root := filepath.Join("..", "..")
	defined := map[string]bool{}
	type mention struct{ file, name string }
	var mentions []mention
	name := regexp.MustCompile(`\b(?:Test|Fuzz|Benchmark)[A-Z]\w+`)
	definition := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)[A-Z]\w+)\(`)
	eachFile(t, root, func(rel string, text string) {
		switch {
		case strings.HasSuffix(rel, "_test.go"):
			for _, m := range definition.FindAllStringSubmatch(text, -1) {
				defined[m[1]] = true
			}
		case strings.HasSuffix(rel, ".go"), strings.HasSuffix(rel, ".md"):
			for _, m := range name.FindAllString(text, -1) {
				mentions = append(mentions, mention{rel, m})
			}
		}
	})
	if len(defined) < 100 || len(mentions) < 10 {
		t.Fatalf("%d tests and %d mentions, the walk is wrong", len(defined), len(mentions))
	}
	for _, m := range mentions {
		if !defined[m.name] {
			t.Errorf("%s names %s, and there is no such test", m.file, m.name)
		}
	}
}

// longForms counts the lines that ask package slow for the form of a test, and returns the numbers of lines that do so outside
// of tests.
func longForms(text string) (calls int, outside []int) {
	inTest := false
	for i, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(line, "func Test"):
			inTest = true
		case declaration.MatchString(line):
			inTest = false
		}
		if formCall.MatchString(line) {
			calls++
			if !inTest {
				outside = append(outside, i+1)
			}
		}
	}
	return calls, outside
}

var (
	declaration = regexp.MustCompile(`^(func|var|const|type)\b`)
	formCall    = regexp.MustCompile(`\bslow\.(Count|Enabled)\b`)
)

// TestLongFormsAreFound: only the body of a test chooses its form, because `make laws` searches the bodies of tests.
func TestLongFormsAreFound(t *testing.T) {
	all := 0
	eachFile(t, filepath.Join("..", ".."), func(rel, text string) {
		if !strings.HasSuffix(rel, "_test.go") || strings.HasPrefix(rel, "internal/slow/") || strings.HasPrefix(rel, "internal/policy/") {
			return
		}
		calls, outside := longForms(text)
		all += calls
		for _, line := range outside {
			t.Errorf("%s:%d asks for the long form outside of a test", rel, line)
		}
	})
	if all < 30 {
		t.Errorf("%d long forms, the walk is wrong", all)
	}
	const planted = "func TestA(t *testing.T) {\n\tslow.Count(1, 2)\n}\n\nvar most = slow.Count(1, 2)\n\nfunc rounds() bool { return slow.Enabled() }\n"
	if calls, outside := longForms(planted); calls != 3 || !slices.Equal(outside, []int{5, 7}) {
		t.Errorf("planted calls: %d, outside of tests in lines %v", calls, outside)
	}
}

// TestLinksLeadSomewhere: every relative link and picture of a page is in the tree.
func TestLinksLeadSomewhere(t *testing.T) {
	root := filepath.Join("..", "..")
	link := regexp.MustCompile(`\]\(([^)#\s]+)[^)]*\)`)
	links := 0
	eachFile(t, root, func(rel, text string) {
		if !strings.HasSuffix(rel, ".md") {
			return
		}
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			links++
			target := filepath.Join(root, filepath.FromSlash(path.Join(path.Dir(rel), m[1])))
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", rel, m[1], err)
			}
		}
	})
	if links < 10 {
		t.Fatalf("only %d links, the expression is wrong", links)
	}
}

// TestArchitecturePrintsTheTable keeps the page and the table from drifting apart.
func TestArchitecturePrintsTheTable(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(page), "\r\n", "\n")
	if !strings.Contains(text, Imports) {
		t.Error("ARCHITECTURE.md does not hold the lines of policy.Imports word for word")
	}
}

// linked returns the variables that the linker sets in a Makefile, as import path and name.
func linked(makefile string) (variables [][2]string) {
	module := regexp.MustCompile(`(?m)^MODULE := (\S+)$`).FindStringSubmatch(makefile)
	for _, m := range regexp.MustCompile(`-X=(\S+)\.(\w+)=`).FindAllStringSubmatch(makefile, -1) {
		if module != nil {
			m[1] = strings.ReplaceAll(m[1], "$(MODULE)", module[1])
		}
		variables = append(variables, [2]string{m[1], m[2]})
	}
	return variables
}

// TestLinkedVariablesExist: the linker accepts names of variables that do not exist, and sets nothing.
func TestLinkedVariablesExist(t *testing.T) {
	root := filepath.Join("..", "..")
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	// exists reports whether a package has the variable as a text that the linker can set.
	exists := func(path, name string) bool {
		inside, ok := strings.CutPrefix(path, Module+"/")
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(inside), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if ok && regexp.MustCompile(`(?m)^var `+name+` = "`).Match(text) {
				return true
			}
		}
		return false
	}
	variables := linked(string(makefile))
	if len(variables) == 0 {
		t.Error("the Makefile sets no variable, the test looks at the wrong lines")
	}
	for _, v := range variables {
		if !exists(v[0], v[1]) {
			t.Errorf("the Makefile lets the linker set %s in %s, which has no such text", v[1], v[0])
		}
	}
	for _, planted := range []string{"-X=$(MODULE)/internal/invariant.check=on", "-X=$(MODULE)/internal/invariants.checks=on"} {
		for _, v := range linked("MODULE := " + Module + "\nFLAGS := " + planted + "\n") {
			if exists(v[0], v[1]) {
				t.Errorf("%s has a planted fault, and is found", planted)
			}
		}
	}
}
