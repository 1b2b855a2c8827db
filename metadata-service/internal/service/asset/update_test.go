package asset_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/asset"
	"github.com/cartulary/cartulary/metadata-service/internal/service/owner"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestEachPartOfAnUpdateNeedsItsPrivilege(t *testing.T) {
	t.Parallel()
	w := world(t)
	jo := w.As(t, servicetest.Jo)
	parts := []struct {
		name   string
		update asset.Update
		needs  []auth.Privilege
	}{
		{"owners", asset.Update{Owners: &[]owner.Owner{{URN: string(servicetest.Mia), Type: "DATA_STEWARD"}}}, []auth.Privilege{auth.EditOwners}},
		{"tags", asset.Update{Tags: &[]string{string(pii)}}, []auth.Privilege{auth.EditTags}},
		{"links", asset.Update{Links: &[]asset.Link{{URL: "https://example.com", Author: string(servicetest.Mia)}}}, []auth.Privilege{auth.EditLinks}},
		{"deprecation", asset.Update{Deprecation: &asset.Deprecation{}}, []auth.Privilege{auth.EditDeprecation}},
		{"description", asset.Update{Text: &asset.Text{Description: "x"}}, []auth.Privilege{auth.EditDocs}},
		{"description and name", asset.Update{Text: &asset.Text{Name: ptr("x")}}, []auth.Privilege{auth.EditDocs, auth.EditProperties}},
		{"columns", asset.Update{Columns: &[]asset.ColumnText{{Path: "id"}}}, []auth.Privilege{auth.EditColumnDocs, auth.EditColumnTags}},
		{"nothing", asset.Update{}, []auth.Privilege{auth.EditEntity}},
	}
	for _, p := range parts {
		t.Run(p.name, func(t *testing.T) {
			up := asset.Updated{URN: orders, Update: p.update}
			wants(t, service(w.Granting(over(orders, auth.EditEntity))).Update(jo, up), fine)
			wants(t, service(w.Granting(over(orders, p.needs...))).Update(jo, up), fine)
			for left := range p.needs {
				rest := append(append([]auth.Privilege{auth.EditStatus}, p.needs[:left]...), p.needs[left+1:]...)
				wants(t, service(w.Granting(over(orders, rest...))).Update(jo, up), fault.Forbidden)
			}
		})
	}
}

func TestUpdatesReplaceWhatTheySpeakOf(t *testing.T) {
	t.Parallel()
	w := world(t)
	s := service(w.Edit)
	root := w.As(t, servicetest.Root)
	const terms = `{"auditStamp":` + `{"actor":"urn:li:corpuser:mia","time":1}` + `,"terms":[{"urn":"` + string(revenue) + `"}]}`
	w.Put(t, orders, "editableSchemaMetadata", `{"editableSchemaFieldInfo":[
		{"fieldPath":"id","description":"old","glossaryTerms":`+terms+`},{"fieldPath":"gone","description":"old"},{"fieldPath":"kept","glossaryTerms":`+terms+`}]}`)
	w.Put(t, orders, "globalTags", `{"tags":[{"tag":"`+string(pii)+`","context":"found by a scan"},{"tag":"urn:li:tag:other"}]}`)
	w.Put(t, orders, "deprecation", `{"deprecated":false,"note":"","actor":"urn:li:corpuser:mia","replacement":"`+string(daily)+`"}`)

	wants(t, s.Update(root, asset.Updated{URN: orders, Update: asset.Update{
		Tags:        &[]string{"urn:li:tag:new", string(pii), "urn:li:tag:new"},
		Columns:     &[]asset.ColumnText{{Path: "id", Description: ptr("new"), Tags: &[]string{string(pii)}}},
		Deprecation: &asset.Deprecation{Deprecated: true, Note: "late"},
	}}), fine)
	holds(t, w, orders, "globalTags", `{"tags":[{"tag":"urn:li:tag:new"},{"context":"found by a scan","tag":"`+string(pii)+`"}]}`)
	holds(t, w, orders, "editableSchemaMetadata", `"editableSchemaFieldInfo":[{"description":"new","fieldPath":"id","globalTags":{"tags":[{"tag":"`+string(pii)+`"}]},"glossaryTerms":`+terms+
		`},{"fieldPath":"kept","glossaryTerms":`+terms+`}]`)
	holds(t, w, orders, "deprecation", `"deprecated":true,"note":"late","replacement":"`+string(daily)+`"`)
}

