package load_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/load"
	"github.com/cartulary/cartulary/pkg/fault"
)

func TestBrokenFileStopsTheLoadBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	good := tagItem("urn:li:tag:a", "")
	cases := []struct{ name, text, want string }{
		{"an object instead of a list", good, "want a JSON list"},
		{"empty file", "", "want a JSON list"},
		{"list without end", "[" + good, "the list does not end with ]"},
		{"text after the list", "[" + good + "] more", "unexpected text after the end"},
		{"second item is broken", "[" + good + ",{]", "item 2: not readable as JSON"},
		{"item with half a pair", "[" + good + `,{"entityType":"tag","entityUrn":"urn:li:tag:\ud800"}]`, "item 2: at byte"},
		{"item in another encoding", "[" + good + ",{\"entityUrn\":\"caf\xe9\"}]", "not valid UTF-8"},
		{"text value with half a pair", `[{"entityType":"tag","entityUrn":"u","changeType":"UPSERT","aspectName":"status","aspect":{"value":"{\"a\":\"\\ud800\"}"}}]`, "aspect: value at byte 6"},
		{"item is no object", `[1]`, "item 1: want a change proposal or a snapshot"},
		{"item of another kind", `[{"bucket":1}]`, "item 1: entityType is missing"},
		{"proposal without URN", `[{"entityType":"tag","changeType":"UPSERT","aspectName":"status"}]`, "item 1: entityUrn is missing"},
		{"proposal without aspect", `[{"entityType":"tag","entityUrn":"u","changeType":"UPSERT","aspectName":"status"}]`, "item 1: aspect is missing"},
		{"aspect without value", `[{"entityType":"tag","entityUrn":"u","changeType":"UPSERT","aspectName":"status","aspect":{"json":null}}]`, "item 1: aspect: want json, or value"},
		{"aspect with two values", `[{"entityType":"tag","entityUrn":"u","changeType":"UPSERT","aspectName":"status","aspect":{"json":{},"value":"{}"}}]`, "has both json and value"},
		{"text value that is no JSON", `[{"entityType":"tag","entityUrn":"u","changeType":"UPSERT","aspectName":"status","aspect":{"value":"{"}}]`, "not valid JSON text"},
		{"snapshot without aspects", `[{"proposedSnapshot":{"S":{"urn":"u","aspects":[]}}}]`, "aspects is missing or empty"},
		{"snapshot without URN", `[{"proposedSnapshot":{"S":{"aspects":[{}]}}}]`, "urn is missing"},
		{"snapshot of two kinds", `[{"proposedSnapshot":{"S":{"urn":"u"},"T":{"urn":"u"}}}]`, "want one member"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := newFakeCatalog(t)
			dir := t.TempDir()
			first := writeFile(t, dir, "good.json", "["+good+"]")
			second := writeFile(t, dir, "broken.json", tc.text)
			_, err := load.Load(t.Context(), options(c, first, second))
			if err == nil || !strings.Contains(err.Error(), "broken.json") || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want the file name and %q", err, tc.want)
			}
			if fault.KindOf(err) != fault.Invalid || c.requests != 0 {
				t.Errorf("got kind %v and %d requests, want invalid and none", fault.KindOf(err), c.requests)
			}
		})
	}
}

func TestItemOverTheLimitIsRefused(t *testing.T) {
	t.Parallel()
	const limit = 64 << 10
	for _, size := range []int{limit - 1, 100 * limit} { // one byte too many, with the quotes, and a very large item
		_, err := load.Count(t.Context(), strings.NewReader(`[1,"`+strings.Repeat("x", size)+`"]`), limit)
		if fault.KindOf(err) != fault.TooLarge || !strings.Contains(err.Error(), "item 2: larger than the limit of 16 MiB") {
			t.Errorf("item of %d bytes: got %v, want item 2 refused as too large", size, err)
		}
	}
}

func TestFileMayBeLargerThanOneItemMayBe(t *testing.T) {
	t.Parallel()
	const limit = 64 << 10
	item := `"` + strings.Repeat("x", limit-2) + `"`
	n, err := load.Count(t.Context(), strings.NewReader("["+item+strings.Repeat(","+item, 9)+"]"), limit)
	if err != nil || n != 10 {
		t.Errorf("got %d items, %v; want 10", n, err)
	}
}

func TestBatchIsCappedByItsSizeToo(t *testing.T) {
	t.Parallel()
	c := newFakeCatalog(t)
	item := tagItem("urn:li:tag:a", strings.Repeat("x", 600))
	path := writeFile(t, t.TempDir(), "f.json", "["+item+","+item+","+item+"]")
	opts := options(c, path)
	opts.BatchBytes = 1000
	if _, err := load.Load(t.Context(), opts); err != nil {
		t.Fatal(err)
	}
	if c.requests != 3 {
		t.Errorf("got %d requests, want 3: no two items fit into 1000 bytes", c.requests)
	}
}

func TestDirectoryWithoutFilesIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(dir+"/sub.json", 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := load.Load(t.Context(), options(newFakeCatalog(t), dir))
	if err == nil || !strings.Contains(err.Error(), "holds no .json or .json.gz file") {
		t.Errorf("got %v, want the empty directory named", err)
	}
}

// FuzzList passes text to the reader and builds the requests, without sending them: each text must
// be refused, or every item of it must have a body.
func FuzzList(f *testing.F) {
	f.Add("[]")
	f.Add("[" + tagItem("urn:li:tag:a", "x") + "]")
	f.Add(`[{"proposedSnapshot":{"com.linkedin.pegasus2avro.metadata.snapshot.TagSnapshot":{"urn":"u","aspects":[{"T":{"time":1774223999999,"n":null}}]}}}]`)
	f.Add(`[{"entityType":"a","entityUrn":"b","changeType":"PATCH","aspectName":"c","aspect":{"value":"[1e400]"}}]`)
	f.Fuzz(func(t *testing.T, text string) {
		items, moved, err := load.Parse(context.Background(), text, 86_400_000)
		if err == nil && len(moved) != items {
			t.Errorf("%d items gave %d bodies", items, len(moved))
		}
	})
}
