package rule_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestAssociationsAreWhatIsPutOnEntitiesAndWhatTheyArePartsOf(t *testing.T) {
	t.Parallel()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	for aspect, want := range map[string][]string{
		"globalTags":             {"/tags/*/tag"},
		"glossaryTerms":          {"/terms/*/urn"},
		"domains":                {"/domainAssociations/*/domain", "/domains/*"},
		"applications":           {"/applications/*"},
		"siblings":               {"/siblings/*"},
		"container":              {"/container"},
		"domainProperties":       {"/parentDomain"},
		"glossaryTermInfo":       {"/parentNode"},
		"dataProductProperties":  {"/parentDataProduct"},
		"documentInfo":           {"/parentDocument/document", "/relatedDocuments/*/document"},
		"editableSchemaMetadata": {"/editableSchemaFieldInfo/*/globalTags/tags/*/tag", "/editableSchemaFieldInfo/*/glossaryTerms/terms/*/urn"},
		"upstreamLineage":        nil,
		"ownership":              nil,
	} {
		spec, ok := registry.Aspect(aspect)
		if !ok {
			t.Fatal(aspect)
		}
		got := rule.Associations(spec)
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", aspect, got, want)
		}
	}
	for _, name := range rule.Associated() {
		if _, ok := registry.Entity(name); !ok {
			t.Errorf("%s is no entity type", name)
		}
	}
}

func TestWhatIsHiddenIsLeftOutOfAValue(t *testing.T) {
	t.Parallel()
	hidden := func(u urn.URN) bool { return strings.HasSuffix(string(u), ":no") }
	for name, c := range map[string]struct{ path, value, want string }{
		"of a list":               {"/domains/*", `{"domains":["urn:li:domain:no","urn:li:domain:a"],"x":1}`, `{"domains":["urn:li:domain:a"],"x":1}`},
		"of a list of objects":    {"/tags/*/tag", `{"tags":[{"tag":"urn:li:tag:a"},{"tag":"urn:li:tag:no"},{"context":"x"}]}`, `{"tags":[{"tag":"urn:li:tag:a"},{"context":"x"}]}`},
		"of lists in a list":      {"/fields/*/globalTags/tags/*/tag", `{"fields":[{"globalTags":{"tags":[{"tag":"urn:li:tag:no"}]}},{"name":"b"},{"globalTags":{"tags":[{"tag":"urn:li:tag:a"}]}}]}`, `{"fields":[{"globalTags":{"tags":[]}},{"name":"b"},{"globalTags":{"tags":[{"tag":"urn:li:tag:a"}]}}]}`},
		"a member":                {"/parentNode", `{"name":"n","parentNode":"urn:li:glossaryNode:no"}`, `{"name":"n"}`},
		"a member with more":      {"/parentDocument/document", `{"parentDocument":{"document":"urn:li:document:no","x":1},"title":"t"}`, `{"title":"t"}`},
		"nothing that is shown":   {"/parentNode", `{"parentNode":"urn:li:glossaryNode:a"}`, `{"parentNode":"urn:li:glossaryNode:a"}`},
		"nothing that is missing": {"/tags/*/tag", `{"tags":"x"}`, `{"tags":"x"}`},
	} {
		value, err := jsontree.DecodeObject([]byte(c.value))
		if err != nil {
			t.Fatal(err)
		}
		changed := rule.LeaveOut(value, c.path, hidden)
		if got := string(jsontree.Encode(value)); got != c.want || changed != (c.value != c.want) {
			t.Errorf("%s: %s, %v; want %s", name, got, changed, c.want)
		}
	}
}
