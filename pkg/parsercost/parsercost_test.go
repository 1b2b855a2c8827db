package parsercost_test

import (
	"crypto/sha256"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/pkg/parsercost"
)

func TestFuzzTestsAndTheTableAreHeldAgainstEachOther(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write := func(path, text string) {
		t.Helper()
		path = filepath.Join(root, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a/b/c_test.go", "package b_test\nfunc FuzzOne(f *testing.F) {}\nfunc FuzzTwo(f *testing.F) {}\nfunc FuzzThree(f *testing.F) {}\n")
	write("a/d.go", "package a\nfunc FuzzNone() {}\n")
	write("a/node_modules/e_test.go", "package e\nfunc FuzzNone() {}\n")
	rows := []parsercost.Parser{{Fuzz: []string{"a/b.FuzzOne", "a/b.FuzzGone"}}}
	got, err := parsercost.Missing(root, []string{"a"}, rows, map[string]string{"a/b.FuzzTwo": "reads its own files"})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || !strings.HasPrefix(got[0], "a/b.FuzzThree tries") || got[1] != "a/b.FuzzGone is in the table, but is no fuzz test" {
		t.Errorf("got %q", got)
	}
	if _, err := parsercost.Missing(root, []string{"nowhere"}, nil, nil); err == nil {
		t.Error("a folder that is not there has no fuzz tests")
	}
}

// TestAParserThatCostsTooMuchFails measures a parser by its allocations, as times depend on the
// machine: the parser computes a hash for each text, so that no allocation takes a hundred times as
// long.
func TestAParserThatCostsTooMuchFails(t *testing.T) {
	if err := flag.Set("test.benchtime", "2x"); err != nil {
		t.Fatal(err)
	}
	block, kept := make([]byte, 1000), []byte(nil)
	row := parsercost.Parser{
		Name: "a parser", Ordinary: strings.Repeat("a", 1000), Worst: map[string]string{"the worst": strings.Repeat("!", 1000)},
	}
	for perByte, fails := range map[int]bool{10: false, 1000: true} {
		row.Parse = func(text string) {
			for range 100 {
				sha256.Sum256(block)
			}
			if kept = nil; text[0] == '!' {
				kept = make([]byte, perByte*len(text))
			}
		}
		failed := false
		testing.Benchmark(func(b *testing.B) {
			parsercost.Run(b, []parsercost.Parser{row})
			failed = b.Failed()
		})
		if failed != fails || len(kept) == 0 {
			t.Errorf("%d bytes for each of a text fail: %t, want %t", perByte, failed, fails)
		}
	}
}
