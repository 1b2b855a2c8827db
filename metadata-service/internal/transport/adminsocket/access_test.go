package adminsocket_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/access"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/adminsocket"
	"github.com/cartulary/cartulary/pkg/fault"
)

// serveAccess serves the access operations of a World.
func serveAccess(t *testing.T, w *servicetest.World) (dir string) {
	t.Helper()
	dir = dataDir(t)
	s, err := adminsocket.Open(t.Context(), dir, nil, nil, access.New(w.Edit, w.Rights, w.Tokens), nil, nil, discard)
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

func accessCommand(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	var out, notes bytes.Buffer
	err := adminsocket.RunAccess(t.Context(), dir, args, &out, &notes)
	return out.String(), err
}

func TestExplainOnTheCommandLine(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	dir := serveAccess(t, w)
	for name, c := range map[string]struct {
		args string
		want []string
	}{
		"what a policy allows": {
			"--actor datahub --privilege MANAGE_POLICIES",
			[]string{`allowed: the policy "Root User - All Platform Privileges" grants MANAGE_POLICIES`, "actor: urn:li:corpuser:datahub, groups: none, roles: none", "applies", "admin-platform-policy", "Actor did not match"},
		},
		"what none does": {
			"--actor urn:li:corpuser:jo --privilege MANAGE_POLICIES",
			[]string{"refused: urn:li:corpuser:jo is unauthorized", "needed: one of MANAGE_POLICIES"},
		},
		"what an interface asks for": {
			"--actor jo --operation DELETE --resource urn:li:tag:pii",
			[]string{"refused: ", "needed: one of DELETE_ENTITY"},
		},
	} {
		out, err := accessCommand(t, dir, append([]string{"explain"}, strings.Fields(c.args)...)...)
		check(t, err)
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in\n%s", name, want, out)
			}
		}
	}
}

func TestReportOnTheCommandLine(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	w.Put(t, "urn:li:corpuser:etl", "corpUserInfo", `{"active":true}`)
	out, err := accessCommand(t, serveAccess(t, w), "report")
	check(t, err)
	for _, want := range []string{"of 4 users can no longer ingest, create and change metadata of data assets (such as urn:li:corpuser:etl", "1 of 4 users can no longer create tags (such as urn:li:corpuser:etl)", "grant CREATE_ENTITY, EDIT_ENTITY by a policy"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

func TestWrongArgumentsOfAccess(t *testing.T) {
	t.Parallel()
	dir := serveAccess(t, servicetest.New(t))
	for args, says := range map[string]string{
		"steal":                              "is not a command",
		"explain":                            "--actor",
		"explain --actor jo":                 "either --privilege or --operation",
		"explain --actor jo --privilege FLY": "none that a policy can grant",
		"explain --actor nobody --privilege MANAGE_TAGS": "does not exist",
		"explain --actor jo --operation FLY --type tag":  "operation: must be one of",
		"explain --actor jo --operation READ":            "on which resource or type",
		"report --all":                                   "all",
	} {
		out, err := accessCommand(t, dir, strings.Fields(args)...)
		checkFault(t, err, fault.Malformed, says)
		if out != "" {
			t.Errorf("%s printed %q", args, out)
		}
	}
}

func TestHelpOfAccess(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"help"}, {"--help"}, {"explain", "--help"}, {"report", "-h"}} {
		out, err := accessCommand(t, "./data", args...)
		if err != nil || !strings.Contains(out, "access explain --actor") || !strings.Contains(out, "default ./data") {
			t.Errorf("%v: %v", args, err)
		}
	}
}

func TestTheAccessCommandsOfThePageWork(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../../docs/api/policies.md")
	check(t, err)
	dir, commands := serveAccess(t, servicetest.New(t)), 0
	for line := range strings.Lines(string(page)) {
		arguments, ok := strings.CutPrefix(strings.TrimSpace(line), "metadata-service access ")
		if !ok {
			continue
		}
		commands++
		if _, err := accessCommand(t, dir, strings.Fields(arguments)...); err != nil {
			t.Errorf("%s: %v", strings.TrimSpace(line), err)
		}
	}
	if commands < 3 {
		t.Errorf("the page shows %d commands", commands)
	}
}
