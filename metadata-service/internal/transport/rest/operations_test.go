package rest_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestRestoreIndices(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.post("/aspects?action=ingestProposal", `{"proposal":{"entityType":"dataset","entityUrn":"`+dataset+`","changeType":"UPSERT",
		"aspectName":"globalTags","aspect":{"contentType":"application/json","value":"{\"tags\":[]}"}}}`).is(http.StatusOK, `{"value":"success"}`)
	for _, c := range []struct{ name, body, want string }{
		{"one entity and aspect", `{"urn":"` + dataset + `","aspect":"globalTags"}`, "rowsMigrated=1, ignored=0, defaultAspectsCreated=0, lastUrn=" + dataset},
		{"a pattern", `{"urnLike":"urn:li:dataset:%","aspect":"globalTags","batchSize":"1"}`, "rowsMigrated=1,"},
		{"a pattern of others", `{"urnLike":"urn:li:tag:%"}`, "rowsMigrated=0,"},
		{"a time", `{"aspect":"globalTags","gePitEpochMs":1,"lePitEpochMs":2}`, "rowsMigrated=0, ignored=1,"},
		{"a limit", `{"start":1,"limit":1,"createDefaultAspects":true}`, "rowsMigrated=1,"},
		{"everything", ``, "result={rowsMigrated="},
	} {
		for _, path := range []string{"/operations", "/aspects"} {
			got := s.post(path+"?action=restoreIndices", c.body)
			if got.Code != http.StatusOK || !strings.Contains(got.Body.String(), c.want) {
				t.Errorf("%s of %s: %d %s, want %q in it", path, c.name, got.Code, got.Body, c.want)
			}
		}
	}
	s.post("/operations?action=restoreIndices", `{"urn":"orders"}`).fails(http.StatusBadRequest, "orders")
	s.post("/operations?action=restoreIndices", `{"aspect":"none"}`).fails(http.StatusBadRequest, "none")
	s.post("/operations?action=restoreIndices", `{"limit":-1}`).fails(http.StatusBadRequest, "limit must be at least 0")
	newService(t, denying("RESTORE_INDICES_PRIVILEGE")).post("/operations?action=restoreIndices", `{}`).fails(http.StatusUnauthorized, "RESTORE_INDICES")
}
