package adminsocket_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/adminsocket"
	"github.com/cartulary/cartulary/pkg/fault"
)

func serveTests(t *testing.T, w *servicetest.World) (dir string) {
	t.Helper()
	dir = dataDir(t)
	tests := metatest.New(metatest.Config{Edit: w.Edit, Reader: w.Store, Graph: w.Store, Documents: w.Documents, Log: w.Log})
	s, err := adminsocket.Open(t.Context(), dir, nil, nil, nil, tests, nil, discard)
	check(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		check(t, <-done)
	})
	return dir
}

func testsCommand(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	var out, notes bytes.Buffer
	err := adminsocket.RunTests(t.Context(), dir, args, &out, &notes)
	return out.String(), err
}

func TestTheStarterPackIsInstalledOnTheCommandLine(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	dir := serveTests(t, w)
	for _, step := range []struct{ args, says string }{
		{"install-starter --dry-run", "would be created"}, {"install-starter", "  created"}, {"install-starter", "is there"},
	} {
		out, err := testsCommand(t, dir, strings.Fields(step.args)...)
		check(t, err)
		if strings.Count(out, "\n") != 8 || strings.Count(out, step.says) != 8 || !strings.Contains(out, "urn:li:test:starter-owned ") {
			t.Errorf("%s: want 8 tests that say %q, got\n%s", step.args, step.says, out)
		}
	}
	if w.Get(t, "urn:li:test:starter-owned", "testInfo") == "" {
		t.Error("nothing was installed")
	}
}

func TestWrongArgumentsOfTests(t *testing.T) {
	t.Parallel()
	dir := serveTests(t, servicetest.New(t))
	for args, says := range map[string]string{"run": "is not a command", "install-starter --all": "all", "install-starter now": "now"} {
		out, err := testsCommand(t, dir, strings.Fields(args)...)
		checkFault(t, err, fault.Malformed, says)
		if out != "" {
			t.Errorf("%s printed %q", args, out)
		}
	}
	for _, args := range [][]string{nil, {"-h"}, {"install-starter", "--help"}} {
		if out, err := testsCommand(t, dir, args...); err != nil || !strings.Contains(out, "--dry-run") {
			t.Errorf("%v: %q, %v", args, out, err)
		}
	}
}

func TestTheTestsCommandsOfThePageWork(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../../docs/api/metadata-tests.md")
	check(t, err)
	dir, commands := serveTests(t, servicetest.New(t)), 0
	for line := range strings.Lines(string(page)) {
		arguments, ok := strings.CutPrefix(strings.TrimSpace(line), "metadata-service tests ")
		if !ok {
			continue
		}
		commands++
		if _, err := testsCommand(t, dir, strings.Fields(arguments)...); err != nil {
			t.Errorf("%s: %v", strings.TrimSpace(line), err)
		}
	}
	if commands < 2 {
		t.Errorf("the page shows %d commands", commands)
	}
}
