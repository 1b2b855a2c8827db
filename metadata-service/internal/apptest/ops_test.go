package apptest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/adminsocket"
)

// opsCommand runs a sub-command against the service of a data directory.
func opsCommand(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	var out, notes bytes.Buffer
	err := adminsocket.RunOps(t.Context(), dir, args, &out, &notes)
	if notes.Len() > 0 {
		t.Errorf("%v: progress is shown though nobody looks on: %s", args, notes.String())
	}
	return out.String(), err
}

func profiled(t *testing.T, dir string) *apptest.Service {
	t.Helper()
	s := apptest.Start(t, dir)
	for i := range 9 {
		s.JSON(http.MethodPost, "/aspects?action=ingestProposal", fmt.Sprintf(`{"proposal":{"entityType":"dataset","entityUrn":"urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)",
			"changeType":"UPSERT","aspectName":"datasetProfile","aspect":{"contentType":"application/json","value":"{\"timestampMillis\":%d}"}}}`, 1_700_000_000_000+i), nil)
	}
	return s
}

func TestOperationsOnTheCommandLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	profiled(t, dir)
	ok := func(args string, says ...string) string {
		t.Helper()
		out, err := opsCommand(t, dir, strings.Fields(args)...)
		if err != nil {
			t.Fatalf("%s: %v", args, err)
		}
		for _, want := range says {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in\n%s", args, want, out)
			}
		}
		return out
	}
	ok("index-sizes", "dataset_datasetprofileaspect_v1", "MB ")
	ok("index-sizes --json", `"aspectName":"datasetprofile","sizeMb":0.`)
	ok("truncate --type dataset --aspect datasetprofile --before 2023-11-14", "0 of 9 rows would be deleted")
	ok("truncate --type dataset --aspect datasetprofile --before 2023-11-15 --json", `{"dryRun":true,"rows":9,"total":9}`)
	ok("truncate --type dataset --aspect datasetprofile --before 1d --execute --batch 2", "state     succeeded", `"deleted":9,"batches":5`)
	ok("restore-indices --urn-like urn:li:dataset:% --aspect status,datasetKey", "restoreIndices succeeded")
	var started struct{ ID string }
	if err := json.Unmarshal([]byte(ok("restore-indices --no-wait --json")), &started); err != nil {
		t.Fatal(err)
	}
	ok("task "+started.ID+" --wait", "restoreIndices", "urn:li:corpuser:__datahub_system")
	ok("cancel "+started.ID+" --json", `"state":"succeeded"`)
	ok("tasks --state succeeded --kind restoreIndices --count 1", started.ID)
	for args, says := range map[string]string{
		"steal": "is not a command", "truncate": "needs --type, --aspect and --before", "task": "ops tasks shows them", "task x": "has the form <node>:<number>", "cancel none:1": "there is no task none:1",
		"truncate --type dataset --aspect status --before 1d": "no time-series aspect", "truncate --type dataset --aspect datasetProfile --before later": "--before",
		"tasks --state done": "state:", "index-sizes now": "does not take", "tasks --all": "all",
	} {
		if out, err := opsCommand(t, dir, strings.Fields(args)...); err == nil || !strings.Contains(err.Error(), says) || out != "" {
			t.Errorf("%s: %q, %v, want %q", args, out, err, says)
		}
	}
	for _, args := range []string{"", "help", "truncate -h"} {
		ok(args, "ops truncate --type TYPE")
	}
}

func TestTheOpsCommandsOfThePageWork(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	profiled(t, dir)
	id, commands := "", 0
	for line := range strings.Lines(string(page)) {
		arguments, found := strings.CutPrefix(strings.TrimSpace(line), "metadata-service ops ")
		if !found {
			continue
		}
		commands++
		arguments, _, _ = strings.Cut(arguments, "  ") // the text after it describes the command
		out, err := opsCommand(t, dir, strings.Fields(strings.ReplaceAll(arguments, "ID", id))...)
		if err != nil {
			t.Errorf("%s: %v", arguments, err)
		}
		if rest, ok := strings.CutPrefix(out, "id "); ok && id == "" {
			id = strings.Fields(rest)[0]
		}
	}
	if commands < 7 || id == "" {
		t.Errorf("the page shows %d commands, of which one started the task %q", commands, id)
	}
}
