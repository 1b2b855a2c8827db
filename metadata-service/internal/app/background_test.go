package app_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/datadir"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/urn"
)

// describer is a background sink that responds to each change of a tag's properties with a change
// of the same aspect: it writes a description.
type describer struct {
	catalog *catalog.Service
	before  func(u urn.URN)                 // called before it writes
	own     func(u urn.URN)                 // called for its own writes
	apply   func(ctx context.Context) error // called first, unless nil
}

const describerName = "describer"

func (*describer) Name() string                                 { return describerName }
func (*describer) Durable() bool                                { return true }
func (*describer) Missed(context.Context, projection.Gap) error { return nil }

func (d *describer) Apply(ctx context.Context, entries []store.Entry) error {
	if d.apply != nil {
		if err := d.apply(ctx); err != nil {
			return err
		}
	}
	for _, e := range entries {
		if e.Kind != store.Written || e.Aspect != "tagProperties" {
			continue
		}
		if e.Origin == describerName {
			d.own(e.URN)
			continue
		}
		d.before(e.URN)
		value := fmt.Sprintf(`{"name":%q,"description":"described"}`, e.URN.Key())
		_, err := d.catalog.Write(ctx, []catalog.Proposal{{URN: string(e.URN), Aspect: e.Aspect, Value: json.RawMessage(value)}}, catalog.WriteOptions{})
		if err != nil {
			return err
		}
	}
	return nil
}

