package openapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

func TestTasksAreListedToldAndCancelled(t *testing.T) {
	t.Parallel()
	s := newService(t, options{open: true})
	s.ok("GET "+restorePath+"?urnLike=urn:li:tag:%25", "")
	var page struct {
		Total int
		Tasks []struct {
			ID, Kind, State string
			Result          json.RawMessage
		}
	}
	body := func(request string) string {
		t.Helper()
		got := s.do(request, "")
		if got.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", request, got.Code, got.Body)
		}
		return got.Body.String()
	}
	read := func(request string) {
		t.Helper()
		if err := json.Unmarshal([]byte(body(request)), &page); err != nil {
			t.Fatal(err)
		}
	}
	read("GET /openapi/operations/tasks?kind=restoreIndices&state=succeeded,failed")
	if page.Total != 1 || len(page.Tasks) != 1 || page.Tasks[0].State != "succeeded" || page.Tasks[0].Kind != "restoreIndices" {
		t.Fatalf("%+v", page)
	}
	id := page.Tasks[0].ID
	for _, request := range []string{"GET /openapi/operations/tasks/" + id, "POST /openapi/operations/tasks/" + strings.ReplaceAll(id, ":", "%3A") + "/cancel"} {
		if got := body(request); !strings.Contains(got, `"state":"succeeded"`) || !strings.Contains(got, `"parameters":{"URNs"`) {
			t.Errorf("%s: %s", request, got)
		}
	}
	if got := body("GET /openapi/operations/elasticSearch/getTaskStatus?task=" + id); !strings.Contains(got, `{"completed":true,"taskId":"`+id+`"`) {
		t.Errorf("status is %s", got)
	}
	read("GET /openapi/operations/tasks?state=running")
	if page.Total != 0 || len(page.Tasks) != 0 {
		t.Errorf("%+v", page)
	}
	s.want("GET /openapi/operations/elasticSearch/getIndexSizes", "", http.StatusOK, `{"sizes":[]}`)
	for request, want := range map[string]int{
		"GET /openapi/operations/tasks?state=done":                        http.StatusBadRequest,
		"GET /openapi/operations/tasks?start=-1":                          http.StatusBadRequest,
		"GET /openapi/operations/tasks?count=many":                        http.StatusBadRequest,
		"GET /openapi/operations/tasks/none":                              http.StatusBadRequest,
		"GET /openapi/operations/tasks/none:1":                            http.StatusNotFound,
		"POST /openapi/operations/tasks/none:1/cancel":                    http.StatusNotFound,
		"GET /openapi/operations/elasticSearch/getTaskStatus":             http.StatusBadRequest,
		"GET /openapi/operations/elasticSearch/getTaskStatus?task=none":   http.StatusBadRequest,
		"GET /openapi/operations/elasticSearch/getTaskStatus?task=none:1": http.StatusNotFound,
		"DELETE /openapi/operations/tasks/" + id:                          http.StatusMethodNotAllowed,
	} {
		if got := s.do(request, ""); got.Code != want {
			t.Errorf("%s: %d %s, want %d", request, got.Code, got.Body, want)
		}
	}
	refused := newService(t, options{})
	for _, request := range []string{"GET /openapi/operations/tasks", "GET /openapi/operations/tasks/none:1", "POST /openapi/operations/tasks/none:1/cancel", "GET /openapi/operations/elasticSearch/getIndexSizes"} {
		if got := refused.do(request, ""); got.Code != http.StatusForbidden {
			t.Errorf("%s without the privilege: %d, want 403", request, got.Code)
		}
	}
}
