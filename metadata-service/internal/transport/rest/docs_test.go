package rest_test

import (
	"os"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest/doctest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/rest"
)

const page = "../../../../docs/api/rest.md"

func TestThePageShowsWhatIsAnswered(t *testing.T) {
	t.Parallel()
	doctest.Run(t, page, newService(t).handler)
}

func TestThePageHasAnExampleOfEveryRoute(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rest.Routes(rest.Deps{Catalog: newService(t).catalog}) {
		var examples []string
		for _, action := range r.Actions {
			examples = append(examples, r.Path+"?action="+action+"\n")
		}
		switch path, keyed := strings.CutSuffix(r.Path, ":urn"); {
		case keyed:
			examples = append(examples, path+"urn")
		case r.Actions == nil && r.Method == "GET":
			examples = append(examples, path)
		}
		for _, example := range examples {
			if !strings.Contains(string(text), "```http\n"+r.Method+" "+example) {
				t.Errorf("no example of %s %s", r.Method, strings.TrimSpace(example))
			}
		}
	}
}
