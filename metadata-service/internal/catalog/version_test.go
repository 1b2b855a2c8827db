package catalog_test

import (
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
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
	return proposal(of, "versionProperties", fmt.Sprintf(
		`{"versionSet":%q,"version":{"versionTag":%q},"sortId":%q%s}`, versions, label, sortID, more))
}

func TestVersionRules(t *testing.T) {
	generated := `,"versioningScheme":"ALPHANUMERIC_GENERATED_BY_DATAHUB"`
	elsewhere := version(first, "a", "1", "")
	elsewhere.Value = []byte(`{"versionSet":"urn:li:versionSet:(orders,mlModel)","version":{"versionTag":"1"},"sortId":"a"}`)
	noSet := version(first, "a", "1", "")
	noSet.Value = []byte(`{"versionSet":"urn:li:tag:x","version":{"versionTag":"1"},"sortId":"a"}`)
	set := func(scheme string) catalog.Proposal {
		return proposal(versions, "versionSetProperties", fmt.Sprintf(`{"latest":%q,"versioningScheme":%q}`, first, scheme))
	}
	runRules(t, []ruleCase{
		{name: "a version passes", write: version(first, "a", "1", "")},
		{name: "a set of another type is refused", write: elsewhere, refused: "is a set of mlModel"},
		{name: "what is no set is refused", write: noSet, refused: "/versionSet"},
		{name: "a generated sort id passes", write: version(first, "AAAAAAAB", "1", generated)},
		{name: "a bad generated sort id is refused", write: version(first, "aaaaaaab", "1", generated), refused: "8 upper-case letters"},
		{name: "another scheme than the set's is refused", before: []catalog.Proposal{version(first, "a", "1", "")}, write: version(second, "AAAAAAAB", "2", generated), refused: "uses LEXICOGRAPHIC_STRING"},
		{name: "the sort id of the latest is refused", before: []catalog.Proposal{version(first, "a", "1", "")}, write: version(second, "a", "2", ""), refused: "same sort id"},
		{name: "the label of the latest is refused", before: []catalog.Proposal{version(first, "a", "1", "")}, write: version(second, "b", "1", ""), refused: "same label"},
		{name: "isLatest is not for writers", write: version(first, "a", "1", `,"isLatest":true`), refused: "/isLatest"},
		{name: "isLatest as it stands passes", before: []catalog.Proposal{version(first, "a", "1", "")}, write: version(first, "a", "1", `,"isLatest":true`)},
		{name: "the scheme of a set stays", before: []catalog.Proposal{set("LEXICOGRAPHIC_STRING")}, write: set("ALPHANUMERIC_GENERATED_BY_DATAHUB"), refused: "/versioningScheme"},
		{name: "a set may be written again", before: []catalog.Proposal{set("LEXICOGRAPHIC_STRING")}, write: set("LEXICOGRAPHIC_STRING")},
		{
			name: "versions have no default to patch", refused: "must exist",
			write: proposal(first, "versionProperties", `[{"op":"add","path":"/comment","value":"x"}]`, model.Patch),
		},
	})
}

func TestTheHighestVersionIsTheLatest(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		wantLatest := func(latest urn.URN, marks map[urn.URN]string) {
			t.Helper()
			if got := f.member(versions, "versionSetProperties", "latest"); got != fmt.Sprintf("%q", latest) {
				t.Errorf("latest is %s, want %s", got, latest)
			}
			for u, want := range marks {
				if got := f.member(u, "versionProperties", "isLatest"); got != want {
					t.Errorf("isLatest of %s is %s, want %s", u, got, want)
				}
			}
		}
		f.write(version(first, "b", "1", ""))
		wantLatest(first, map[urn.URN]string{first: "true"})
		f.write(version(second, "c", "2", ""))
		wantLatest(second, map[urn.URN]string{first: "false", second: "true"})
		f.write(version("urn:li:dataset:(urn:li:dataPlatform:hive,orders.v0,PROD)", "a", "0", ""))
		wantLatest(second, map[urn.URN]string{first: "false", second: "true"})

		t.Run("and stays so when its writer sends it again", func(t *testing.T) {
			if got := f.write(version(second, "c", "2", ""))[0].Outcome; got != catalog.NoOp {
				t.Errorf("outcome %d", got)
			}
			f.write(version(second, "c", "2", `,"comment":"x"`))
			wantLatest(second, map[urn.URN]string{second: "true"})
		})
		t.Run("and moves when the set is told so", func(t *testing.T) {
			f.put(versions, "versionSetProperties", fmt.Sprintf(`{"latest":%q,"versioningScheme":"LEXICOGRAPHIC_STRING"}`, first))
			wantLatest(first, map[urn.URN]string{first: "true", second: "false"})
		})
	})
}

func TestVersionsAreLinked(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		const set urn.URN = "urn:li:versionSet:(churn,mlModel)"
		model := func(n string) urn.URN { return urn.URN("urn:li:mlModel:(urn:li:dataPlatform:mlflow,c" + n + ",PROD)") }
		for _, n := range []string{"1", "2", "3"} {
			if _, err := f.LinkVersion(f.as(root), catalog.VersionLink{Set: set, Entity: model(n), Label: n, Comment: "c", SourceTime: 5}, catalog.WriteOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.UnlinkVersion(f.as(root), set, model("3")); err != nil {
			t.Fatal(err)
		}
		if latest := f.member(set, "versionSetProperties", "latest"); latest != `"`+string(model("2"))+`"` {
			t.Errorf("the latest is %s", latest)
		}
		if mark := f.member(model("2"), "versionProperties", "isLatest"); mark != "true" {
			t.Errorf("the mark of the latest is %s", mark)
		}
		if err := f.UnlinkVersion(f.as(root), set, model("3")); fault.KindOf(err) != fault.Invalid {
			t.Errorf("unlinking again: %v", err)
		}
		if _, err := f.LinkVersion(f.as(root), catalog.VersionLink{Set: set, Entity: model("4")}, catalog.WriteOptions{}); fault.KindOf(err) != fault.Malformed {
			t.Errorf("no label: %v", err)
		}
	})
}
