package apptest_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
	"github.com/cartulary/cartulary/pkg/urn"
)

const ownedTest urn.URN = "urn:li:test:owned"

// testRun returns a fabricated run of a metadata test.
func testRun(at int) fact {
	return fact{ownedTest, "testRunEvent", fmt.Sprintf(`{"timestampMillis":%d,"runId":"run-%d","status":"COMPLETE","trigger":"REQUEST","actor":"urn:li:corpuser:jo","assets":1,"passing":1}`, 1754000000000+at, at)}
}

// testRuns returns the number of stored runs of the test.
func testRuns(t *testing.T, s *apptest.Service) int {
	t.Helper()
	status, answer := s.Call(http.MethodPost, "/aspects?action=getTimeseriesAspectValues", fmt.Sprintf(`{"urn":%q,"entity":"test","aspect":"testRunEvent","limit":100}`, ownedTest))
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, answer)
	}
	return strings.Count(answer, "timestampMillis")
}

func grant(s *apptest.Service, id, kind, user, privileges string) {
	s.JSON(http.MethodPost, "/openapi/v3/entity/datahubpolicy?async=false", fmt.Sprintf(`[{"urn":"urn:li:dataHubPolicy:%s","dataHubPolicyInfo":{"value":{"displayName":"p","description":"",
		"type":%q,"state":"ACTIVE","privileges":[%s],"actors":{"users":[%q]}}}}]`, id, kind, privileges, user), nil)
}

// removals are the APIs that remove documents of a time series.
var removals = []writeAPI{
	{"Rest.li DELETE", func(c caller, f fact) (int, string) {
		return c.Call(http.MethodPost, "/aspects?action=ingestProposal", `{"proposal":`+f.proposal("DELETE", "{}")+`}`)
	}},
	{"Rest.li delete of the aspect", func(c caller, f fact) (int, string) {
		return c.Call(http.MethodPost, "/entities?action=delete", fmt.Sprintf(`{"urn":%q,"aspectName":%q,"startTimeMillis":1,"endTimeMillis":1754000100000}`, f.urn, f.aspect))
	}},
	{"Rest.li delete", func(c caller, f fact) (int, string) {
		return c.Call(http.MethodPost, "/entities?action=delete", fmt.Sprintf(`{"urn":%q}`, f.urn))
	}},
	{"OpenAPI v3 of one aspect", func(c caller, f fact) (int, string) {
		return c.Call(http.MethodDelete, "/openapi/v3/entity/test/"+url.PathEscape(string(f.urn))+"/"+f.aspect, "")
	}},
	{"OpenAPI v3", func(c caller, f fact) (int, string) {
		return c.Call(http.MethodDelete, "/openapi/v3/entity/test/"+url.PathEscape(string(f.urn)), "")
	}},
	{"truncation", func(c caller, f fact) (int, string) {
		return c.Call(http.MethodPost, "/operations?action=truncateTimeseriesAspect", `{"entityType":"test","aspect":"testRunEvent","endTimeMillis":1754000100000,"dryRun":false}`)
	}},
}

// The history records the effects of a test on assets, so only actors who may change the test may
// write it: the right to edit every entity does not suffice.
func TestTheHistoryOfAMetadataTestIsWrittenByThoseAloneWhoManageTests(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	for _, f := range []fact{{ownedTest, "testInfo", `{"name":"Owned","category":"c","definition":{"type":"JSON","json":"{\"on\":{\"types\":[\"dataset\"]},\"rules\":[]}"}}`}, testRun(0)} {
		if status, body := writeAPIs[0].write(s, f); status != http.StatusOK {
			t.Fatalf("%s: %d %s", f, status, body)
		}
	}
	grant(s, "editor", "METADATA", string(jo), `"EDIT_ENTITY","CREATE_ENTITY","DELETE_ENTITY","EXECUTE_ENTITY"`)
	grant(s, "tester", "PLATFORM", string(mia), `"MANAGE_TESTS"`)
	editor, tester := s.As(jo), s.As(mia)
	had := testRuns(t, s)
	if had != 1 {
		t.Fatalf("there are %d documents", had)
	}
	written := 0
	for i, d := range writeAPIs {
		f := testRun(i + 1)
		status, body := d.write(editor, f)
		// A document is always written as a whole: it is neither created nor patched.
		whole := !strings.Contains(d.name, "PATCH") && !strings.Contains(strings.ToLower(d.name), "patch") && d.name != "Rest.li CREATE"
		if whole && (!refused(status, body) || !strings.Contains(body, "MANAGE_TESTS")) {
			t.Errorf("%s: answered %d %.300s", d.name, status, body)
		}
		if n := testRuns(t, s); n != had {
			t.Fatalf("%s: %d documents became %d, answered %d %.300s", d.name, had, n, status, body)
		}
		if !whole {
			continue
		}
		if status, body := d.write(tester, f); status/100 != 2 {
			t.Errorf("who manages tests, %s: answered %d %.300s", d.name, status, body)
		}
		if n := testRuns(t, s); n != had+1 {
			t.Errorf("who manages tests, %s: %d documents became %d", d.name, had, n)
		}
		had = testRuns(t, s)
		written++
	}
	if written < 7 {
		t.Errorf("only %d doors were tried", written)
	}
	for _, d := range removals {
		status, body := d.write(editor, testRun(0))
		if !refused(status, body) && status/100 != 4 {
			t.Errorf("removal by %s: answered %d %.300s", d.name, status, body)
		}
		if n := testRuns(t, s); n != had {
			t.Fatalf("removal by %s: %d documents became %d, answered %d %.300s", d.name, had, n, status, body)
		}
	}
}
