package apptest_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
)

// A rollback keeps the keys of entities that only the run has created, so that clients read an
// entity without aspects instead of an absent one.
func TestARollbackLeavesEntitiesToBeRead(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	const dataset = "urn:li:dataset:(urn:li:dataPlatform:hive,rolled,PROD)"
	escaped := url.QueryEscape(dataset)
	for _, hard := range []bool{false, true} {
		s.JSON(http.MethodPost, "/aspects?action=ingestProposal", `{"proposal":{"entityType":"dataset","entityUrn":"`+dataset+`","changeType":"UPSERT","aspectName":"datasetProperties",
			"aspect":{"value":"{\"name\":\"rolled\"}","contentType":"application/json"},"systemMetadata":{"runId":"r1"}}}`, nil)
		body := `{"runId":"r1","dryRun":false,"hardDelete":false}`
		if hard {
			body = strings.Replace(body, `"hardDelete":false`, `"hardDelete":true`, 1)
		}
		s.JSON(http.MethodPost, "/runs?action=rollback", body, nil)
		for path, want := range map[string]string{
			"/aspects/" + escaped + "?aspect=datasetKey&version=0":                 `"name":"rolled"`,
			"/entitiesV2/" + escaped + "?aspects=List(datasetProperties)":          `"urn":"` + dataset + `"`,
			"/openapi/v3/entity/dataset/" + escaped + "?aspects=status":            `"removed":true`,
			"/openapi/v3/entity/dataset/" + escaped + "?aspects=globalTags":        `{"urn":"` + dataset + `"}`,
			"/openapi/v3/entity/dataset/" + escaped + "?aspects=datasetProperties": `{"urn":"` + dataset + `"}`,
		} {
			status, text := s.Call(http.MethodGet, path, "")
			switch {
			case !hard && (status != http.StatusOK || !strings.Contains(text, want) || strings.Contains(text, `"datasetProperties"`)):
				t.Errorf("%s: %d %s", path, status, text)
			case hard && strings.HasPrefix(path, "/openapi") && status != http.StatusNotFound:
				t.Errorf("%s after a hard one: %d %s", path, status, text)
			}
		}
	}
}
