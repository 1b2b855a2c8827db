package app_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
)

const (
	auditChildData = "CARTULARY_TEST_AUDIT_CHILD_DATA"
	auditedTags    = 60 // acknowledged before the process is killed
)

func putNamed(a *app.App, t *testing.T, name string) {
	t.Helper()
	body := `[{"urn":"urn:li:tag:` + name + `","tagProperties":{"value":{"name":"` + name + `"}}}]`
	if status, answer := call(t, a, http.MethodPost, "/openapi/v3/entity/tag?async=false", body); status != http.StatusOK {
		t.Fatalf("%d %s", status, answer)
	}
}

func TestEachAcknowledgedChangeIsInTheAuditLogAfterKill9(t *testing.T) {
	t.Parallel()
	cfg := settings(t.TempDir())
	cfg.Audit.GenericAspects = []string{"tagProperties"}
	child := exec.Command(os.Args[0], "-test.run=^TestChildThatWritesUntilItIsKilled$")
	child.Env = append(os.Environ(), auditChildData+"="+cfg.DataDir)
	printed, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	acknowledged := map[string]bool{}
	for lines := bufio.NewScanner(printed); len(acknowledged) < auditedTags && lines.Scan(); {
		if name, ok := strings.CutPrefix(lines.Text(), "wrote "); ok {
			acknowledged["urn:li:tag:"+name] = true
		}
	}
	if err := child.Process.Kill(); err != nil { // SIGKILL
		t.Error(err)
	}
	_ = child.Wait() // it was killed
	if len(acknowledged) < auditedTags {
		t.Fatalf("the child ended after %d writes", len(acknowledged))
	}
	a := open(t, cfg)
	defer shut(t, a)
	seen := map[string]int{}
	missing := len(acknowledged)
	for end := time.Now().Add(30 * time.Second); missing > 0 && time.Now().Before(end); {
		_, answer := call(t, a, http.MethodPost, "/openapi/v1/events/audit/search?size=1000", `{"eventTypes":["UpdateAspectEvent"],"entityTypes":["tag"]}`)
		var page struct{ UsageEvents []struct{ EntityURN string } }
		if err := json.Unmarshal([]byte(answer), &page); err != nil {
			t.Fatalf("%v: %s", err, answer)
		}
		clear(seen)
		for _, e := range page.UsageEvents {
			seen[e.EntityURN]++
		}
		missing = 0
		for tag := range acknowledged {
			if seen[tag] == 0 {
				missing++
			}
		}
	}
	for tag := range acknowledged {
		if seen[tag] != 1 {
			t.Errorf("%s has %d events", tag, seen[tag])
		}
	}
}

// TestChildThatWritesUntilItIsKilled is the process that is killed.
func TestChildThatWritesUntilItIsKilled(t *testing.T) {
	data := os.Getenv(auditChildData)
	if data == "" {
		t.Skip("runs as a child of TestEachAcknowledgedChangeIsInTheAuditLogAfterKill9")
	}
	a := open(t, settings(data))
	for i := 0; ; i++ {
		putNamed(a, t, fmt.Sprint("t", i))
		fmt.Printf("wrote t%d\n", i)
	}
}

func TestSettingsOfTheAuditLogAreChecked(t *testing.T) {
	t.Parallel()
	c := app.Defaults()
	c.Audit.Keep, c.Audit.MaxBytes = -1, 5
	c.Audit.EventTypes, c.Audit.IgnoredActors, c.Outside.Proxies = []string{"LogOutEvent"}, []string{"jo"}, []string{"everywhere"}
	said := fmt.Sprint(c.Validate())
	for _, want := range []string{"audit.keep", "audit.max_bytes", "audit.event_types", "audit.ignored_actors", "outside.proxies"} {
		if !strings.Contains(said, want) {
			t.Errorf("%s is not refused: %s", want, said)
		}
	}
}
