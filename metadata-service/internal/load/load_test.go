package load_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/load"
	"github.com/cartulary/cartulary/pkg/fault"
)

// options returns options for a test without waits and without the real clock.
func options(c *fakeCatalog, paths ...string) load.Options {
	return load.Options{
		Server: c.base(), Paths: paths, Batch: 10, Connections: 3, Run: "run-1",
		Now:  func() time.Time { return time.Date(2026, 11, 20, 15, 30, 0, 0, time.UTC) },
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}
}

// A user becomes a service account only at its creation, so its aspects must stay in one batch.
func TestAspectsOfAUserGoInOneBatch(t *testing.T) {
	t.Parallel()
	c := newFakeCatalog(t)
	var list []string
	for user := range 3 {
		for aspect := range 4 {
			list = append(list, strings.ReplaceAll(tagItem(fmt.Sprintf("urn:li:corpuser:u%d", user), fmt.Sprint(aspect)), `"entityType":"tag"`, `"entityType":"corpuser"`))
		}
	}
	list = append(list, tagItem("urn:li:tag:a", "1"), tagItem("urn:li:tag:b", "2"))
	o := options(c, writeFile(t, t.TempDir(), "users.json", "["+strings.Join(list, ",")+"]"))
	o.Batch, o.Connections = 1, 1
	if _, err := load.Load(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if c.requests != 5 || len(c.writes) != 14 {
		t.Errorf("%d requests with %d writes, want one for each user and each tag", c.requests, len(c.writes))
	}
}

func TestWritesOfOneURNKeepTheirOrder(t *testing.T) {
	t.Parallel()
	c := newFakeCatalog(t)
	var list []string
	for i := range 200 {
		list = append(list, tagItem(fmt.Sprintf("urn:li:tag:t%d", i%7), fmt.Sprint(i)))
	}
	path := writeFile(t, t.TempDir(), "tags.json", "["+strings.Join(list, ",")+"]")

	sum, err := load.Load(t.Context(), options(c, path))
	if err != nil {
		t.Fatal(err)
	}
	if sum.Items != 200 || sum.Aspects != 200 || sum.Entities != 7 || sum.Files != 1 {
		t.Errorf("got sum %+v, want 200 items, 200 aspects, 7 entities, 1 file", sum)
	}
	last := map[string]int{}
	for _, w := range c.taken() {
		var n int
		if _, err := fmt.Sscanf(w.Value, `{"name":"n","description":"%d"}`, &n); err != nil {
			t.Fatalf("value %q arrived changed: %v", w.Value, err)
		}
		if before, seen := last[w.URN]; seen && n < before {
			t.Fatalf("%s: write %d arrived after %d", w.URN, n, before)
		}
		last[w.URN] = n
	}
	if len(c.taken()) != 200 {
		t.Errorf("got %d writes, want 200", len(c.taken()))
	}
}

func TestFilesGoOneAfterTheOther(t *testing.T) {
	t.Parallel()
	c := newFakeCatalog(t)
	dir := t.TempDir()
	for _, name := range []string{"20-b.json", "10-a.json", "30-c.json"} {
		var list []string
		for i := range 25 {
			list = append(list, tagItem(fmt.Sprintf("urn:li:tag:%d", i), name))
		}
		writeFile(t, dir, name, "["+strings.Join(list, ",")+"]")
	}
	writeFile(t, dir, "notes.txt", "not for loading")

	if _, err := load.Load(t.Context(), options(c, dir)); err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, w := range c.taken() {
		order = append(order, w.Value)
	}
	if !slices.IsSorted(order) || len(order) != 75 {
		t.Errorf("%d writes, sorted %v; want 75 in order of file names", len(order), slices.IsSorted(order))
	}
}

func TestItemForms(t *testing.T) {
	t.Parallel()
	const urn = "urn:li:tag:a"
	proposal := func(change, aspect string) string {
		return `{"auditHeader":null,"entityType":"tag","entityUrn":"` + urn + `","changeType":"` + change +
			`","aspectName":"tagProperties","aspect":` + aspect + `,"systemMetadata":{"runId":"theirs"},"headers":{"If-Version-Match":"3"}}`
	}
	cases := []struct{ name, item, contentType, value string }{
		{"json is sent as text, byte for byte", proposal("UPSERT", `{"json":{"n":1.50,"s":"<é>"}}`), "application/json", `{"n":1.50,"s":"<é>"}`},
		{"text value passes through", proposal("UPSERT", `{"contentType":"application/json","value":"{\"n\":1}"}`), "application/json", `{"n":1}`},
		{"patch without media type gets the one of patches", proposal("PATCH", `{"json":[{"op":"add"}]}`), "application/json-patch+json", `[{"op":"add"}]`},
		{"patch with the plain media type gets the one of patches", proposal("PATCH", `{"contentType":"application/json","value":"[]"}`), "application/json-patch+json", `[]`},
		{"type names lose the segment of client libraries", proposal("UPSERT", `{"json":{"type":{"com.linkedin.pegasus2avro.schema.StringType":{}}}}`), "application/json", `{"type":{"com.linkedin.schema.StringType":{}}}`},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := newFakeCatalog(t)
			path := writeFile(t, t.TempDir(), "f.json", "["+tc.item+"]")
			if _, err := load.Load(t.Context(), options(c, path)); err != nil {
				t.Fatal(err)
			}
			got := c.taken()[0]
			if got.ContentType != tc.contentType || got.Value != tc.value {
				t.Errorf("got %s %s, want %s %s", got.ContentType, got.Value, tc.contentType, tc.value)
			}
			if got.Run != "run-1" || got.Headers["If-Version-Match"] != "3" {
				t.Errorf("got run %q and headers %v, want run-1 and the header of the file", got.Run, got.Headers)
			}
		})
	}
}

