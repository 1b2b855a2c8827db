package apptest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
)

// BenchmarkIngestionWithTests ingests assets, in batches of 100 over HTTP, into a service that
// evaluates 50 metadata tests when assets change, and into one that does not. The overhead is the
// additional time of the writer in per cent. The evaluation may continue after the writer has
// ended.
func BenchmarkIngestionWithTests(b *testing.B) {
	service := func(onChange bool) *apptest.Service {
		s := apptest.Start(b, b.TempDir(), func(c *app.Config) { c.Tests.OnChange, c.Tests.Every = onChange, 0 })
		var tests []proposal
		for i := range 50 {
			definition := fmt.Sprintf(`{"on":{"types":["dataset"]},"rules":{"and":[{"property":"owners","operator":"not_equals","values":["urn:li:corpuser:u%d"]},{"property":"hasDescription","operator":"is_true"}]}}`, i)
			text, _ := json.Marshal(map[string]any{"name": "n", "category": "c", "definition": map[string]any{"type": "JSON", "json": definition}})
			tests = append(tests, newProposal("test", fmt.Sprintf("urn:li:test:bench%d", i), "testInfo", string(text)))
		}
		send(b, s, tests)
		return s
	}
	without, with := service(false), service(true)
	next := 0
	ingest := func(s *apptest.Service) time.Duration {
		var list []proposal
		for range 50 {
			u := fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,bench.t%06d,PROD)", next)
			next++
			list = append(list, newProposal("dataset", u, "datasetProperties", `{"description":"x","customProperties":{},"tags":[]}`),
				newProposal("dataset", u, "ownership", fmt.Sprintf(`{"owners":[{"owner":"urn:li:corpuser:u%d","type":"TECHNICAL_OWNER"}]}`, next%70)))
		}
		began := time.Now()
		send(b, s, list)
		return time.Since(began)
	}
	var alone, beside time.Duration
	const turns = 20
	rounds := 0
	for b.Loop() {
		for range turns {
			alone += ingest(without)
		}
		for range turns {
			beside += ingest(with)
		}
		rounds++
	}
	b.ReportMetric(alone.Seconds()*1e3/float64(turns*rounds), "ms/batch-without")
	b.ReportMetric(beside.Seconds()*1e3/float64(turns*rounds), "ms/batch-with")
	b.ReportMetric(float64(beside-alone)/float64(alone)*100, "%overhead")
}

type proposal struct {
	EntityType string `json:"entityType"`
	EntityURN  string `json:"entityUrn"`
	ChangeType string `json:"changeType"`
	AspectName string `json:"aspectName"`
	Aspect     struct {
		ContentType string `json:"contentType"`
		Value       string `json:"value"`
	} `json:"aspect"`
}

func newProposal(entityType, u, aspect, value string) proposal {
	p := proposal{EntityType: entityType, EntityURN: u, ChangeType: "UPSERT", AspectName: aspect}
	p.Aspect.ContentType, p.Aspect.Value = "application/json", value
	return p
}

func send(b *testing.B, s *apptest.Service, list []proposal) {
	b.Helper()
	body, err := json.Marshal(map[string]any{"proposals": list})
	if err != nil {
		b.Fatal(err)
	}
	if status, answer := s.Call(http.MethodPost, "/aspects?action=ingestProposalBatch", string(body)); status != http.StatusOK {
		b.Fatalf("%d: %s", status, answer)
	}
}
