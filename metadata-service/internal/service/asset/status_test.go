package asset_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/asset"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func ptr[T any](v T) *T { return &v }

func TestDeprecation(t *testing.T) {
	t.Parallel()
	w := world(t)
	s := service(w.Granting(servicetest.Grants{Over: map[urn.URN][]auth.Privilege{
		orders: {auth.EditDeprecation}, daily: {auth.EditEntity}, pii: {auth.EditDocs}, ghost: {auth.EditEntity},
	}}))
	jo := w.As(t, servicetest.Jo)
	all := asset.Deprecation{Deprecated: true, Note: "old", Decommission: ptr(int64(7)), Replacement: ptr(string(daily))}

	wants(t, s.Deprecate(jo, all, []asset.Target{{URN: string(orders)}, {URN: string(daily)}}), fine)
	const whole = `{"actor":"urn:li:corpuser:jo","decommissionTime":7,"deprecated":true,"note":"old","replacement":"` + string(daily) + `"}`
	holds(t, w, orders, "deprecation", whole)
	holds(t, w, daily, "deprecation", whole)

	wants(t, s.Deprecate(jo, asset.Deprecation{}, []asset.Target{{URN: string(orders)}}), fine)
	holds(t, w, orders, "deprecation", `{"actor":"urn:li:corpuser:jo","deprecated":false,"note":""}`)

	wants(t, s.Deprecate(jo, asset.Deprecation{Deprecated: true}, []asset.Target{{URN: string(orders)}, {URN: string(pii)}}), fault.Forbidden)
	wants(t, s.Deprecate(jo, asset.Deprecation{Deprecated: true}, []asset.Target{{URN: string(orders)}, {URN: string(ghost)}}), fault.Malformed)
	wants(t, s.Deprecate(jo, asset.Deprecation{Replacement: ptr("nothing")}, []asset.Target{{URN: string(orders)}}), fault.Malformed)
	wants(t, s.Deprecate(jo, all, make([]asset.Target, 1001)), fault.TooLarge)
	holds(t, w, orders, "deprecation", `"deprecated":false`)

	onColumn := asset.Target{URN: string(orders), Column: asset.Column{Path: "id", Kind: "DATASET_FIELD"}}
	wants(t, s.Deprecate(jo, asset.Deprecation{Deprecated: true}, []asset.Target{onColumn}), fine)
	holds(t, w, column, "deprecation", `"deprecated":true`)
	holds(t, w, orders, "deprecation", `"deprecated":false`)
}

func TestSoftDeletion(t *testing.T) {
	t.Parallel()
	w := world(t)
	s := service(w.Granting(servicetest.Grants{Over: map[urn.URN][]auth.Privilege{
		orders: {auth.DeleteEntity}, daily: {auth.EditEntity, auth.EditStatus}, ghost: {auth.DeleteEntity},
	}}))
	jo := w.As(t, servicetest.Jo)
	wants(t, s.SetRemoved(jo, []string{string(orders), string(daily)}, true), fault.Forbidden)
	wants(t, s.SetRemoved(jo, []string{string(orders), string(ghost)}, true), fault.Malformed)
	if got := w.Get(t, orders, "status"); got == `{"removed":true}` {
		t.Error("a refused call removed the first entity")
	}
	wants(t, s.SetRemoved(jo, []string{string(orders)}, true), fine)
	holds(t, w, orders, "status", `"removed":true`)
	wants(t, s.SetRemoved(jo, []string{string(orders)}, false), fine)
	holds(t, w, orders, "status", `"removed":false`)

	mia := []string{string(servicetest.Mia)}
	wants(t, service(w.Granting(over(servicetest.Mia, auth.DeleteEntity, auth.EditEntity))).SetRemoved(jo, mia, true), fault.Forbidden)
	wants(t, service(w.Granting(platform(auth.ManageUsers))).SetRemoved(jo, mia, true), fine)
	holds(t, w, servicetest.Mia, "status", `"removed":true`)
}

