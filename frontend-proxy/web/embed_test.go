package web_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/frontend-proxy/web"
)

// The page of parts is only for the development server: the served files must contain no part of
// it.
func TestThePartsForDevelopersAreNotInTheBuild(t *testing.T) {
	t.Parallel()
	const mark = "Not a page of the product."
	page, err := os.ReadFile("src/dev/parts.tsx")
	if err != nil || !strings.Contains(string(page), mark) {
		t.Fatalf("the page of parts does not say %q: %v", mark, err)
	}
	if _, err := fs.Stat(web.Dist, "dist/index.html"); err != nil {
		t.Skip("the pages are not in this build; make build has them")
	}
	scripts := 0
	if err := fs.WalkDir(web.Dist, "dist", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) == ".br" { // each has a variant compressed with gzip
			return err
		}
		text, err := contentOf(name)
		if err != nil {
			return err
		}
		if strings.HasSuffix(strings.TrimSuffix(name, ".gz"), ".js") {
			scripts++
		}
		if bytes.Contains(text, []byte(mark)) || bytes.Contains(text, []byte("/dev/parts")) {
			t.Errorf("%s holds the page of parts", name)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if scripts < 5 {
		t.Errorf("only %d scripts were found", scripts)
	}
}

func contentOf(name string) ([]byte, error) {
	file, err := web.Dist.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if path.Ext(name) != ".gz" {
		return io.ReadAll(file)
	}
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(unpacked)
}