func TestUpdatesAreAllOrNothing(t *testing.T) {
	t.Parallel()
	w := world(t)
	s := service(w.Edit)
	root := w.As(t, servicetest.Root)
	text := asset.Update{Text: &asset.Text{Description: "lost"}}
	for _, c := range []struct {
		name string
		bad  asset.Updated
	}{
		{"an asset that is not there", asset.Updated{URN: ghost, Update: text}},
		{"an asset without such an aspect", asset.Updated{URN: pii, Update: asset.Update{Links: &[]asset.Link{}}}},
		{"a tag that is none", asset.Updated{URN: daily, Update: asset.Update{Tags: &[]string{string(shop)}}}},
		{"a link without an address", asset.Updated{URN: daily, Update: asset.Update{Links: &[]asset.Link{{URL: " ", Author: string(servicetest.Mia)}}}}},
		{"an author that is nobody", asset.Updated{URN: daily, Update: asset.Update{Links: &[]asset.Link{{URL: "https://example.com", Author: string(pii)}}}}},
		{"a column without a path", asset.Updated{URN: orders, Update: asset.Update{Columns: &[]asset.ColumnText{{}}}}},
		{"an owner without a type", asset.Updated{URN: daily, Update: asset.Update{Owners: &[]owner.Owner{{URN: string(servicetest.Mia)}}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			wants(t, s.Update(root, asset.Updated{URN: orders, Update: text}, c.bad), fault.Malformed)
			if got := w.Get(t, orders, "editableDatasetProperties"); got != "" {
				t.Errorf("the first asset was changed: %s", got)
			}
		})
	}
	script := asset.Updated{URN: daily, Update: asset.Update{Links: &[]asset.Link{{URL: "javascript:x", Author: string(servicetest.Mia)}}}}
	wants(t, s.Update(root, asset.Updated{URN: orders, Update: text}, script), fault.Invalid)
	if got := w.Get(t, orders, "editableDatasetProperties"); got != "" {
		t.Errorf("the asset beside a script was changed: %s", got)
	}
	wants(t, s.Update(root, make([]asset.Updated, 1001)...), fault.TooLarge)
}

func TestPatches(t *testing.T) {
	t.Parallel()
	w := world(t)
	s := service(w.Edit)
	jo := w.As(t, servicetest.Jo)
	name := func(value string) asset.Patch {
		return asset.Patch{URN: string(pii), Aspect: "tagProperties", Generic: true, Operations: []asset.Operation{{Op: "REPLACE", Path: "/name", Value: &value}}}
	}
	u, called, err := s.Patch(jo, name("plain text"))
	if err != nil || u != pii || called != "plain text" {
		t.Errorf("got %s, %q, %v", u, called, err)
	}
	if _, called, err = s.Patch(jo, name(`"quoted"`)); err != nil || called != "quoted" {
		t.Errorf("got %q, %v", called, err)
	}
	holds(t, w, pii, "tagProperties", `"colorHex":"#fff","name":"quoted"`)

	_, _, err = s.Patch(jo, name(`{"an":"object"}`))
	wants(t, err, fault.Invalid)
	_, _, err = s.Patch(jo, asset.Patch{Aspect: "tagProperties"})
	wants(t, err, fault.Malformed)
	_, _, err = s.Patch(jo, asset.Patch{EntityType: "nothing", Aspect: "tagProperties"})
	wants(t, err, fault.Malformed)
	_, _, err = s.Patch(jo, asset.Patch{URN: string(pii), EntityType: "dataset", Aspect: "tagProperties"})
	wants(t, err, fault.Malformed)
	// The privilege to edit entities does not extend to entities with privileges of their own.
	for u, aspect := range map[urn.URN]string{
		"urn:li:dataHubPolicy:mine": "dataHubPolicyInfo", "urn:li:test:mine": "testInfo", "urn:li:globalSettings:0": "globalSettingsInfo",
		servicetest.Mia: "corpUserSettings", servicetest.Jo: "roleMembership", "urn:li:corpGroup:g": "corpGroupInfo",
	} {
		_, _, err = s.Patch(jo, asset.Patch{URN: string(u), Aspect: aspect, Generic: true, Operations: []asset.Operation{{Op: "ADD", Path: "/x", Value: ptr("x")}}})
		wants(t, err, fault.Forbidden)
		if got := w.Get(t, u, aspect); strings.Contains(got, `"x"`) {
			t.Errorf("%s of %s was written: %s", aspect, u, got)
		}
	}
	many := name("x")
	many.Operations = make([]asset.Operation, 1001)
	_, _, err = s.Patch(jo, many)
	wants(t, err, fault.TooLarge)

	made := asset.Patch{EntityType: "TAG", Aspect: "tagProperties", Generic: true, Operations: []asset.Operation{{Op: "ADD", Path: "/name", Value: ptr("made")}}}
	u, _, err = s.Patch(jo, made)
	if err != nil || u.Type() != "tag" {
		t.Errorf("got %s, %v", u, err)
	}
	holds(t, w, u, "tagProperties", `"name":"made"`)
}
