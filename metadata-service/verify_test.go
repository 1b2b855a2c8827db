package main_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// verify runs the sub-command of that name; ok is whether it ended with 0.
func (p *program) verify(tb testing.TB) (output string, ok bool) {
	tb.Helper()
	command := exec.Command(p.binary, "verify")
	command.Env = p.environment()
	text, err := command.CombinedOutput()
	return string(text), err == nil
}

func (p *program) wantVerified(tb testing.TB) {
	tb.Helper()
	if output, ok := p.verify(tb); !ok || !strings.Contains(output, "equal; entities ") {
		tb.Errorf("verify found:\n%s", output)
	}
}

func TestVerifyComparesWhatAStoppedServiceHasLeft(t *testing.T) {
	t.Parallel()
	service := buildProgram(t)
	if output, ok := service.verify(t); ok || !strings.Contains(output, "there is no catalog in") {
		t.Errorf("without a catalog verify says %s", output)
	}
	if _, err := os.Stat(service.data); !os.IsNotExist(err) {
		t.Errorf("verify made the data directory it did not find: %v", err)
	}
	service.start(t)
	w := soakWriter{urn: "urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)"}
	if status, body, err := service.call(http.DefaultClient, http.MethodPost, "/aspects?action=ingestProposalBatch", w.batch(1)); err != nil || status != http.StatusOK {
		t.Fatalf("%d %s %v", status, body, err)
	}
	if output, ok := service.verify(t); ok {
		t.Errorf("verify beside a running service says %s", output)
	}
	service.kill()
	service.wantVerified(t)

	// A snapshot that is lost is made again.
	if err := os.RemoveAll(filepath.Join(service.data, "search")); err != nil {
		t.Fatal(err)
	}
	service.wantVerified(t)
	service.start(t)
	service.stop(t)
	service.wantVerified(t)
}
