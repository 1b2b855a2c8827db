package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/task"
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

func TestIndexSizes(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for i := range 3 {
		s.ingest(dataset, "datasetProfile", fmt.Sprintf(`{"timestampMillis":%d}`, noon-100+i), "")
	}
	for _, prefix := range []string{"", "/gms", "/api/gms"} {
		var answer struct{ Value string }
		var sizes struct {
			IndexSizes []map[string]any `json:"indexSizes"`
		}
		got := s.post(prefix+"/operations?action=getIndexSizes", "")
		if err := json.Unmarshal(got.Body.Bytes(), &answer); err != nil || got.Code != http.StatusOK {
			t.Fatalf("%s: %d %s: %v", prefix, got.Code, got.Body, err)
		}
		if err := json.Unmarshal([]byte(answer.Value), &sizes); err != nil || len(sizes.IndexSizes) != 1 {
			t.Fatalf("%s: %s: %v", prefix, answer.Value, err)
		}
		one := sizes.IndexSizes[0]
		if one["indexName"] != "dataset_datasetprofileaspect_v1" || one["entityName"] != "dataset" || one["aspectName"] != "datasetprofile" || one["sizeMb"] != one["sizeInMb"] || one["sizeMb"] == 0.0 || len(one) != 5 {
			t.Errorf("%s: %v", prefix, one)
		}
	}
	newService(t, denying("GET_TIMESERIES_INDEX_SIZES_PRIVILEGE")).post("/operations?action=getIndexSizes", "").fails(http.StatusUnauthorized, "GET_TIMESERIES_INDEX_SIZES")
}

func TestTruncateTimeseries(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for i := range 9 {
		s.ingest(dataset, "datasetProfile", fmt.Sprintf(`{"timestampMillis":%d}`, noon-100+i), "")
	}
	ask := func(more string) reply {
		return s.post("/operations?action=truncateTimeseriesAspect", `{"entityType":"dataset","aspect":"datasetprofile","endTimeMillis":`+fmt.Sprint(noon-98)+more+`}`)
	}
	const dry = "This was a dry run. Run with dryRun = false to execute."
	ask("").is(http.StatusOK, `{"value":"Delete 3 out of 9 rows (33.33%). Issuing a delete by query request. `+dry+`"}`)
	ask(`,"dryRun":true,"forceReindex":true`).is(http.StatusOK, `{"value":"Delete 3 out of 9 rows (33.33%). Reindexing the aspect without the deleted records. `+dry+`"}`)
	ask(`,"dryRun":false,"forceReindex":true,"forceDeleteByQuery":true`).is(http.StatusOK, `{"value":"please only set forceReindex OR forceDeleteByQuery flags"}`)
	var answer struct{ Value string }
	got := ask(`,"dryRun":false,"batchSize":"2","timeoutSeconds":60`)
	if err := json.Unmarshal(got.Body.Bytes(), &answer); err != nil || got.Code != http.StatusOK {
		t.Fatalf("%d %s: %v", got.Code, got.Body, err)
	}
	if _, err := s.tasks.Wait(t.Context(), task.ID(answer.Value)); err != nil {
		t.Fatal(err)
	}
	node, number, _ := strings.Cut(answer.Value, ":")
	for _, body := range []string{`{"task":"` + answer.Value + `"}`, `{"nodeId":"` + node + `","taskId":` + number + `}`, `{"task":"` + answer.Value + `","nodeId":"` + node + `","taskId":"` + number + `"}`} {
		status := s.post("/operations?action=getEsTaskStatus", body)
		text := status.Body.String()
		for _, want := range []string{`{"value":"{\"completed\":true,\"taskId\":\"` + answer.Value + `\",\"runTimeNanos\":`, `\"state\":\"succeeded\"`, `\"deleted\":3,`} {
			if status.Code != http.StatusOK || !strings.Contains(text, want) {
				t.Errorf("%s: %d %s, want %s", body, status.Code, text, want)
			}
		}
	}
	ask("").is(http.StatusOK, `{"value":"Delete 0 out of 6 rows (0.00%). Issuing a delete by query request. `+dry+`"}`)

	s.post("/operations?action=getEsTaskStatus", `{"task":"node:123"}`).is(http.StatusOK, `{"value":"{\"error\":\"Could not get task status for node:123\"}"}`)
	for _, body := range []string{``, `{"nodeId":"node"}`, `{"taskId":1}`, `{"task":"node"}`, `{"task":"node:x"}`, `{"task":"node:1","nodeId":"node","taskId":2}`, `{"task":"node:1","nodeId":"other"}`} {
		s.post("/operations?action=getEsTaskStatus", body).fails(http.StatusBadRequest, "node")
	}
	for more, says := range map[string]string{`,"batchSize":0`: "batchSize must be at least 1", `,"batchSize":1000000`: "batchSize", `,"timeoutSeconds":-1`: "timeoutSeconds", `,"dryRun":"maybe"`: "dryRun"} {
		ask(more).fails(http.StatusBadRequest, says)
	}
	s.post("/operations?action=truncateTimeseriesAspect", `{"entityType":"dataset"}`).fails(http.StatusBadRequest, "aspect, endTimeMillis")
	s.post("/operations?action=truncateTimeseriesAspect", `{"entityType":"dataset","aspect":"datasetProfile","endTimeMillis":99999999999999}`).fails(http.StatusBadRequest, "lies in the future")
	newService(t, denying("TRUNCATE_TIMESERIES_INDEX_PRIVILEGE")).post("/operations?action=truncateTimeseriesAspect", `{"entityType":"dataset","aspect":"operation","endTimeMillis":1}`).
		fails(http.StatusUnauthorized, "TRUNCATE_TIMESERIES_INDEX")
}
