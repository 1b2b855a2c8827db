package apptest_test

import (
	"net/http"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
)

func TestWhatWasWrittenSurvivesARestart(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	if status, body := s.Call(http.MethodGet, "/health", ""); status != http.StatusOK {
		t.Fatalf("health: %d %s", status, body)
	}
	status, body := s.Call(http.MethodPost, "/openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:pii","tagProperties":{"value":{"name":"pii"}}}]`)
	if status != http.StatusOK {
		t.Fatalf("write: %d %s", status, body)
	}
	read := func(from *apptest.Service) string {
		t.Helper()
		var tag struct {
			TagProperties struct {
				Value struct{ Name string }
			}
		}
		from.JSON(http.MethodGet, "/openapi/v3/entity/tag/urn:li:tag:pii", "", &tag)
		return tag.TagProperties.Value.Name
	}
	if got := read(s); got != "pii" {
		t.Errorf("read %q", got)
	}
	s.Stop()
	s.Stop()
	if got := read(apptest.Start(t, s.DataDir)); got != "pii" {
		t.Errorf("after the restart: read %q", got)
	}
}
