package input

import (
	"strings"
	"testing"
)

func TestUTF8(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "v": "v", "v 1": "v 1", "\ufeffv": "\ufeffv",
		"\xff\xfev\x00 \x00\xe4\x00": "v ä", "\xfe\xff\x00v\x00 \x00\xe4": "v ä",
		"\xff\xfe\x3d\xd8\x00\xde": "😀", "\xff\xfe\x3d\xd8": "\ufffd", "\xff\xfe\x3d\xd8v\x00": "\ufffdv",
	} {
		if got, err := UTF8([]byte(in)); err != nil || string(got) != want {
			t.Errorf("%q: %q, %v; want %q", in, got, err, want)
		}
	}
	if _, err := UTF8([]byte("\xff\xfev")); err == nil || !strings.Contains(err.Error(), "odd number") {
		t.Errorf("an odd number of bytes: %v", err)
	}
}
