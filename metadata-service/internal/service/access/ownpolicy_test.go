package access_test

import (
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/access"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestOwnPoliciesTellOfNobodyElse(t *testing.T) {
	t.Parallel()
	s, w := setUp(t)
	w.Put(t, etl, "nativeGroupMembership", `{"nativeGroups":["`+string(staff)+`"]}`)
	policy := func(name, rest string) {
		w.Put(t, urn.URN("urn:li:dataHubPolicy:"+name), "dataHubPolicyInfo", `{"displayName":"`+name+`","description":"","privileges":["EDIT_ENTITY_TAGS"],`+rest+`}`)
	}
	const active, metadata = `"state":"ACTIVE",`, `"type":"METADATA",`
	policy("zz-group", active+metadata+`"actors":{"users":["urn:li:corpuser:datahub"],"groups":["urn:li:corpGroup:other","`+string(staff)+`"],"resourceOwners":false,"allUsers":false,"allGroups":false}`)
	policy("zz-off", `"state":"INACTIVE",`+metadata+`"actors":{"users":["`+string(etl)+`"],"resourceOwners":false,"allUsers":false,"allGroups":false}`)
	policy("zz-other", active+metadata+`"actors":{"users":["urn:li:corpuser:datahub"],"resourceOwners":false,"allUsers":false,"allGroups":false}`)
	policy("zz-owners", active+metadata+`"actors":{"resourceOwners":true,"allUsers":false,"allGroups":false}`)
	const orders = "urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)"
	policy("zz-owned", active+metadata+`"actors":{"resourceOwners":true,"allUsers":false,"allGroups":false},"resources":{"filter":{"criteria":[
		{"field":"URN","condition":"EQUALS","values":["`+orders+`","urn:li:dataHubSecret:hidden"]}]}}`)
	policy("zz-elsewhere", active+metadata+`"actors":{"resourceOwners":true,"allUsers":false,"allGroups":false},"resources":{"filter":{"criteria":[
		{"field":"URN","condition":"EQUALS","values":["urn:li:dataset:(urn:li:dataPlatform:hive,others,PROD)"]}]}}`)
	w.Policy(t, "views", []auth.Privilege{auth.ViewPage, auth.GetEntity}, []string{"dataset"}, etl)
	before, _, err := s.Own(w.As(t, etl))
	check(t, err)
	for _, p := range before {
		if p.URN == "urn:li:dataHubPolicy:zz-owners" || p.URN == "urn:li:dataHubPolicy:zz-owned" {
			t.Errorf("who owns nothing is told of %s", p.URN)
		}
	}
	w.Put(t, orders, "ownership", `{"owners":[{"owner":"`+string(etl)+`","type":"DATAOWNER"}]}`)
	own, total, err := s.Own(w.As(t, etl))
	check(t, err)
	found := map[urn.URN]access.OwnPolicy{}
	for _, p := range own {
		found[p.URN] = p
	}
	if len(own) != total || total == 0 {
		t.Errorf("%d policies of %d", len(own), total)
	}
	for name, want := range map[string]bool{"zz-group": true, "zz-owners": true, "zz-owned": true, "zz-elsewhere": false, "zz-off": false, "zz-other": false} {
		if _, got := found[urn.URN("urn:li:dataHubPolicy:"+name)]; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	actors := jsontree.Child(found["urn:li:dataHubPolicy:zz-group"].Info, "actors")
	if users, groups := jsontree.Texts(actors, "users"), jsontree.Texts(actors, "groups"); len(users) != 0 || len(groups) != 1 || groups[0] != string(staff) {
		t.Errorf("users %v, groups %v, want none and the own one", users, groups)
	}

	filter := jsontree.Child(jsontree.Child(found["urn:li:dataHubPolicy:zz-owned"].Info, "resources"), "filter")
	if criteria := jsontree.Children(filter, "criteria"); len(criteria) != 1 || !slices.Equal(jsontree.Texts(criteria[0], "values"), []string{orders}) {
		t.Errorf("criteria %v, want what may be read alone", criteria)
	}

	w.Put(t, etl, "corpUserStatus", `{"status":"SUSPENDED","lastModified":{"time":1,"actor":"urn:li:corpuser:datahub"}}`)
	if own, total, err = s.Own(w.As(t, etl)); err != nil || len(own) != 0 || total != 0 {
		t.Errorf("suspended: %d of %d policies, %v", len(own), total, err)
	}
	if stored, err := w.Edit.Stored(w.As(t, servicetest.Root), "urn:li:dataHubPolicy:zz-group", "dataHubPolicyInfo"); err != nil || len(jsontree.Texts(jsontree.Child(stored, "actors"), "groups")) != 2 {
		t.Errorf("the stored policy has changed: %v, %v", stored, err)
	}
}
