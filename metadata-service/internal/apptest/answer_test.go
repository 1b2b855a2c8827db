package apptest_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
)

// The response to a write names only the entities of the request, and not entities with derived
// changes, since the caller may not be allowed to view these.
func TestAnAnswerToAWriteTellsOfWhatTheRequestNames(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	const a, b = "urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)", "urn:li:dataset:(urn:li:dataPlatform:hive,b,PROD)"
	s.JSON(http.MethodPost, "/openapi/v3/entity/dataset?async=false", `[{"urn":"`+a+`","status":{"value":{"removed":false}}},{"urn":"`+b+`","status":{"value":{"removed":false}}}]`, nil)
	const stamp = `{"time":1,"actor":"urn:li:corpuser:datahub"}`
	write := func(entities string) (urns []string) {
		status, answer := s.Call(http.MethodPost, "/openapi/v3/entity/incident?async=false", `[{"urn":"urn:li:incident:i","incidentInfo":{"value":{"type":"OPERATIONAL","title":"x","entities":[`+entities+`],
			"status":{"state":"ACTIVE","lastUpdated":`+stamp+`},"created":`+stamp+`,"source":{"type":"MANUAL"}}}}]`)
		var list []struct{ URN string }
		if err := json.Unmarshal([]byte(answer), &list); err != nil || status != http.StatusOK {
			t.Fatalf("%d %s: %v", status, answer, err)
		}
		for _, e := range list {
			urns = append(urns, e.URN)
		}
		return urns
	}
	for _, entities := range []string{`"` + a + `","` + b + `"`, `"` + a + `"`} {
		if got := write(entities); len(got) != 1 || got[0] != "urn:li:incident:i" {
			t.Errorf("about %s: the answer tells of %v", entities, got)
		}
	}
}