func openWith(t *testing.T, cfg app.Config, d *describer) *app.App {
	t.Helper()
	a, err := app.OpenWith(t.Context(), cfg, logging.Discard(), func(c *catalog.Service) projection.BackgroundSink {
		d.catalog = c
		return d
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// putTag writes a tag without a description over HTTP.
func putTag(t *testing.T, a *app.App, name string) {
	t.Helper()
	body := fmt.Sprintf(`[{"urn":"urn:li:tag:%s","tagProperties":{"value":{"name":%q}}}]`, name, name)
	if status, answer := call(t, a, http.MethodPost, tagPath, body); status != http.StatusOK {
		t.Fatalf("write of %s: got %d %s", name, status, answer)
	}
}

func wantDescribed(t *testing.T, a *app.App, name string) {
	t.Helper()
	status, answer := call(t, a, http.MethodGet, "/openapi/v3/entity/tag/urn:li:tag:"+name, "")
	if status != http.StatusOK || !strings.Contains(answer, `"description":"described"`) {
		t.Errorf("%s: got %d %s", name, status, answer)
	}
}

func TestABackgroundSinkWritesThroughTheCatalogWhileWritersGoOn(t *testing.T) {
	t.Parallel()
	const tags = 20
	blocked, release, done := make(chan struct{}), make(chan struct{}), make(chan urn.URN, 10*tags)
	var attempts atomic.Int64
	d := &describer{own: func(u urn.URN) { done <- u }}
	d.before = func(urn.URN) {
		if attempts.Add(1) == 1 {
			close(blocked)
			<-release
			panic("on purpose")
		}
	}
	a := openWith(t, settings(t.TempDir()), d)
	defer shut(t, a)
	putTag(t, a, "tag0")
	<-blocked
	for i := 1; i < tags; i++ { // each is answered while the sink is blocked
		putTag(t, a, fmt.Sprint("tag", i))
	}
	close(release)
	for range tags { // signalled from the log: the sink's own write is committed and read
		<-done
	}
	for i := range tags {
		wantDescribed(t, a, fmt.Sprint("tag", i))
	}
	mine := 0
	for _, e := range logOf(t, a) {
		if e.Origin == describerName && e.Aspect == "tagProperties" {
			mine++
		}
	}
	if mine != tags {
		t.Errorf("%d changes have the origin of the sink, want %d: one for each tag, and no answer to an answer", mine, tags)
	}
	_, health := call(t, a, http.MethodGet, "/health/detailed", "")
	if !strings.Contains(health, `{"name":"describer","awaited":false,"state":"green",`) || !strings.Contains(health, `"failures":1,"panics":1,"skipped":0`) {
		t.Errorf("health: %s", health)
	}
	_, metrics := call(t, a, http.MethodGet, "/metrics", "")
	if !strings.Contains(metrics, "\ncartulary_projection_panics_total{projection=\"describer\"} 1\n") {
		t.Error("the panic is not counted in the metrics")
	}
}

func logOf(t *testing.T, a *app.App) []store.Entry {
	t.Helper()
	entries, err := a.Log().Entries(t.Context(), 0, 100_000)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

// childData is the variable with the data folder for the process that is killed.
const childData = "CARTULARY_TEST_CHILD_DATA"

// Tags acknowledged by the service that is killed, and the number of them that its sink has handled
// by then.
const childTags, childDescribed = 12, 4

func TestKilledBetweenCommitAndBackgroundSinkNothingIsLost(t *testing.T) {
	t.Parallel()
	cfg := settings(t.TempDir())
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	child := exec.Command(os.Args[0], "-test.run=^TestChildWithABackgroundSinkThatHangs$")
	child.Env = append(os.Environ(), childData+"="+cfg.DataDir)
	child.ExtraFiles = []*os.File{writer}
	var output strings.Builder
	child.Stdout, child.Stderr = &output, &output
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	acknowledged := false
	for lines := bufio.NewScanner(reader); lines.Scan(); {
		if acknowledged = lines.Text() == "acknowledged"; acknowledged {
			break
		}
	}
	if err := child.Process.Kill(); err != nil { // SIGKILL
		t.Error(err)
	}
	_ = child.Wait() // it was killed
	if !acknowledged {
		t.Fatalf("the child ended by itself:\n%s", output.String())
	}

	done := make(chan urn.URN, 10*childTags)
	a := openWith(t, cfg, &describer{before: func(urn.URN) {}, own: func(u urn.URN) { done <- u }})
	defer shut(t, a)
	seen := map[urn.URN]bool{}
	for len(seen) < childTags {
		seen[<-done] = true
	}
	for i := range childTags {
		wantDescribed(t, a, fmt.Sprint("tag", i))
	}
}

// TestChildWithABackgroundSinkThatHangs is the process that is killed.
func TestChildWithABackgroundSinkThatHangs(t *testing.T) {
	data := os.Getenv(childData)
	if data == "" {
		t.Skip("runs as a child of TestKilledBetweenCommitAndBackgroundSinkNothingIsLost")
	}
	blocked := make(chan struct{})
	count := 0
	a := openWith(t, settings(data), &describer{own: func(urn.URN) {}, before: func(urn.URN) {
		if count++; count > childDescribed {
			close(blocked)
			select {} // until it is killed
		}
	}})
	for i := range childTags {
		putTag(t, a, fmt.Sprint("tag", i))
	}
	<-blocked
	if _, err := fmt.Fprintln(os.NewFile(3, "reports"), "acknowledged"); err != nil {
		t.Fatal(err)
	}
	select {}
}

// appendEntry adds an entry to the log of a stopped service.
func appendEntry(t *testing.T, dataDir string, entry store.Entry) {
	t.Helper()
	rows, err := bolt.Open(t.Context(), filepath.Join(dataDir, datadir.StoreFile), bolt.Config{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = rows.Update(t.Context(), func(tx store.Tx) error {
		_, err := tx.Append(t.Context(), entry)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestAnEntryThatAnAwaitedSinkCannotApplyDoesNotPreventTheStart(t *testing.T) {
	t.Parallel()
	cfg := settings(t.TempDir())
	shut(t, open(t, cfg))
	appendEntry(t, cfg.DataDir, store.Entry{Kind: store.Document, URN: "urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)", Aspect: "datasetProfile", Value: []byte(`{"value":`)})
	for range 2 {
		a := open(t, cfg)
		if status, answer := call(t, a, http.MethodPost, tagPath, tagBody); status != http.StatusOK {
			t.Errorf("write: got %d %s", status, answer)
		}
		if status, answer := call(t, a, http.MethodGet, "/health/detailed", ""); status != http.StatusOK || !strings.Contains(answer, "projection timeseries failed") {
			t.Errorf("health: got %d %s", status, answer)
		}
		shut(t, a)
	}
}

func TestAnEntryOnWhichABackgroundSinkPanicsEndsNoProcessAlsoAfterARestart(t *testing.T) {
	t.Parallel()
	cfg := settings(t.TempDir())
	for start := range 2 {
		panicked := make(chan struct{}, 1000)
		a := openWith(t, cfg, &describer{own: func(urn.URN) {}, before: func(u urn.URN) {
			if u == "urn:li:tag:poison" {
				panicked <- struct{}{}
				panic("on purpose")
			}
		}})
		if start == 0 {
			putTag(t, a, "poison")
		}
		<-panicked
		<-panicked // so the first is counted
		putTag(t, a, fmt.Sprint("after", start))
		_, health := call(t, a, http.MethodGet, "/health/detailed", "")
		for _, want := range []string{`"background":"yellow"`, `"background_detail":"projection describer failed and is `, `"elasticsearch":"green"`, `{"name":"describer","awaited":false,"state":"yellow",`} {
			if !strings.Contains(health, want) {
				t.Errorf("start %d: health has no %s: %s", start, want, health)
			}
		}
		shut(t, a)
	}
}
