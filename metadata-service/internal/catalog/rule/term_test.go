package rule_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Names and URNs come from anybody: whatever is in them, only the same name at
// the same place is taken.
func TestDifferentNamesNeverMakeOneTerm(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		long := strings.Repeat("n", 600)
		digest := sha256.Sum256([]byte(long))
		attribute := func(name string) string { return fmt.Sprintf(`{"name":%q,"fieldPath":"f"}`, name) }
		f.Put("urn:li:businessAttribute:a", "businessAttributeInfo", attribute(long))
		f.Put("urn:li:businessAttribute:b", "businessAttributeInfo", attribute("sha256:"+hex.EncodeToString(digest[:])))
		const parent = "urn:li:domain:a"
		f.Put(parent, "domainProperties", `{"name":"a"}`)
		f.Put("urn:li:domain:1", "domainProperties", `{"name":"b\u0000c","parentDomain":"`+parent+`"}`)
		f.Put("urn:li:domain:2", "domainProperties", `{"name":"c","parentDomain":"`+parent+`\u0000b"}`)
	})
}

// Values may have been stored before their rules. They make terms that a store
// takes all the same, since nobody could delete them otherwise.
func TestAnyValueMakesTermsThatAStoreTakes(t *testing.T) {
	t.Parallel()
	values := []model.Object{{}, {"name": strings.Repeat("n", 100_000)}, {"properties": []any{model.Object{}}}, {"showAsAssetBadge": true}}
	for _, r := range rule.All() {
		if r.Terms == nil {
			continue
		}
		for _, value := range values {
			for _, term := range slices.Concat(r.Terms("urn:li:dataset:x", value), r.Terms(urn.URN("urn:li:dataset:"+strings.Repeat("x", 8000)), value)) {
				if err := store.CheckTerm(term); err != nil {
					t.Errorf("%s: %v", r.Name, err)
				}
			}
		}
	}
}
