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

// Names and URNs can come from any client: whatever they contain, only the same name at the same
// place is taken.
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

// Values may have been stored before their rules. A store must still accept their terms, because
// otherwise they could not be deleted.
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

// Parts may contain anything, so a part that looks like the end of one and the beginning of the
// next must not give the term of other parts.
func TestPartsOfATermDoNotRunIntoEachOther(t *testing.T) {
	t.Parallel()
	const nul, end = "\x00", "\x00\x00"
	made := map[rule.Term][2]string{}
	for _, parts := range [][2]string{
		{"p", end + "x"}, {"p" + end, "x"}, {"p" + end + "x", ""}, {"p", "x"}, {"px", ""}, {"", "p" + end + "x"},
		{"p", nul + "x"}, {"p" + nul, "x"}, {"p" + nul + "\x01", "x"}, {"p", nul + "\x01x"}, {"p" + end, nul + "x"}, {"p" + nul, end + "x"},
	} {
		name := parts[1]
		if name == "" {
			name = "n"
		}
		terms := termsOf(t, "names of domains", "urn:li:domain:d", model.Object{"parentDomain": parts[0], "name": name})
		if other, taken := made[terms[0]]; taken {
			t.Errorf("%q and %q make one term %q", other, parts, terms[0].Value)
		}
		made[terms[0]] = parts
	}
}

// A name may be equal to the digest of another one.
func TestTheTextOfADigestIsNotTheDigest(t *testing.T) {
	t.Parallel()
	attribute := func(name string) string {
		return termsOf(t, "names of business attributes", "urn:li:businessAttribute:b", model.Object{"name": name})[0].Value
	}
	long := strings.Repeat("n", 513)
	digest := attribute(long)
	if !strings.HasPrefix(digest, "sha256:") || len(digest) != len("sha256:")+64 {
		t.Fatalf("the term of a long name is %q", digest)
	}
	if again := attribute(digest); again == digest || !strings.HasPrefix(again, "sha256:") {
		t.Errorf("the name %q makes the term %q", digest, again)
	}
	if exact := attribute(long[:512]); exact != long[:512] {
		t.Errorf("a name that fits makes the term %q", exact)
	}
	if other := attribute("sha256"); other != "sha256" {
		t.Errorf("a name that is no digest makes the term %q", other)
	}
}
