package rule_test

import (
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	versions urn.URN = "urn:li:versionSet:(orders,dataset)"
	first    urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,orders.v1,PROD)"
	second   urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,orders.v2,PROD)"
)

func version(of urn.URN, sortID, label, more string) catalog.Proposal {
	return catalogtest.Proposal(of, "versionProperties", fmt.Sprintf(
		`{"versionSet":%q,"version":{"versionTag":%q},"sortId":%q%s}`, versions, label, sortID, more))
}

func TestVersionRules(t *testing.T) {
	generated := `,"versioningScheme":"ALPHANUMERIC_GENERATED_BY_DATAHUB"`
	elsewhere := version(first, "a", "1", "")
	elsewhere.Value = []byte(`{"versionSet":"urn:li:versionSet:(orders,mlModel)","version":{"versionTag":"1"},"sortId":"a"}`)
	noSet := version(first, "a", "1", "")
	noSet.Value = []byte(`{"versionSet":"urn:li:tag:x","version":{"versionTag":"1"},"sortId":"a"}`)
	set := func(scheme string) catalog.Proposal {
		return catalogtest.Proposal(versions, "versionSetProperties", fmt.Sprintf(`{"latest":%q,"versioningScheme":%q}`, first, scheme))
	}
	runRules(t, []ruleCase{
		{name: "a version passes", write: version(first, "a", "1", "")},
		{name: "a set of another type is refused", write: elsewhere, refused: "is a set of mlModel"},
		{name: "what is no set is refused", write: noSet, refused: "/versionSet"},
		{name: "a generated sort id passes", write: version(first, "AAAAAAAB", "1", generated)},
		{name: "the first version of a new set may have any sort id", write: version(first, "aaaaaaab", "1", generated)},
		{name: "and keeps it", before: []catalog.Proposal{version(first, "aaaaaaab", "1", generated)}, write: version(first, "aaaaaaab", "one", generated)},
		{name: "a bad sort id in a set of generated ones is refused", before: []catalog.Proposal{version(first, "AAAAAAAB", "1", generated)}, write: version(second, "aaaaaaac", "2", generated), refused: "8 upper-case letters"},
		{name: "a good one passes", before: []catalog.Proposal{version(first, "v1", "1", generated)}, write: version(second, "AAAAAAAC", "2", generated)},
		{name: "another scheme than the set's is refused", before: []catalog.Proposal{version(first, "a", "1", "")}, write: version(second, "AAAAAAAB", "2", generated), refused: "uses LEXICOGRAPHIC_STRING"},
		{name: "the sort id of the latest is refused", before: []catalog.Proposal{version(first, "a", "1", "")}, write: version(second, "a", "2", ""), refused: "same sort id"},
		{name: "the label of the latest is refused", before: []catalog.Proposal{version(first, "a", "1", "")}, write: version(second, "b", "1", ""), refused: "same label"},
		{name: "isLatest is not for writers", write: version(first, "a", "1", `,"isLatest":true`), refused: "/isLatest"},
		{name: "isLatest as it stands passes", before: []catalog.Proposal{version(first, "a", "1", "")}, write: version(first, "a", "1", `,"isLatest":true`)},
		{name: "the scheme of a set stays", before: []catalog.Proposal{set("LEXICOGRAPHIC_STRING")}, write: set("ALPHANUMERIC_GENERATED_BY_DATAHUB"), refused: "/versioningScheme"},
		{name: "a set may be written again", before: []catalog.Proposal{set("LEXICOGRAPHIC_STRING")}, write: set("LEXICOGRAPHIC_STRING")},
		{
			name: "versions have no default to patch", refused: "must exist",
			write: catalogtest.Proposal(first, "versionProperties", `[{"op":"add","path":"/comment","value":"x"}]`, model.Patch),
		},
	})
}

// A set is created with its first version, from which it takes scheme and latest. Sort ids are
// checked against the scheme only afterwards.
func TestTheFirstVersionMakesTheSet(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const generated = `,"versioningScheme":"ALPHANUMERIC_GENERATED_BY_DATAHUB"`
		f.Must(version(first, "any", "1", generated))
		f.WantValue(versions, "versionSetProperties", fmt.Sprintf(`{"latest":%q,"versioningScheme":"ALPHANUMERIC_GENERATED_BY_DATAHUB"}`, first))
		f.Refuse(fault.Invalid, "8 upper-case letters", version(second, "any2", "2", generated))
	})
}

func TestTheHighestVersionIsTheLatest(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		wantLatest := func(latest urn.URN, marks map[urn.URN]string) {
			t.Helper()
			if got := f.Member(versions, "versionSetProperties", "latest"); got != fmt.Sprintf("%q", latest) {
				t.Errorf("latest is %s, want %s", got, latest)
			}
			for u, want := range marks {
				if got := f.Member(u, "versionProperties", "isLatest"); got != want {
					t.Errorf("isLatest of %s is %s, want %s", u, got, want)
				}
			}
		}
		f.Must(version(first, "b", "1", ""))
		wantLatest(first, map[urn.URN]string{first: "true"})
		f.Must(version(second, "c", "2", ""))
		wantLatest(second, map[urn.URN]string{first: "false", second: "true"})
		f.Must(version("urn:li:dataset:(urn:li:dataPlatform:hive,orders.v0,PROD)", "a", "0", ""))
		wantLatest(second, map[urn.URN]string{first: "false", second: "true"})

		t.Run("and stays so when its writer sends it again", func(t *testing.T) {
			if got := f.Must(version(second, "c", "2", ""))[0].Outcome; got != catalog.NoOp {
				t.Errorf("outcome %d", got)
			}
			f.Must(version(second, "c", "2", `,"comment":"x"`))
			wantLatest(second, map[urn.URN]string{second: "true"})
		})
		t.Run("and moves when the set is told so", func(t *testing.T) {
			f.Put(versions, "versionSetProperties", fmt.Sprintf(`{"latest":%q,"versioningScheme":"LEXICOGRAPHIC_STRING"}`, first))
			wantLatest(first, map[urn.URN]string{first: "true", second: "false"})
		})
	})
}

func TestTwoVersionsOfABatchDifferBySortID(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Refuse(fault.Invalid, "same sort id", version(first, "a", "1", ""), version(second, "a", "2", ""))
		f.Refuse(fault.Invalid, "same sort id", version(first, "b", "1", ""), version(second, "a", "2", ""), version(catalogtest.Table("orders.v3"), "b", "3", ""), version(catalogtest.Table("orders.v4"), "a", "4", ""))
		f.Refuse(fault.Invalid, "same label", version(first, "a", "1", ""), version(second, "b", "1", ""))
	})
}
