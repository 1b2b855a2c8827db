package apptest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
)

// Variables with the data folder and the receiver for the process that is killed.
const (
	hookChildData     = "CARTULARY_TEST_HOOK_CHILD_DATA"
	hookChildReceiver = "CARTULARY_TEST_HOOK_CHILD_RECEIVER"
)

// hookedTags is the number of tags that the killed process writes; it is killed while the receiver
// hangs at the tag hungTag.
const hookedTags, hungTag = 5, 2

// posted is a delivery that a receiver of webhooks got.
type posted struct{ id, tag string }

// hangingReceiver receives events, and hangs at one of them the first time.
func hangingReceiver(t *testing.T) (url string, got chan posted, hanging chan struct{}) {
	t.Helper()
	got, hanging = make(chan posted, 100), make(chan struct{})
	first := true // requests come one after the other
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var event struct{ EntityURN string }
		if err == nil {
			err = json.Unmarshal(body, &event)
		}
		if err != nil {
			t.Errorf("%v: %s", err, body)
		}
		p := posted{r.Header.Get("X-Cartulary-Delivery"), strings.TrimPrefix(event.EntityURN, "urn:li:tag:t")}
		got <- p
		if first && p.tag == fmt.Sprint(hungTag) {
			first = false
			close(hanging)
			<-r.Context().Done() // until the process is gone
		}
	}))
	t.Cleanup(receiver.Close)
	return receiver.URL, got, hanging
}

func delivering(url string) func(*app.Config) {
	return func(c *app.Config) { c.Webhooks.Hosts = []string{strings.TrimPrefix(url, "http://")} }
}

func TestAWebhookGetsEachEventInOrderThoughTheServiceIsKilledMeanwhile(t *testing.T) {
	t.Parallel()
	url, got, hanging := hangingReceiver(t)
	data := t.TempDir()
	child := exec.Command(os.Args[0], "-test.run=^TestChildThatDeliversUntilItIsKilled$")
	child.Env = append(os.Environ(), hookChildData+"="+data, hookChildReceiver+"="+url)
	written, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	output, _ := io.ReadAll(written) // to its end: the child closes it when all is written
	if !strings.Contains(string(output), "all written") {
		_ = child.Process.Kill()
		t.Fatalf("the child ended with %v: %s", child.Wait(), output)
	}
	<-hanging
	if err := child.Process.Kill(); err != nil { // SIGKILL
		t.Error(err)
	}
	_ = child.Wait() // it was killed

	s := apptest.Start(t, data, delivering(url))
	tagged(s, hookedTags)
	var order []string
	ids := map[string]string{}
	for len(order) == 0 || order[len(order)-1] != fmt.Sprint(hookedTags) {
		p := <-got
		order = append(order, p.tag)
		if id, again := ids[p.tag]; again && id != p.id {
			t.Errorf("the event of tag %s came as %s and as %s", p.tag, id, p.id)
		}
		ids[p.tag] = p.id
	}
	if want := strings.Fields("0 1 2 2 3 4 5"); !slices.Equal(order, want) {
		t.Errorf("the events of tags %v came, want %v", order, want)
	}
	distinct := map[string]bool{}
	for _, id := range ids {
		distinct[id] = id != ""
	}
	if len(distinct) != hookedTags+1 {
		t.Errorf("%d ids for %d events: %v", len(distinct), hookedTags+1, ids)
	}
	s.Stop() // together with all messages after the last event
	select {
	case p := <-got:
		t.Errorf("tag %s came once more", p.tag)
	default:
	}
}

// TestChildThatDeliversUntilItIsKilled is the process that is killed.
func TestChildThatDeliversUntilItIsKilled(t *testing.T) {
	data, url := os.Getenv(hookChildData), os.Getenv(hookChildReceiver)
	if data == "" {
		t.Skip("runs as a child of TestAWebhookGetsEachEventInOrderThoughTheServiceIsKilledMeanwhile")
	}
	s := apptest.Start(t, data, delivering(url))
	status, answer := s.Call(http.MethodPost, "/openapi/v1/webhooks", `{"name":"n","url":"`+url+`","secret":"a secret of the receiver","paused":true,"filter":{"entityTypes":["tag"],"categories":["LIFECYCLE"]}}`)
	if status != http.StatusCreated {
		t.Fatalf("webhook: %d %s", status, answer)
	}
	var hook struct{ ID string }
	if err := json.Unmarshal([]byte(answer), &hook); err != nil {
		t.Fatal(err)
	}
	for i := range hookedTags {
		tagged(s, i)
	}
	s.JSON(http.MethodPost, "/openapi/v1/webhooks/"+hook.ID+"/resume", "", nil) // so that nothing has to wait while it hangs
	fmt.Println("all written")
	if err := os.Stdout.Close(); err != nil {
		t.Fatal(err)
	}
	select {}
}