func TestSnapshotIsPostedWithPlainNamesAndWithoutNulls(t *testing.T) {
	t.Parallel()
	c := newFakeCatalog(t)
	path := writeFile(t, t.TempDir(), "mce.json", `[`+tagItem("urn:li:tag:a", "first")+`,{"proposedSnapshot":{"com.linkedin.pegasus2avro.metadata.snapshot.TagSnapshot":{
		"urn":"urn:li:tag:a","aspects":[{"com.linkedin.pegasus2avro.tag.TagProperties":{"name":"a","description":null}},
		{"com.linkedin.pegasus2avro.common.Status":{"removed":false}}]}},"proposedDelta":null}]`)
	sum, err := load.Load(t.Context(), options(c, path))
	if err != nil {
		t.Fatal(err)
	}
	if sum.Aspects != 3 || sum.Entities != 1 {
		t.Errorf("got %+v, want 3 aspects of 1 entity", sum)
	}
	got := c.taken()
	if len(got) != 2 || got[0].Aspect != "tagProperties" {
		t.Fatalf("got %+v, want the proposal before the snapshot", got)
	}
	want := `{com.linkedin.metadata.snapshot.TagSnapshot run-1 [map[com.linkedin.tag.TagProperties:map[name:a]] map[com.linkedin.common.Status:map[removed:false]]]}`
	if s := fmt.Sprintf("{%s %s %v}", got[1].Class, got[1].Run, got[1].Snapshot); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}

func TestRefusedItemIsNamedAndTheOthersOfItsBatchAreWritten(t *testing.T) {
	t.Parallel()
	c := newFakeCatalog(t)
	c.refuse = "urn:li:tag:bad"
	path := writeFile(t, t.TempDir(), "tags.json", `[`+tagItem("urn:li:tag:a", "")+`,`+tagItem("urn:li:tag:bad", "")+`,`+tagItem("urn:li:tag:c", "")+`]`)
	opts := options(c, path)
	opts.Connections = 1

	sum, err := load.Load(t.Context(), opts)
	var refusal *load.Refusal
	if !errors.As(err, &refusal) || refusal.Item != 2 || refusal.File != path {
		t.Fatalf("got error %v, want the refusal of item 2", err)
	}
	want := path + ": item 2 (tagProperties of urn:li:tag:bad): server answered 422: value breaks a rule [2J"
	if err.Error() != want {
		t.Errorf("got  %s\nwant %s", err, want)
	}
	if !errors.Is(fault.KindOf(err), fault.Invalid) {
		t.Errorf("got kind %v, want invalid", fault.KindOf(err))
	}
	if sum.Items != 1 || sum.Files != 0 {
		t.Errorf("got sum %+v, want the one item before the refused one", sum)
	}
}

func TestBusyServerIsAskedAgain(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 15, 30, 0, 0, time.UTC)
	cases := []struct {
		name    string
		status  int
		after   string
		atLeast time.Duration
		atMost  time.Duration
	}{
		{"a pause in seconds is obeyed", 429, "7", 7 * time.Second, 7 * time.Second},
		{"a pause as a date is obeyed", 503, now.Add(90 * time.Second).Format(http.TimeFormat), 90 * time.Second, 90 * time.Second},
		{"without a wish the pause is short", 502, "", 250 * time.Millisecond, 500 * time.Millisecond},
		{"an unreadable wish counts as none", 504, "soon", 250 * time.Millisecond, 500 * time.Millisecond},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := newFakeCatalog(t)
			c.before = func(w http.ResponseWriter, _ *http.Request, n int) bool {
				if n > 1 {
					return false
				}
				w.Header().Set("Retry-After", tc.after)
				w.WriteHeader(tc.status)
				return true
			}
			path := writeFile(t, t.TempDir(), "f.json", `[`+tagItem("urn:li:tag:a", "")+`]`)
			opts := options(c, path)
			var pauses []time.Duration
			opts.Wait = func(_ context.Context, d time.Duration) error { pauses = append(pauses, d); return nil }
			if _, err := load.Load(t.Context(), opts); err != nil {
				t.Fatal(err)
			}
			if len(pauses) != 1 || pauses[0] < tc.atLeast || pauses[0] > tc.atMost {
				t.Errorf("got pauses %v, want one of %s to %s", pauses, tc.atLeast, tc.atMost)
			}
			if len(c.taken()) != 1 {
				t.Errorf("got %d writes, want 1", len(c.taken()))
			}
		})
	}
}