func TestLifecycleStages(t *testing.T) {
	t.Parallel()
	w := world(t)
	const draft, published urn.URN = "urn:li:lifecycleStageType:draft", "urn:li:lifecycleStageType:published"
	const when = `"settings":{"hideInSearch":false},"created":` + stamp + `,"lastModified":` + stamp + `}`
	w.Put(t, draft, "lifecycleStageTypeInfo", `{"name":"Draft",`+when)
	w.Put(t, published, "lifecycleStageTypeInfo", `{"name":"Published","entityTypes":["DATASET"],"transitionPolicy":{"allowedPreviousStages":["`+string(draft)+`"]},`+when)
	s := service(w.Granting(servicetest.Grants{Over: map[urn.URN][]auth.Privilege{orders: {auth.EditStatus}, daily: {auth.EditEntity}}}))
	jo := w.As(t, servicetest.Jo)

	stages, err := s.Stages(jo)
	if err != nil || len(stages) != 2 || stages[0] != draft {
		t.Errorf("got the stages %v, %v", stages, err)
	}
	for _, step := range []struct {
		name  string
		of    urn.URN
		stage string
		kind  fault.Kind
	}{
		{"a stage that is never the first", orders, string(published), fault.Malformed},
		{"a first one", orders, string(draft), fine},
		{"the next", orders, string(published), fine},
		{"the same again", orders, string(published), fine},
		{"a stage for other types", daily, string(published), fault.Malformed},
		{"a stage there is not", orders, "urn:li:lifecycleStageType:ghost", fault.Malformed},
		{"without a right", pii, string(draft), fault.Forbidden},
	} {
		t.Run(step.name, func(t *testing.T) {
			wants(t, s.SetStage(jo, string(step.of), step.stage), step.kind)
		})
	}
	holds(t, w, orders, "status", `"lifecycleStage":"`+string(published)+`"`)
	wants(t, s.SetStage(jo, string(orders), ""), fine)
	if got, want := w.Get(t, orders, "status"), `{"lifecycleLastUpdated":{"actor":"urn:li:corpuser:jo","time":1772445600000},"removed":false}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestLooks(t *testing.T) {
	t.Parallel()
	w := world(t)
	s := service(w.Granting(servicetest.Grants{Platform: []auth.Privilege{auth.ManageDomains}, Over: map[urn.URN][]auth.Privilege{
		income: {auth.ManageGlossaryChildren}, orders: {auth.EditEmbed},
	}}))
	jo := w.As(t, servicetest.Jo)
	wants(t, s.SetLook(jo, string(shop), asset.Look{Color: ptr("#1f77b4")}), fine)
	wants(t, s.SetLook(jo, string(shop), asset.Look{Icon: &asset.Icon{Name: ptr("Store")}}), fine)
	holds(t, w, shop, "displayProperties", `{"colorHex":"#1f77b4","icon":{"iconLibrary":"MATERIAL","name":"Store","style":"Outlined"}}`)
	wants(t, s.SetLook(jo, string(revenue), asset.Look{Color: ptr("abc")}), fine)
	wants(t, s.SetLook(jo, string(finance), asset.Look{Color: ptr("abc")}), fault.Forbidden)
	wants(t, s.SetLook(jo, string(shop), asset.Look{Color: ptr("red")}), fault.Malformed)
	wants(t, s.SetLook(jo, string(revenue), asset.Look{Icon: &asset.Icon{}}), fault.Malformed)

	wants(t, s.SetEmbed(jo, string(orders), ptr("https://example.com/x")), fine)
	holds(t, w, orders, "embed", `{"renderUrl":"https://example.com/x"}`)
	for _, bad := range []string{"javascript:alert(1)", "data:text/html,x", "//example.com", "nowhere", "ftp://example.com/x"} {
		wants(t, s.SetEmbed(jo, string(orders), &bad), fault.Malformed)
	}
	wants(t, s.SetEmbed(jo, string(orders), nil), fine)
	holds(t, w, orders, "embed", `{}`)
	wants(t, s.SetEmbed(jo, string(daily), nil), fault.Forbidden)
}
