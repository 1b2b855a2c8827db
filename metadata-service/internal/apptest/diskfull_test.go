//go:build unix

package apptest_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
	"github.com/cartulary/cartulary/metadata-service/internal/backup"
	"github.com/cartulary/cartulary/metadata-service/internal/disk/disktest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/adminsocket"
	"github.com/cartulary/cartulary/pkg/fault"
)

const tagProposal = `{"proposal":{"entityType":"tag","entityUrn":"urn:li:tag:NAME","changeType":"UPSERT",` +
	`"aspectName":"tagProperties","aspect":{"contentType":"application/json","value":"{\"name\":\"NAME\"}"}}}`

// writes are the APIs for changes, with the requests of each.
var writes = []struct{ name, path, body string }{
	{"Rest.li", "/aspects?action=ingestProposal", tagProposal},
	{"OpenAPI v3", "/openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:NAME","tagProperties":{"value":{"name":"NAME"}}}]`},
	{"GraphQL", "/api/graphql", `{"query":"mutation { createTag(input: {id: \"NAME\", name: \"NAME\"}) }"}`},
}

func TestAFullDiskIsAnsweredWith507AtEveryDoorAndEndsByItself(t *testing.T) {
	if !disktest.Alone(t) {
		return
	}
	s := apptest.New(t)
	lift := disktest.Full(t, 0)
	for _, w := range writes {
		status, answer := s.Call(http.MethodPost, w.path, strings.ReplaceAll(w.body, "NAME", "full"))
		if w.name == "GraphQL" && status == http.StatusOK && strings.Contains(answer, `"code":507`) {
			status = http.StatusInsufficientStorage
		}
		if status != http.StatusInsufficientStorage || !strings.Contains(answer, "make room there or raise the limit") {
			t.Errorf("%s: got %d %s, want 507 and what to do", w.name, status, answer)
		}
	}
	if status, _ := s.Call(http.MethodGet, "/health", ""); status != http.StatusOK {
		t.Errorf("health: got %d; reads are served", status)
	}
	if _, detail := s.Call(http.MethodGet, "/health/detailed", ""); !strings.Contains(detail, `"writes":"red"`) || !strings.Contains(detail, "is full") && !strings.Contains(detail, "largest size") {
		t.Errorf("detailed health while writes fail: %s", detail)
	}
	// The service itself may write meanwhile, and fail as well.
	atLeastThree := regexp.MustCompile(`cartulary_storage_write_failures_total\{storage="store"\} ([3-9]|[1-9]\d+)\n`)
	if _, figures := s.Call(http.MethodGet, "/metrics", ""); !strings.Contains(figures, `cartulary_storage_writes_failing{storage="store"} 1`) || !atLeastThree.MatchString(figures) {
		t.Errorf("metrics do not tell of failing writes")
	}
	lift()
	for _, w := range writes {
		status, answer := s.Call(http.MethodPost, w.path, strings.ReplaceAll(w.body, "NAME", strings.ReplaceAll(w.name, " ", "")))
		if status != http.StatusOK || strings.Contains(answer, `"errors"`) {
			t.Errorf("%s once there is room: got %d %s", w.name, status, answer)
		}
	}
	if _, detail := s.Call(http.MethodGet, "/health/detailed", ""); !strings.Contains(detail, `"writes":"green"`) {
		t.Errorf("detailed health once there is room: %s", detail)
	}
	if _, figures := s.Call(http.MethodGet, "/metrics", ""); !strings.Contains(figures, `cartulary_storage_writes_failing{storage="store"} 0`) {
		t.Errorf("metrics still tell of failing writes")
	}
}

// namesIn lists a folder without the history of backups, which the first backup creates.
func namesIn(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != "history.json" {
			names = append(names, e.Name())
		}
	}
	return names
}

func TestABackupThatMeetsAFullDiskLeavesNothingAndTheNextOneIsWhole(t *testing.T) {
	if !disktest.Alone(t) {
		return
	}
	folder := shortDir(t)
	s := apptest.Start(t, filepath.Join(folder, "data"))
	before := namesIn(t, s.DataDir)
	file := filepath.Join(folder, "backup")
	lift := disktest.Full(t, 64<<10)
	err := adminsocket.RunBackup(t.Context(), s.DataDir, []string{"--out", file}, io.Discard, io.Discard)
	lift()
	if fault.KindOf(err) != fault.StorageFull || !strings.Contains(err.Error(), "make room there") {
		t.Errorf("got %v", err)
	}
	if after := namesIn(t, s.DataDir); !slices.Equal(after, before) {
		t.Errorf("the data directory had %v and has %v", before, after)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("files stay behind: %v, %v", entries, err)
	}
	if status, answer := s.Call(http.MethodPost, writes[0].path, strings.ReplaceAll(writes[0].body, "NAME", "after")); status != http.StatusOK {
		t.Errorf("a write afterwards: %d %s", status, answer)
	}
	takeBackup(t, s, file)
	from, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := backup.Check(t.Context(), from, nil); err != nil {
		t.Error(err)
	}
	if err := from.Close(); err != nil {
		t.Error(err)
	}
}