func TestServerThatStaysAwayIsGivenUp(t *testing.T) {
	t.Parallel()
	c := newFakeCatalog(t)
	path := writeFile(t, t.TempDir(), "f.json", `[`+tagItem("urn:li:tag:a", "")+`]`)
	opts := options(c, path)
	c.Close()
	var pauses int
	opts.Wait = func(context.Context, time.Duration) error { pauses++; return nil }
	_, err := load.Load(t.Context(), opts)
	if fault.KindOf(err) != fault.Unavailable || pauses != 5 {
		t.Errorf("got %v after %d pauses, want unavailable after 5", err, pauses)
	}
}

func TestAnswersThatEndTheLoadAtOnce(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, contentType, body, want string
		status                        int
	}{
		{"missing token", "application/json", `{"message":"who are you?"}`, "who are you? (give an access token", 401},
		{"internal error", "text/plain", "broken", "server answered 500: broken", 500},
		{"web page in place of the catalog", "text/html; charset=utf-8", "<html>", "check the server URL", 200},
		{"redirect to a sign-in page", "text/plain", "", "server answered 303", 303},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := newFakeCatalog(t)
			c.before = func(w http.ResponseWriter, _ *http.Request, _ int) bool {
				w.Header().Set("Content-Type", tc.contentType)
				w.Header().Set("Location", "/login")
				w.WriteHeader(tc.status)
				w.Write([]byte(tc.body))
				return true
			}
			path := writeFile(t, t.TempDir(), "f.json", `[`+tagItem("urn:li:tag:a", "")+`,`+tagItem("urn:li:tag:b", "")+`]`)
			opts := options(c, path)
			opts.Connections = 1
			_, err := load.Load(t.Context(), opts)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q in it", err, tc.want)
			}
			if c.requests != 1 {
				t.Errorf("got %d requests, want 1", c.requests)
			}
		})
	}
}

func TestCancelledLoadStops(t *testing.T) {
	t.Parallel()
	c := newFakeCatalog(t)
	ctx, cancel := context.WithCancel(t.Context())
	c.before = func(w http.ResponseWriter, _ *http.Request, _ int) bool {
		cancel()
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	}
	var list []string
	for i := range 100 {
		list = append(list, tagItem(fmt.Sprintf("urn:li:tag:%d", i), ""))
	}
	path := writeFile(t, t.TempDir(), "f.json", "["+strings.Join(list, ",")+"]")
	_, err := load.Load(ctx, options(c, path))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the cancellation", err)
	}
}

func TestBadOptionsAreRefusedBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, want string
		change     func(*load.Options)
	}{
		{"server without scheme", "server: want an http", func(o *load.Options) { o.Server = "localhost:9002" }},
		{"server with credentials", "leave credentials out", func(o *load.Options) { o.Server = "http://a:secret@h/" }},
		{"server with a query", "remove the query", func(o *load.Options) { o.Server += "?a=b" }},
		{"empty batch", "batch: want 1 to 1000, got 0", func(o *load.Options) { o.Batch = 0 }},
		{"too many connections", "connections: want 1 to 32, got 33", func(o *load.Options) { o.Connections = 33 }},
		{"no run", "run: want", func(o *load.Options) { o.Run = " " }},
		{"token of two lines", "token: must not", func(o *load.Options) { o.Token = "a\nb" }},
		{"no path", "at least one file", func(o *load.Options) { o.Paths = nil }},
		{"device in place of a file", "pipes cannot be read twice", func(o *load.Options) { o.Paths = []string{os.DevNull} }},
		{"absent file", "absent.json: not readable", func(o *load.Options) { o.Paths = []string{"absent.json"} }},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := newFakeCatalog(t)
			opts := options(c, writeFile(t, t.TempDir(), "f.json", `[`+tagItem("urn:li:tag:a", "")+`]`))
			tc.change(&opts)
			_, err := load.Load(t.Context(), opts)
			if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("got %v, want %q in it and no secret", err, tc.want)
			}
			if fault.KindOf(err) != fault.Invalid || c.requests != 0 {
				t.Errorf("got kind %v and %d requests, want invalid and none", fault.KindOf(err), c.requests)
			}
		})
	}
}
