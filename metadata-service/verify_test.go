package main_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// verify runs the sub-command of that name; ok reports whether it exited with 0.
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

	// A lost snapshot is created again.
	if err := os.RemoveAll(filepath.Join(service.data, "search")); err != nil {
		t.Fatal(err)
	}
	service.wantVerified(t)
	service.start(t)
	service.stop(t)
	service.wantVerified(t)
}

func TestVerifyReadsTheAuditLogAndTheServiceGoesOnWithoutIt(t *testing.T) {
	t.Parallel()
	service := buildProgram(t)
	service.start(t)
	w := soakWriter{urn: "urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)"}
	for n := range 50 {
		if status, body, err := service.call(http.DefaultClient, http.MethodPost, "/aspects?action=ingestProposalBatch", w.batch(n)); err != nil || status != http.StatusOK {
			t.Fatalf("%d %s %v", status, body, err)
		}
	}
	service.stop(t)
	service.wantVerified(t)
	audit := filepath.Join(service.data, "audit.db")
	good, err := os.ReadFile(audit)
	if err != nil {
		t.Fatal(err)
	}
	harmed := append([]byte(nil), good...)
	for i := 2 * os.Getpagesize(); i < len(harmed); i++ {
		harmed[i] = byte(i * 7)
	}
	if err := os.WriteFile(audit, harmed, 0o600); err != nil {
		t.Fatal(err)
	}
	output, ok := service.verify(t)
	if ok || !strings.Contains(output, "audit.db: page ") || !strings.Contains(output, "the audit log alone is damaged") {
		t.Errorf("verify says %s", output)
	}
	if after, err := os.ReadFile(audit); err != nil || string(after) != string(harmed) {
		t.Errorf("verify changed the file, %v", err)
	}
	if got := service.try(t); !got.served || !strings.Contains(got.printed, "audit log is damaged and was set aside") {
		t.Errorf("got %+v", got)
	}
	service.wantVerified(t)

	// The file of a backup replaces the new one.
	if err := os.WriteFile(audit, good, 0o600); err != nil {
		t.Fatal(err)
	}
	service.wantVerified(t)
	if got := service.try(t); !got.served || strings.Contains(got.printed, "set aside") {
		t.Errorf("with the file of a backup: %+v", got)
	}
	// Without the file nothing is missing.
	if err := os.Remove(audit); err != nil {
		t.Fatal(err)
	}
	service.wantVerified(t)
}
