package bsp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/geom"
)

func TestParseEntities(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []entity
		err        string
	}{
		{"nothing", "", nil, ""},
		{"only its end", "\x00", nil, ""},
		{"blanks", " \r\n\t", nil, ""},
		{"empty", "{}", []entity{{}}, ""},
		{"two", "{ \"a\" \"1\" }\n{\n\"b\" \"x y\"\r\n\"C\" \"\"\n}\n\x00 what is behind the end", []entity{{"a": "1"}, {"b": "x y", "c": ""}}, ""},
		{"braces in a text", `{"a" "{}"}`, []entity{{"a": "{}"}}, ""},
		{"a key twice", `{"a" "1" "a" "2"}`, []entity{{"a": "2"}}, ""},
		{"an empty key", `{"" "1"}`, []entity{{"": "1"}}, ""},
		{"line ends in a text", "{\"a\" \"b\nc\"}", []entity{{"a": "b?c"}}, ""},
		{"no brace", `"a" "1"`, nil, `character 0: "a"; want {`},
		{"an empty text instead of a brace", `""`, nil, `character 0: ""; want {`},
		{"a quoted brace", `"{"`, nil, `character 0: "{"; want {`},
		{"no end", "{", nil, `character 1: entity 0: ""; want a quoted key or }`},
		{"no end after a value", `{} {"a" "1"`, nil, `character 11: entity 1: ""; want a quoted key or }`},
		{"no value", `{"a"}`, nil, `character 4: entity 0: "}"; want a quoted value`},
		{"a bare key", `{a "1"}`, nil, `character 1: entity 0: "a"; want a quoted key or }`},
		{"no second quote", `{"a" "1}`, nil, "character 5: unterminated text"},
		{"a brace inside", `{{}`, nil, `character 1: entity 0: "{"; want a quoted key or }`},
		{"too many", strings.Repeat("{}", maxEntities+1), nil, "character 131072: more than 65536 entities"},
		{"too long", strings.Repeat(" ", maxText+1), nil, "16777217 characters; the limit is 16777216"},
		{"bytes", "{\"a\" \"\xff\"} \xff", nil, `character 10: "?"; want {`},
	} {
		got, err := parseEntities([]byte(c.text))
		if diff := cmp.Diff(c.want, got); diff != "" && c.err == "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		if (err != nil || c.err != "") && (err == nil || err.Error() != c.err) {
			t.Errorf("%s: %v, want %s", c.name, err, c.err)
		}
	}
}

func TestOrigin(t *testing.T) {
	for text, want := range map[string]geom.Vec{
		"1 2 3":        {X: 1, Y: 2, Z: 3},
		" -1.5  2e1 0": {X: -1.5, Y: 20},
	} {
		if v, ok := (entity{"origin": text}).origin(); !ok || v != want {
			t.Errorf("%q is %v, %v", text, v, ok)
		}
	}
	for _, text := range []string{"", "1 2", "1 2 3 4", "1 2 x", "nan 0 0", "1e9 0 0", "0 -inf 0"} {
		if v, ok := (entity{"origin": text}).origin(); ok {
			t.Errorf("%q is %v", text, v)
		}
	}
}

// TestClasses places one entity of each sort and checks the result.
func TestClasses(t *testing.T) {
	for _, c := range []struct {
		class, kind string
		triangles   bool
	}{
		{"func_door", "door", false},
		{"func_door_rotating", "door", false},
		{"func_plat", "lift", false},
		{"func_train", "mover", false},
		{"func_bobbing", "mover", false},
		{"func_rotating", "mover", false},
		{"func_pendulum", "mover", false},
		{"func_button", "button", true},
		{"func_static", "", true},
		{"func_something", "func_something", true},
		{"trigger_push", "jumppad", false},
		{"trigger_hurt", "hurt", false},
		{"trigger_teleport", "teleporter", false},
		{"trigger_multiple", "trigger_multiple", false},
	} {
		b := room()
		b.entities = `{"classname" "` + c.class + `" "model" "*2"}`
		lvl := read(t, b, Options{})
		last := lvl.Markers[len(lvl.Markers)-1].Kind
		if c.kind == "" && last != "water" || c.kind != "" && last != c.kind {
			t.Errorf("%s: the last marker is of kind %q, want %q", c.class, last, c.kind)
		}
		if got := len(lvl.Objects) == 3; got != c.triangles {
			t.Errorf("%s: triangles %v, want %v", c.class, got, c.triangles)
		}
	}
}
