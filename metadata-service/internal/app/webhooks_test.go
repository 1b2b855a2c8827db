//go:build unix

package app_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/disk/disktest"
)

func TestWebhooksBeginWhenThereIsRoomAfterAStartOnAFullDisk(t *testing.T) {
	if !disktest.Alone(t) {
		return
	}
	got := make(chan string, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- string(body)
	}))
	defer receiver.Close()
	cfg := settings(t.TempDir())
	cfg.Webhooks.Hosts = []string{strings.TrimPrefix(receiver.URL, "http://")}
	a := open(t, cfg)
	status, answer := call(t, a, http.MethodPost, "/openapi/v1/webhooks", `{"name":"n","url":"`+receiver.URL+`","secret":"a secret of the receiver"}`)
	if status != http.StatusCreated {
		t.Fatalf("webhook: %d %s", status, answer)
	}
	shut(t, a)

	lift := disktest.Full(t, 0)
	a = open(t, cfg)
	defer shut(t, a)
	health := func() (background, detail string) {
		_, text := call(t, a, http.MethodGet, "/health/detailed", "")
		var h struct {
			Background string
			Detail     string `json:"background_detail"`
		}
		if err := json.Unmarshal([]byte(text), &h); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		return h.Background, h.Detail
	}
	a.ProbeStorages(t.Context())
	if state, detail := health(); state != "yellow" || !strings.Contains(detail, "records: writes fail since ") {
		t.Errorf("health on the full disk: %s %q", state, detail)
	}
	lift()
	if status, answer := call(t, a, http.MethodPost, tagPath, tagBody); status != http.StatusOK {
		t.Fatalf("write: %d %s", status, answer)
	}
	// A request for webhooks opens the file before it is probed.
	if status, answer := call(t, a, http.MethodGet, "/openapi/v1/webhooks", ""); status != http.StatusOK {
		t.Fatalf("webhooks: %d %s", status, answer)
	}
	a.ProbeStorages(t.Context())
	select {
	case body := <-got:
		if !strings.Contains(body, "urn:li:tag:pii") {
			t.Errorf("delivered %s", body)
		}
	case <-time.After(20 * time.Second):
		t.Error("nothing was delivered once there was room")
	}
	if state, detail := health(); strings.Contains(detail, "records") {
		t.Errorf("health once there is room: %s %q", state, detail)
	}
}
