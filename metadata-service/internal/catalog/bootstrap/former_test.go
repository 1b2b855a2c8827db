package bootstrap_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Earlier default policies over all resources had allResources, which does not cover checks without
// a resource.
func TestDefaultPoliciesThatNobodyChangedAreMended(t *testing.T) {
	t.Parallel()
	const viewing, sensitive urn.URN = "urn:li:dataHubPolicy:view-entity-page-all", "urn:li:dataHubPolicy:view-dataset-sensitive"
	f := catalogtest.New(t, catalogtest.InMemory())
	start := func() {
		t.Helper()
		if err := f.Boot.DefaultData(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	value := func(u urn.URN) string { return string(f.Record(u, "dataHubPolicyInfo").Value) }
	start()
	builtIn := value(viewing)
	if strings.Contains(builtIn, `"resources"`) {
		t.Fatalf("the policy is about some resources: %s", builtIn)
	}
	former := func(text string) string { return strings.TrimSuffix(text, "}") + `,"resources":{"allResources":true}}` }
	changed := former(strings.Replace(value(sensitive), `"ACTIVE"`, `"INACTIVE"`, 1))
	f.Put(viewing, "dataHubPolicyInfo", former(builtIn))
	f.Put(sensitive, "dataHubPolicyInfo", changed)
	start()
	if got := value(viewing); got != builtIn {
		t.Errorf("it stands as it was built in before: %s", got)
	}
	if got := value(sensitive); !strings.Contains(got, `"INACTIVE"`) || !strings.Contains(got, "allResources") {
		t.Errorf("what somebody changed is gone: %s", got)
	}
}
