package apptest_test

import (
	"net/http"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
)

// Default aspects of an entity have the source API of the write that created it; a repeated write
// of the same value updates the last run.
func TestWritesTellTheInterfaceTheyCameThrough(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	for i, door := range []struct{ name, path, body, source, run, lastRun string }{
		{"OpenAPI", "/openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"a"}}}]`, "OPENAPI", "", ""},
		{"Rest.li", "/aspects?action=ingestProposal", `{"proposal":{"entityType":"tag","entityUrn":"urn:li:tag:a","changeType":"UPSERT","aspectName":"tagProperties",
			"aspect":{"value":"{\"name\":\"a\",\"description\":\"b\"}","contentType":"application/json"},"systemMetadata":{"runId":"nightly","properties":{"eventSource":"made up"}}}}`, "RESTLI", "nightly", ""},
		{"GraphQL", "/api/graphql", `{"query":"mutation {updateDescription(input:{resourceUrn:\"urn:li:tag:a\",description:\"c\"})}"}`, "GRAPHQL", "", "nightly"},
		{"tools of programs", "/mcp", `{"urn":"urn:li:tag:a","description":"d"}`, "MCP", "", ""},
		{"the same value again", "/openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"a","description":"d"}}}]`, "OPENAPI", "", ""},
	} {
		if door.path == "/mcp" {
			connect(t, s, s.As("urn:li:corpuser:datahub").Token()).expectTexts("update_description", door.body, `"changed":`)
		} else if status, answer := s.Call(http.MethodPost, door.path, door.body); status != http.StatusOK {
			t.Fatalf("%s: %d %s", door.name, status, answer)
		}
		var got struct {
			SystemMetadata struct {
				RunID      string            `json:"runId"`
				LastRunID  string            `json:"lastRunId"`
				Properties map[string]string `json:"properties"`
			} `json:"systemMetadata"`
		}
		s.JSON(http.MethodGet, "/openapi/v3/entity/tag/urn%3Ali%3Atag%3Aa/tagProperties?systemMetadata=true", "", &got)
		m := got.SystemMetadata
		if m.Properties["eventSource"] != door.source || door.source == "OPENAPI" && m.Properties["telemetryTraceId"] == "" || m.RunID != door.run || m.LastRunID != door.lastRun {
			t.Errorf("%d, %s: got %+v", i, door.name, m)
		}
	}
}
