package privilege_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestWhatWritesRestOnAPrivilege(t *testing.T) {
	t.Parallel()
	const column, product urn.URN = "urn:li:schemaField:(" + dataset + ",id)", "urn:li:dataProduct:p"
	on := func(p ...auth.Privilege) auth.Check { return auth.Over(dataset, p...) }
	for name, c := range map[string]struct {
		check  auth.Check
		op     auth.Operation
		entity urn.URN
		aspect string
		covers bool
	}{
		"tags of the entity":                       {on(auth.EditTags), auth.OpUpdate, dataset, "globalTags", true},
		"its owners are something else":            {on(auth.EditTags), auth.OpUpdate, dataset, "ownership", false},
		"tags of another entity":                   {on(auth.EditTags), auth.OpUpdate, product, "globalTags", false},
		"editing reaches nothing by itself":        {on(auth.EditEntity), auth.OpUpdate, dataset, "ownership", false},
		"nor beside another privilege":             {on(auth.EditTags, auth.EditEntity), auth.OpUpdate, dataset, "ownership", false},
		"but the aspects that the service names":   {on(auth.EditEntity).ToWrite("ownership"), auth.OpUpdate, dataset, "ownership", true},
		"and no others":                            {on(auth.EditEntity).ToWrite("ownership"), auth.OpUpdate, dataset, "globalTags", false},
		"nor those of another entity":              {on(auth.EditEntity).ToWrite("ownership"), auth.OpUpdate, product, "ownership", false},
		"a column of the dataset":                  {on(auth.EditDeprecation), auth.OpCreate, column, "deprecation", true},
		"an aspect is deleted by editing":          {on(auth.EditEntity).ToWrite("versionProperties"), auth.OpDelete, dataset, "versionProperties", true},
		"the entity is not":                        {on(auth.EditEntity).ToWrite("versionProperties", ""), auth.OpDelete, dataset, "", false},
		"nor its key":                              {on(auth.EditEntity).ToWrite("datasetKey"), auth.OpDelete, dataset, "datasetKey", false},
		"it goes by the right to delete":           {on(auth.DeleteEntity), auth.OpDelete, dataset, "", true},
		"and softly":                               {on(auth.DeleteEntity), auth.OpUpdate, dataset, "status", true},
		"what is kept about it elsewhere":          {on(auth.EditIncidents), auth.OpCreate, "urn:li:incident:x", "incidentInfo", true},
		"one aspect of another entity":             {on(auth.EditDataProducts), auth.OpUpdate, product, "dataProductProperties", true},
		"and no other aspect of that":              {on(auth.EditDataProducts), auth.OpUpdate, product, "ownership", false},
		"users by the right over them":             {auth.ForPlatform(auth.ManageUsers), auth.OpUpdate, authtest.Mia, "corpUserStatus", true},
		"but not their roles":                      {auth.ForPlatform(auth.ManageUsers), auth.OpUpdate, authtest.Mia, "roleMembership", false},
		"nor their passwords":                      {auth.ForPlatform(auth.ManageUsers), auth.OpUpdate, authtest.Mia, "corpUserCredentials", false},
		"nor by editing the user":                  {auth.Over(authtest.Mia, auth.EditEntity).ToWrite("roleMembership"), auth.OpUpdate, authtest.Mia, "roleMembership", false},
		"a role by managing policies":              {auth.ForPlatform(auth.ManagePolicies), auth.OpUpdate, authtest.Mia, "roleMembership", true},
		"the role of a group":                      {auth.ForPlatform(auth.ManagePolicies), auth.OpUpdate, "urn:li:corpGroup:g", "roleMembership", true},
		"nothing else of a user":                   {auth.ForPlatform(auth.ManagePolicies), auth.OpUpdate, authtest.Mia, "corpUserStatus", false},
		"a role by an invitation":                  {auth.Over(authtest.Jo, auth.AcceptRole), auth.OpUpdate, authtest.Jo, "roleMembership", true},
		"of nobody else":                           {auth.Over(authtest.Jo, auth.AcceptRole), auth.OpUpdate, authtest.Mia, "roleMembership", false},
		"the own settings":                         {auth.Over(authtest.Jo, auth.Own), auth.OpUpdate, authtest.Jo, "corpUserSettings", true},
		"nothing else of oneself":                  {auth.Over(authtest.Jo, auth.Own), auth.OpUpdate, authtest.Jo, "corpUserStatus", false},
		"nor what is another's":                    {auth.Over(authtest.Jo, auth.Own), auth.OpUpdate, authtest.Mia, "corpUserSettings", false},
		"seeing writes nothing":                    {on(auth.ViewPage), auth.OpUpdate, dataset, "status", false},
		"a check by the table covers its question": {auth.On(auth.OpUpdate, dataset, "status"), auth.OpUpdate, dataset, "status", true},
	} {
		if got := privilege.Reaches(&c.check, c.op, c.entity, c.aspect); got != c.covers {
			t.Errorf("%s: covers %s of %s: %v", name, c.aspect, c.entity, got)
		}
	}
}

func TestWhatPrivilegesReachIsInTheModel(t *testing.T) {
	t.Parallel()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	types, aspects := privilege.Reached()
	for _, name := range types {
		if entity, ok := registry.Entity(name); !ok || entity.Name != name {
			t.Errorf("there is no entity type %s", name)
		}
	}
	for _, name := range aspects {
		if spec, ok := registry.Aspect(name); !ok || spec.Name != name {
			t.Errorf("there is no aspect %s", name)
		}
	}
	if len(types) < 20 || len(aspects) < 40 {
		t.Errorf("only %d entity types and %d aspects are reached", len(types), len(aspects))
	}
}
