package openapi_test

import (
	"os"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest/doctest"
)

const page = "../../../../docs/api/openapi.md"

func TestThePageForCallersIsTrue(t *testing.T) {
	t.Parallel()
	doctest.Run(t, page, newService(t, options{open: true}).handler)
}

func TestThePageOnTimelinesIsTrue(t *testing.T) {
	t.Parallel()
	doctest.Run(t, "../../../../docs/api/timeline.md", newService(t, options{open: true}).handler)
}

func TestThePageForCallersShowsEveryEndpoint(t *testing.T) {
	t.Parallel()
	var pages strings.Builder
	// The examples of the documentation of policies run against the whole service.
	for _, name := range []string{page, "../../../../docs/api/policies.md", "../../../../docs/api/openlineage.md", "../../../../docs/api/webhooks.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		pages.Write(text)
	}
	api := newAPI(t)
	shown := map[string]bool{}
	for line := range strings.Lines(pages.String()) {
		method, target, ok := strings.Cut(strings.TrimSpace(line), " /openapi")
		if !ok {
			continue
		}
		path, _, _ := strings.Cut(target, "?")
		pattern, _, err := api.Match(path)
		if err != nil {
			t.Errorf("%s: %v", line, err)
		}
		shown[method+" "+pattern] = true
	}
	for _, e := range api.Endpoints() {
		if !shown[e.Method+" "+e.Path] {
			t.Errorf("%s %s has no example", e.Method, e.Path)
		}
	}
}

func TestThePageAboutOpenLineageIsTrue(t *testing.T) {
	t.Parallel()
	doctest.Run(t, "../../../../docs/api/openlineage.md", newService(t, options{open: true}).handler)
}

func TestThePageAboutWebhooksIsTrue(t *testing.T) {
	t.Parallel()
	doctest.Run(t, "../../../../docs/api/webhooks.md", newService(t, options{open: true}).handler)
}
