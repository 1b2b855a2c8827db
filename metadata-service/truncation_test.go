package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// operationTask is a task in the form of the API.
type operationTask struct {
	State    string
	Progress struct{ Done, Total int }
	Result   json.RawMessage
	Error    string
}

func (p *program) operationTask(t *testing.T, id string) (task operationTask) {
	t.Helper()
	status, text, err := p.call(http.DefaultClient, http.MethodGet, "/openapi/operations/tasks/"+id, nil)
	if err != nil || status != http.StatusOK {
		t.Fatalf("%d %s, %v\n%s", status, text, err, p.printed())
	}
	if err := json.Unmarshal(text, &task); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return task
}

func (p *program) awaitTask(t *testing.T, id string, wanted func(operationTask) bool) operationTask {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		task := p.operationTask(t, id)
		if wanted(task) {
			return task
		}
		select {
		case <-t.Context().Done():
			t.Fatalf("the task is still %+v", task)
		case <-tick.C:
		}
	}
}

// truncate requests a truncation of profiles, and returns the value of the response.
func (p *program) truncate(t *testing.T, end int, more string) string {
	t.Helper()
	body := fmt.Sprintf(`{"entityType":"dataset","aspect":"datasetProfile","endTimeMillis":%d%s}`, end, more)
	status, text, err := p.call(http.DefaultClient, http.MethodPost, "/operations?action=truncateTimeseriesAspect", []byte(body))
	var answer struct{ Value string }
	if err != nil || status != http.StatusOK || json.Unmarshal(text, &answer) != nil {
		t.Fatalf("%d %s, %v\n%s", status, text, err, p.printed())
	}
	return answer.Value
}

// TestATruncationSurvivesKill kills the service while it truncates a time series. The task
// continues at the next start, and the remaining data is the same as after an undisturbed one.
func TestATruncationSurvivesKill(t *testing.T) {
	const rows, until, page = 2_000, 1_200, 500
	p := buildProgram(t)
	p.start(t)
	t.Cleanup(p.kill)
	type object = map[string]any
	var proposals []object
	for i := 1; i <= rows; i++ {
		proposals = append(proposals, object{
			"entityType": "dataset", "entityUrn": fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,killed.t%d,PROD)", i%20), "changeType": "UPSERT",
			"aspectName": "datasetProfile", "aspect": object{"contentType": "application/json", "value": fmt.Sprintf(`{"timestampMillis":%d,"rowCount":%d}`, i, i)},
		})
		if len(proposals) < page {
			continue
		}
		body, err := json.Marshal(object{"proposals": proposals})
		if err != nil {
			t.Fatal(err)
		}
		if status, text, err := p.call(http.DefaultClient, http.MethodPost, "/aspects?action=ingestProposalBatch", body); err != nil || status != http.StatusOK {
			t.Fatalf("%d %s, %v", status, text, err)
		}
		proposals = nil
	}
	if told := p.truncate(t, until, ""); !strings.HasPrefix(told, fmt.Sprintf("Delete %d out of %d rows", until, rows)) {
		t.Fatalf("the rehearsal says %q", told)
	}
	id := p.truncate(t, until, `,"dryRun":false,"batchSize":30`)
	p.awaitTask(t, id, func(task operationTask) bool { return task.Progress.Done > 0 })
	p.kill()
	p.start(t)
	again := p.operationTask(t, id)
	done := p.awaitTask(t, id, func(task operationTask) bool { return task.State != "running" && task.State != "queued" })
	t.Logf("after the kill %d rows of %d were known to be deleted, at the end %d", again.Progress.Done, until, done.Progress.Done)
	if !strings.Contains(string(p.printed()), "task goes on after a restart") {
		t.Error("the task had ended before the service was killed")
	}
	if done.State != "succeeded" || !strings.Contains(string(done.Result), fmt.Sprintf(`"deleted":%d`, until)) {
		t.Errorf("it ended as %+v %s, want %d rows deleted", done, done.Result, until)
	}
	if told := p.truncate(t, until, ""); !strings.HasPrefix(told, fmt.Sprintf("Delete 0 out of %d rows", rows-until)) {
		t.Errorf("afterwards the rehearsal says %q", told)
	}
	if told := p.truncate(t, rows, ""); !strings.HasPrefix(told, fmt.Sprintf("Delete %d out of %d rows", rows-until, rows-until)) {
		t.Errorf("of what is left the rehearsal says %q", told)
	}
	p.stop(t)
}
