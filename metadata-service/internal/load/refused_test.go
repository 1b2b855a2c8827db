package load_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/load"
	"github.com/cartulary/cartulary/pkg/fault"
)

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestFilesMayBeCompressedAndComeByTheStandardInput(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	c := newFakeCatalog(t)
	dir := t.TempDir()
	writeFile(t, dir, "1.json.gz", gzipped(t, "["+tagItem("urn:li:tag:1", "")+"]"))
	writeFile(t, dir, "2.json", "["+tagItem("urn:li:tag:2", "")+"]")
	writeFile(t, dir, "3.txt", "not for loading")
	opts := options(c, dir, "-")
	opts.Input = strings.NewReader(gzipped(t, "["+tagItem("urn:li:tag:3", "")+"]"))
	sum, err := load.Load(t.Context(), opts)
	if err != nil || sum.Files != 3 || sum.Items != 3 {
		t.Fatalf("got %+v, %v", sum, err)
	}
	for i, w := range c.taken() {
		if want := []string{"urn:li:tag:1", "urn:li:tag:2", "urn:li:tag:3"}[i]; w.URN != want {
			t.Errorf("write %d is of %s, want %s", i, w.URN, want)
		}
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) != 0 {
		t.Errorf("the copy of the input stays: %v, %v", left, err)
	}
	for says, opts := range map[string]load.Options{
		"named 2 times":                      {Paths: []string{"-", "-"}, Input: strings.NewReader("[]")},
		"there is none":                      {Paths: []string{"-"}},
		"standard input: want a JSON list":   {Paths: []string{"-"}, Input: strings.NewReader("{}")},
		"item 1: not readable as JSON":       {Paths: []string{writeFile(t, t.TempDir(), "cut.json.gz", gzipped(t, "["+tagItem("urn:li:tag:1", strings.Repeat("abc", 1000))+"]")[:60])}},
		"x.json: not readable: gzip: invali": {Paths: []string{writeFile(t, t.TempDir(), "x.json", "\x1f\x8bxxxxxxxxxxxxx")}},
	} {
		all := options(c)
		all.Paths, all.Input = opts.Paths, opts.Input
		if _, err := load.Load(t.Context(), all); fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v", says, err)
		}
	}
	if len(c.taken()) != 3 {
		t.Errorf("a broken file was sent: %d writes", len(c.taken()))
	}
}

func TestADeletionNeedsNoValue(t *testing.T) {
	t.Parallel()
	c := newFakeCatalog(t)
	item := `{"entityType":"tag","entityUrn":"urn:li:tag:a","changeType":"DELETE","aspectName":"tagProperties"`
	path := writeFile(t, t.TempDir(), "gone.json", "["+item+"},"+item+`,"aspect":null}]`)
	if sum, err := load.Load(t.Context(), options(c, path)); err != nil || sum.Items != 2 {
		t.Fatalf("got %+v, %v", sum, err)
	}
	for _, w := range c.taken() {
		if w.Change != "DELETE" || w.Value != "" || w.ContentType != "" {
			t.Errorf("got %+v", w)
		}
	}
}

func TestAnImportGoesOnBehindRefusedItemsAndTellsEach(t *testing.T) {
	t.Parallel()
	c := newFakeCatalog(t)
	c.refuse = "urn:li:tag:bad"
	dir := t.TempDir()
	path := writeFile(t, dir, "tags.json", "["+strings.Join([]string{
		tagItem("urn:li:tag:a", ""), tagItem("urn:li:tag:bad", ""), `{"entityType":"tag"}`, tagItem("urn:li:tag:b", ""), tagItem("urn:li:tag:bad", ""), tagItem("urn:li:tag:c", ""),
	}, ",")+"]")
	report := filepath.Join(dir, "refused.jsonl")
	var stdout, stderr bytes.Buffer
	err := load.Run(t.Context(), []string{"--server", c.base(), "--token", "x", "--continue-on-error", "--report", report, "--run", "r", path}, &stdout, &stderr)
	if fault.KindOf(err) != fault.Invalid || err.Error() != "3 items were refused, see the messages above; the others were accepted" {
		t.Errorf("got %v", err)
	}
	if !strings.HasPrefix(stdout.String(), "entities 3, aspects 3, files 1,") || !strings.HasSuffix(stdout.String(), ", refused 3\n") {
		t.Errorf("got %q", stdout.String())
	}
	var taken []string
	for _, w := range c.taken() {
		taken = append(taken, w.URN)
	}
	if want := []string{"urn:li:tag:a", "urn:li:tag:b", "urn:li:tag:c"}; !slices.Equal(taken, want) {
		t.Errorf("taken were %v", taken)
	}
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	var items []int
	for line := range strings.Lines(string(text)) {
		var r struct {
			File, URN, Aspect, Reason string
			Item                      int
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		items = append(items, r.Item)
		if r.File != path || r.Reason == "" || r.Item != 3 && (r.URN != "urn:li:tag:bad" || r.Aspect != "tagProperties" || !strings.Contains(r.Reason, "server answered 422: value breaks a rule")) {
			t.Errorf("reported %+v", r)
		}
	}
	if slices.Sort(items); !slices.Equal(items, []int{2, 3, 5}) {
		t.Errorf("reported items %v", items)
	}
	for _, says := range []string{"refused: " + path + ": item 2 (tagProperties of urn:li:tag:bad): server answered 422", "refused: " + path + ": item 3: aspect", "6/6"} {
		if says == "refused: "+path+": item 3: aspect" {
			says = "refused: " + path + ": item 3: entityUrn is missing"
		}
		if !strings.Contains(stderr.String(), says) {
			t.Errorf("no %q in %s", says, stderr.String())
		}
	}
	if err := load.Run(t.Context(), []string{"--server", c.base(), "--report", report, path}, &stdout, &stderr); err == nil || !strings.Contains(err.Error(), "report: the file cannot be made") {
		t.Errorf("a report in the place of another: %v", err)
	}
}

func TestAnAnswerThatIsNotAboutItemsEndsAnImportThatWouldGoOn(t *testing.T) {
	t.Parallel()
	c := newFakeCatalog(t)
	c.before = func(w http.ResponseWriter, _ *http.Request, _ int) bool {
		w.WriteHeader(http.StatusUnauthorized)
		return true
	}
	opts := options(c, writeFile(t, t.TempDir(), "tags.json", "["+tagItem("urn:li:tag:a", "")+","+tagItem("urn:li:tag:b", "")+"]"))
	opts.Continue = true
	if sum, err := load.Load(t.Context(), opts); fault.KindOf(err) != fault.Unauthenticated || sum.Refused != 0 {
		t.Errorf("got %+v, %v", sum, err)
	}
}
