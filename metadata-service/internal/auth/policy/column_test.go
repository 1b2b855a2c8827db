package policy_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/pkg/urn"
)

// A column is a part of its dataset: the domains of the dataset decide about changes of the column,
// in policies and in scopes. Its own domains and proposed ones do not.
func TestAColumnIsInTheDomainsOfItsDataset(t *testing.T) {
	t.Parallel()
	const sales, other = urn.URN("urn:li:domain:sales"), urn.URN("urn:li:domain:other")
	const hidden = urn.URN("urn:li:dataset:(urn:li:dataPlatform:hive,finance.pay,PROD)")
	column := func(of urn.URN, path string) urn.URN { return urn.Make("schemaField", string(of), path) }
	f := newFixture(t, policy.Config{})
	f.store(t, map[urn.URN]map[string]string{
		sales: {"domainProperties": `{"name":"Sales"}`}, other: {"domainProperties": `{"name":"Other"}`},
		dataset:               {"domains": `{"domains":["` + string(sales) + `"]}`},
		hidden:                {"domains": `{"domains":["` + string(other) + `"]}`},
		column(hidden, "own"): {"domains": `{"domains":["` + string(sales) + `"]}`},
	})
	rights := []auth.Privilege{auth.EditEntity, auth.CreateEntity, auth.DeleteEntity, auth.EditDeprecation}
	f.put(t, "p", metadata(where(criterion{"DOMAIN", []string{string(sales)}, "EQUALS"}), rights...))
	scope := auth.Scope{Resources: []auth.Criterion{{Field: auth.FieldDomain, Values: []string{string(sales)}}}}
	everything := metadata(nil, rights...)
	everything.Actors.Users = []urn.URN{authtest.Mia}
	f.put(t, "q", everything)
	checked, err := auth.NewScope(scope)
	if err != nil {
		t.Fatal(err)
	}
	narrowed := auth.Actor{URN: authtest.Mia, TokenID: "id", Scope: checked}
	for name, tc := range map[string]struct {
		on       urn.URN
		proposed bool // the batch proposes the domain for the document or the dataset of the column
		want     bool
	}{
		"a new column of a dataset in the domain":                 {column(dataset, "id"), false, true},
		"a new column of a dataset in another":                    {column(hidden, "id"), true, false},
		"a column in the domain of a dataset in another":          {column(hidden, "own"), true, false},
		"a new column of a dataset in none":                       {column(dataset+"x", "id"), false, false},
		"a new column of a dataset that comes into the domain":    {column(dataset+"x", "id"), true, true},
		"a column of what is no entity":                           {urn.Make("schemaField", "x", "id"), true, false},
		"a document that stands for an asset":                     {"urn:li:document:bridge-x", true, false},
		"a document of its own, whose proposed domains are asked": {"urn:li:document:x", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, check := range []auth.Check{
				auth.On(auth.OpCreate, tc.on, "documentation"), auth.On(auth.OpUpdate, tc.on, "deprecation"), auth.On(auth.OpDelete, tc.on, ""), auth.Over(tc.on, auth.EditDeprecation),
			} {
				if tc.proposed {
					check = proposing(check, sales)
				}
				for who, ctx := range map[string]auth.Actor{"a policy": {URN: authtest.Jo}, "a scope": narrowed} {
					decisions, err := f.Decide(auth.WithActor(t.Context(), ctx), []auth.Check{check})
					if err != nil {
						t.Fatal(err)
					}
					if got := decisions[0].Allowed(); got != tc.want {
						t.Errorf("%s, %s %s %v: %v", who, check.Operation, check.Aspect, check.AnyOf, got)
					}
				}
			}
			moved := after(auth.On(auth.OpUpdate, tc.on, "domains"), sales)
			if got := f.allows(t, authtest.Jo, moved); tc.on.Type() == "schemaField" && got != (tc.want && !tc.proposed) {
				t.Errorf("as it will be: %v", got)
			}
		})
	}
}

// Reads and writes depend on different domains, so one answer must not be cached for the other.
func TestAColumnThatIsReadByItsOwnDomainIsNotWrittenByIt(t *testing.T) {
	t.Parallel()
	const sales = urn.URN("urn:li:domain:sales")
	column := urn.Make("schemaField", string(dataset), "id")
	f := newFixture(t, policy.Config{})
	f.store(t, map[urn.URN]map[string]string{sales: {"domainProperties": `{"name":"Sales"}`}, column: {"domains": `{"domains":["` + string(sales) + `"]}`}})
	f.put(t, "p", metadata(where(criterion{"DOMAIN", []string{string(sales)}, "EQUALS"}), auth.EditEntity))
	read, write := auth.On(auth.OpRead, column, ""), auth.On(auth.OpUpdate, column, "")
	for _, checks := range [][]auth.Check{{read, write}, {write, read}} {
		decisions, err := f.Decide(authtest.As(t, authtest.Jo), checks)
		if err != nil {
			t.Fatal(err)
		}
		for i, check := range checks {
			if got := decisions[i].Allowed(); got != (check.Operation == auth.OpRead) {
				t.Errorf("%s: %v", check.Operation, got)
			}
		}
	}
}
