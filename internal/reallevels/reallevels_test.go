package reallevels

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFoldersOfLevels(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("MEADOW_LEVELS", dir)
	if err := os.WriteFile(filepath.Join(dir, "a.obj"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := Path(t, "a.obj"), filepath.Join(dir, "a.obj"); got != want {
		t.Errorf("path %s, want %s", got, want)
	}
	if got := Glob(t, "*.obj"); len(got) != 1 || got[0] != filepath.Join(dir, "a.obj") {
		t.Errorf("matches %v", got)
	}
	ran := false
	t.Run("missing", func(t *testing.T) {
		Path(t, "b.obj")
		ran = true
	})
	t.Run("no match", func(t *testing.T) {
		Glob(t, "*.glb")
		ran = true
	})
	if ran {
		t.Error("a test went on without its level")
	}
}

// Without the variable the folder lies beside the checkout, however deep the package of the test is.
func TestFolderBesideCheckout(t *testing.T) {
	t.Setenv("MEADOW_LEVELS", "")
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := Dir(), filepath.Join(wd, "../../../shared/levels"); got != want {
		t.Errorf("folder %s, want %s", got, want)
	}
}
