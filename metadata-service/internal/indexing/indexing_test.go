package indexing_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	tagged = `{"tags":[{"tag":"urn:li:tag:gold"}]}`
	gold   = "urn:li:tag:gold"
)

func TestWhatIsWrittenIsFoundAndWhatIsDeletedIsNot(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	a, b := dataset("a"), dataset("b")
	f.put(a, "globalTags", tagged)
	f.put(b, "globalTags", tagged)
	f.wantFound("tags", gold, a, b)
	f.put(a, "globalTags", `{"tags":[]}`)
	f.wantFound("tags", gold, b)
	if _, err := f.catalog.DeleteAspects(f.ctx(), b, "globalTags"); err != nil {
		t.Fatal(err)
	}
	f.wantFound("tags", gold)
	f.wantFound("urn", string(b), b)
	if _, err := f.catalog.DeleteEntity(f.ctx(), b); err != nil {
		t.Fatal(err)
	}
	f.wantFound("urn", string(b))
	f.wantEqual()
}

func TestLargeBatchesAreBuiltAsSmallOnes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	batch := make([]catalog.Proposal, 3000)
	for i := range batch {
		batch[i] = catalog.Proposal{URN: string(dataset(fmt.Sprint("t", i))), Aspect: "globalTags", Value: json.RawMessage(tagged)}
	}
	if _, err := f.catalog.Write(f.ctx(), batch, catalog.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	if n, err := f.index.Documents(t.Context()); err != nil || n["dataset"] != len(batch) {
		t.Errorf("%d datasets are indexed, want %d (%v)", n["dataset"], len(batch), err)
	}
	f.wantEqual()
}

func TestWhatHangsOnAnEntityFollowsItsChanges(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	const root, other, team = "urn:li:domain:root", "urn:li:domain:other", "urn:li:domain:team"
	f.put(root, "domainProperties", `{"name":"Root"}`)
	f.put(other, "domainProperties", `{"name":"Other"}`)
	f.put(team, "domainProperties", `{"name":"Team","parentDomain":"`+root+`"}`)
	f.put(dataset("a"), "domains", `{"domains":["`+team+`"]}`)
	f.wantFound(document.AncestorDomains, root, dataset("a"), team)
	f.put(team, "domainProperties", `{"name":"Team","parentDomain":"`+other+`"}`)
	f.wantFound(document.AncestorDomains, root)
	f.wantFound(document.AncestorDomains, other, dataset("a"), team)
	f.put(other, "domainProperties", `{"name":"Other","parentDomain":"`+root+`"}`)
	f.wantFound(document.AncestorDomains, root, dataset("a"), other, team)
	if _, err := f.catalog.DeleteEntity(f.ctx(), urn.URN(other)); err != nil {
		t.Fatal(err)
	}
	f.wantFound(document.AncestorDomains, root)
	f.wantEqual()
}

func TestRestartGoesOnFromTheSnapshot(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		end  func(f *fixture)
	}{
		{"after a clean stop", (*fixture).stop},
		{"after a crash without any snapshot", (*fixture).kill},
		{"after a crash behind a snapshot", func(f *fixture) {
			if _, err := f.indexer.Save(f.t.Context()); err != nil {
				f.t.Fatal(err)
			}
			f.put(dataset("later"), "globalTags", tagged)
			f.kill()
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.put(dataset("a"), "globalTags", tagged)
			f.put(dataset("b"), "globalTags", tagged)
			if _, err := f.catalog.DeleteEntity(f.ctx(), dataset("b")); err != nil {
				t.Fatal(err)
			}
			c.end(f)
			f.start()
			if p := f.indexer.Progress(); p.Why != "" {
				t.Errorf("the index was built anew (%s); it could have gone on", p.Why)
			}
			f.wantFound("urn", string(dataset("a")), dataset("a"))
			f.wantEqual()
		})
	}
}

func TestIndexThatCannotGoOnIsBuiltAnew(t *testing.T) {
	t.Parallel()
	trim := func(f *fixture) {
		last, _ := f.store.Last()
		if err := f.store.Trim(f.t.Context(), last); err != nil {
			f.t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, why string
		spoil     func(f *fixture)
	}{
		{"when it is gone and the log begins later", "no longer kept", func(f *fixture) {
			f.kill()
			trim(f)
		}},
		{"when its snapshot is older than the log", "no longer kept", func(f *fixture) {
			if _, err := f.indexer.Save(f.t.Context()); err != nil {
				f.t.Fatal(err)
			}
			f.put(dataset("later"), "globalTags", tagged)
			f.kill()
			behind(f.t, f.store, dataset("later still"))
			trim(f)
		}},
		{"when a file is damaged", "", func(f *fixture) {
			f.stop()
			damage(f.t, f.path)
		}},
		{"when the store is an older copy", "older copy", func(f *fixture) {
			f.stop()
			f.store = memory.NewStore()
			behind(f.t, f.store, dataset("a"))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.put(dataset("a"), "globalTags", tagged)
			f.put(dataset("b"), "globalTags", tagged)
			c.spoil(f)
			f.start()
			p := f.indexer.Progress()
			if p.Why == "" || !strings.Contains(p.Why, c.why) || p.Running || p.Err != nil || p.Done == 0 || p.Done != p.Total {
				t.Errorf("progress is %+v, want a rebuild that is done because of %q", p, c.why)
			}
			f.put(dataset("new"), "globalTags", tagged)
			f.wantFound("urn", string(dataset("new")), dataset("new"))
			f.wantEqual()
			f.stop()
			f.start()
			if p := f.indexer.Progress(); p.Why != "" {
				t.Errorf("the next start builds anew again: %s", p.Why)
			}
			f.wantEqual()
		})
	}
}

// damage changes a byte in the middle of the largest file.
func damage(t testing.TB, dir string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	name, size := "", int64(-1)
	for _, file := range files {
		info, err := file.Info()
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > size {
			name, size = file.Name(), info.Size()
		}
	}
	path := filepath.Join(dir, name)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)/2] ^= 0xff
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}
