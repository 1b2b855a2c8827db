package load_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// write is one write that the fake catalog received.
type write struct {
	URN, Aspect, Change, ContentType, Value, Run, Class string
	Headers                                             map[string]string
	Snapshot                                            []map[string]any
}

// fakeCatalog accepts writes over HTTP like the real catalog, and keeps them.
type fakeCatalog struct {
	*httptest.Server

	mu       sync.Mutex
	writes   []write
	requests int
	auth     map[string]int

	// before answers a request itself if it returns true.
	before func(w http.ResponseWriter, r *http.Request, n int) bool
	// refuse is the URN whose writes are refused with 422.
	refuse string
}

func newFakeCatalog(t *testing.T) *fakeCatalog {
	t.Helper()
	c := &fakeCatalog{auth: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/gms/aspects", c.aspects)
	mux.HandleFunc("POST /api/gms/entities", c.entities)
	c.Server = httptest.NewServer(mux)
	t.Cleanup(c.Close)
	return c
}

func (c *fakeCatalog) base() string { return c.URL + "/api/gms" }

func (c *fakeCatalog) intercept(w http.ResponseWriter, r *http.Request, action string) bool {
	c.requests++
	c.auth[r.Header.Get("Authorization")]++
	if r.URL.Query().Get("action") != action {
		http.Error(w, `{"message":"unknown action"}`, http.StatusBadRequest)
		return true
	}
	return c.before != nil && c.before(w, r, c.requests)
}

func (c *fakeCatalog) aspects(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.intercept(w, r, "ingestProposalBatch") {
		return
	}
	var in struct {
		Async     string `json:"async"`
		Proposals []struct {
			EntityURN      string            `json:"entityUrn"`
			AspectName     string            `json:"aspectName"`
			ChangeType     string            `json:"changeType"`
			Headers        map[string]string `json:"headers"`
			SystemMetadata struct{ RunID string }
			Aspect         struct{ ContentType, Value string }
		} `json:"proposals"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.Async != "false" {
		http.Error(w, `{"message":"bad body"}`, http.StatusBadRequest)
		return
	}
	var batch []write
	for _, p := range in.Proposals {
		if p.EntityURN == c.refuse {
			w.WriteHeader(http.StatusUnprocessableEntity)
			w.Write([]byte("{\"status\":422,\"message\":\"value breaks a rule\\u001b[2J\"}"))
			return
		}
		batch = append(batch, write{
			URN: p.EntityURN, Aspect: p.AspectName, Change: p.ChangeType, Headers: p.Headers,
			ContentType: p.Aspect.ContentType, Value: p.Aspect.Value, Run: p.SystemMetadata.RunID,
		})
	}
	c.writes = append(c.writes, batch...)
	w.Write([]byte(`{"value":"success"}`))
}

func (c *fakeCatalog) entities(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.intercept(w, r, "ingest") {
		return
	}
	var in struct {
		SystemMetadata struct{ RunID string }
		Entity         struct {
			Value map[string]struct {
				URN     string
				Aspects []map[string]any
			}
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || len(in.Entity.Value) != 1 {
		http.Error(w, `{"message":"bad body"}`, http.StatusBadRequest)
		return
	}
	for class, s := range in.Entity.Value {
		c.writes = append(c.writes, write{URN: s.URN, Class: class, Snapshot: s.Aspects, Run: in.SystemMetadata.RunID})
	}
}

// taken returns the received writes, in order of arrival.
func (c *fakeCatalog) taken() []write {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.writes
}

func writeFile(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// tagItem returns a proposal in file form.
func tagItem(urn, description string) string {
	return `{"entityType":"tag","entityUrn":"` + urn + `","changeType":"UPSERT","aspectName":"tagProperties",` +
		`"aspect":{"json":{"name":"n","description":"` + description + `"}}}`
}
