package apptest_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
)

const (
	lineagePath = "/openapi/openlineage/api/v1/lineage"
	loadFlow    = "urn:li:dataFlow:(airflow,shop,prod)"
)

// loaded returns an event of a job that writes a table, with facets of the job and additional
// members.
func loaded(facets, more string) string {
	return `{"eventType":"COMPLETE","eventTime":"2026-03-01T10:00:00Z","producer":"https://github.com/apache/airflow/tree/x","run":{"runId":"r"},
		"job":{"namespace":"prod","name":"shop.load","facets":{` + facets + `}}` + more + `}`
}

func TestEventsOfJobsAreWrittenAsTheirSender(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	sender, stranger := s.As("urn:li:corpuser:datahub"), s.As(jo)
	there := func() int {
		status, _ := s.Call(http.MethodGet, "/openapi/v3/entity/dataflow/"+url.PathEscape(loadFlow), "")
		return status
	}
	event := loaded(`"ownership":{"owners":[{"name":"team:shop","type":"OWNER"}]},"weather":{"sunny":true},"documentation":7`, `,"outputs":[{"namespace":"bigquery","name":"shop.orders","facets":{"moon":[1]}}],"planet":"earth"`)
	if status, text := s.WithToken("").Call(http.MethodPost, lineagePath, event); status != http.StatusUnauthorized || there() != http.StatusNotFound {
		t.Errorf("from nobody: %d %s", status, text)
	}
	if status, text := stranger.Call(http.MethodPost, lineagePath, event); status != http.StatusForbidden && status != http.StatusUnauthorized || there() != http.StatusNotFound {
		t.Errorf("from who may not write: %d %s", status, text)
	}
	if status, text := sender.Call(http.MethodPost, lineagePath, event); status != http.StatusOK || text != "" {
		t.Fatalf("%d %q", status, text)
	}
	var flow map[string]any
	s.JSON(http.MethodGet, "/openapi/v3/entity/dataflow/"+url.PathEscape(loadFlow), "", &flow)
	if flow["dataFlowInfo"] == nil || flow["ownership"] != nil {
		t.Errorf("the pipeline is %v", flow)
	}
	for _, u := range []string{"dataJob/urn:li:dataJob:(" + loadFlow + ",shop.load)", "dataset/urn:li:dataset:(urn:li:dataPlatform:bigquery,shop.orders,PROD)", "dataProcessInstance/urn:li:dataProcessInstance:r"} {
		kind, u, _ := strings.Cut(u, "/")
		s.JSON(http.MethodGet, "/openapi/v3/entity/"+kind+"/"+url.PathEscape(u), "", nil)
	}
}

// Events come from many programs, and some are invalid or very large.
func TestEventsOfJobsThatAreWrongWriteNothing(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	sender := s.As("urn:li:corpuser:datahub")
	var columns strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&columns, `{"name":"column_%d","type":"string","description":"%s"},`, i, strings.Repeat("d", 200))
	}
	table := func(columns string) string {
		return `,"outputs":[{"namespace":"bigquery","name":"wide","facets":{"schema":{"fields":[` + strings.TrimSuffix(columns, ",") + `]}}}]`
	}
	for name, c := range map[string]struct {
		event, says string
		status      int
	}{
		"no event":                   {`[]`, "OpenLineage", 400},
		"half an event":              {loaded("", "")[:100], "", 400},
		"inputs that are no list":    {loaded("", `,"inputs":7`), "inputs", 400},
		"a dataset that is a number": {loaded("", `,"inputs":[7]`), "inputs", 400},
		"a job that is a text":       {`{"eventTime":"2026-03-01T10:00:00Z","job":"x"}`, "job", 400},
		"a moment that is none":      {`{"eventTime":12,"job":{"namespace":"a","name":"b"}}`, "eventTime", 400},
		"more than ten megabytes":    {loaded("", `,"x":"`+strings.Repeat("x", 10<<20)+`"`), "", 413},
		"too many columns":           {loaded("", table(columns.String()+`{"name":"one_more","type":"string"}`)), "10000 columns", 413},
		"nothing but brackets":       {`{"eventTime":"2026-03-01T10:00:00Z","job":` + strings.Repeat(`[`, 1<<20), "", 400},
	} {
		status, text := sender.Call(http.MethodPost, lineagePath, c.event)
		if status != c.status || !strings.Contains(text, c.says) {
			t.Errorf("%s: %d %.300s, want %d with %q", name, status, text, c.status, c.says)
		}
	}
	for _, u := range []string{loadFlow, "urn:li:dataset:(urn:li:dataPlatform:bigquery,wide,PROD)"} {
		if status, text := s.Call(http.MethodPost, "/entities?action=exists", `{"urn":"`+u+`"}`); status != http.StatusOK || !strings.Contains(text, "false") {
			t.Errorf("%s: %d %s", u, status, text)
		}
	}
	// An event of nearly ten megabytes is accepted: unknown members are ignored.
	large := loaded("", table(columns.String())+`,"x":"`+strings.Repeat("x", 7<<20)+`"`)
	if status, text := sender.Call(http.MethodPost, lineagePath, large); status != http.StatusOK {
		t.Errorf("an event of %d bytes: %d %.300s", len(large), status, text)
	}
}
