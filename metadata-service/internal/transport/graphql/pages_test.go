package graphql_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
	"github.com/cartulary/cartulary/pkg/urn"
)

// TestPages executes the documents of a client's pages over the data of the sample company: no
// response may contain an error, and all must equal the golden files.
func TestPages(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/pages/*.txt")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d pages, %v", len(files), err)
	}
	// Pages only read, so they share a catalog.
	engine, world := newEngine(t)
	loadDemo(t, world)
	ways := newPlanComparison(t, engine)
	var one sync.Mutex // responses are compared without concurrent requests
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			one.Lock()
			defer one.Unlock()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			compareGolden(t, file, parseGolden(t, file, string(text)), func(g golden, document, variables string) graphql.Response {
				done := ways.ask(t, world.As(t, g.actor), graphql.Request{Query: document, Variables: json.RawMessage(variables)})
				for _, e := range done.Errors {
					t.Errorf("%v %s", e.Path, e.Message)
				}
				return done
			})
		})
	}
}

// loadDemo writes the data of the sample company.
func loadDemo(t testing.TB, w *servicetest.World) {
	t.Helper()
	files, err := filepath.Glob("../../../../deploy/demo/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no demo: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var records []struct {
			Type   string           `json:"entityType"`
			URN    urn.URN          `json:"entityUrn"`
			Change model.ChangeType `json:"changeType"`
			Aspect string           `json:"aspectName"`
			Value  struct {
				JSON json.RawMessage `json:"json"`
			} `json:"aspect"`
		}
		if err := json.Unmarshal(text, &records); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		proposals := make([]catalog.Proposal, len(records))
		for i, r := range records {
			proposals[i] = catalog.Proposal{EntityType: r.Type, URN: string(r.URN), Change: r.Change, Aspect: r.Aspect, Value: r.Value.JSON}
		}
		if _, err := w.Catalog.Write(w.As(t, model.SystemActor), proposals, catalog.WriteOptions{}); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
}
