package contract_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/contract"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	orders  urn.URN = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)"
	revenue urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.revenue,PROD)"
	secret  urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.secret,PROD)"
	ghost   urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.ghost,PROD)"
	daily   urn.URN = "urn:li:assertion:daily"
	other   urn.URN = "urn:li:assertion:other"
)

func setup(t *testing.T) (*servicetest.World, *contract.Service) {
	t.Helper()
	w := servicetest.New(t)
	for _, u := range []urn.URN{orders, revenue, secret} {
		w.Put(t, u, "status", `{"removed":false}`)
	}
	for u, of := range map[urn.URN]urn.URN{daily: orders, other: revenue} {
		w.Put(t, u, "assertionInfo", `{"type":"CUSTOM","customAssertion":{"type":"x","entity":"`+string(of)+`"}}`)
	}
	return w, contract.New(w.Granting(servicetest.Grants{Over: map[urn.URN][]auth.Privilege{
		orders: {auth.EditContract}, revenue: {auth.EditEntity}, ghost: {auth.EditEntity}, secret: {auth.EditAssertions},
	}}))
}

func TestADatasetHasOneContract(t *testing.T) {
	t.Parallel()
	w, s := setup(t)
	jo := w.As(t, servicetest.Jo)
	first, err := s.Upsert(jo, "", contract.Draft{Dataset: string(orders), Freshness: []string{string(daily)}})
	if err != nil {
		t.Fatal(err)
	}
	pending := "PENDING"
	again, err := s.Upsert(jo, "", contract.Draft{Dataset: string(orders), ID: "another", DataQuality: []string{string(daily)}, State: &pending})
	if err != nil || again != first {
		t.Errorf("got %s, %v, want %s again", again, err, first)
	}
	if got, want := w.Get(t, first, "dataContractProperties"), `{"dataQuality":[{"assertion":"urn:li:assertion:daily"}],"entity":"`+string(orders)+`"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, err := s.Upsert(jo, string(first), contract.Draft{Dataset: string(orders)}); err != nil {
		t.Error(err)
	}
	if got, want := w.Get(t, first, "dataContractStatus"), `{"state":"PENDING"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	named, err := s.Upsert(jo, "", contract.Draft{Dataset: string(revenue), ID: "money"})
	if err != nil || named != "urn:li:dataContract:money" {
		t.Errorf("got %s, %v", named, err)
	}
	if got, want := w.Get(t, named, "dataContractStatus"), `{"state":"ACTIVE"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestContractsThatAreRefused(t *testing.T) {
	t.Parallel()
	w, s := setup(t)
	jo := w.As(t, servicetest.Jo)
	first, err := s.Upsert(jo, "", contract.Draft{Dataset: string(orders)})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, id string
		draft    contract.Draft
		kind     fault.Kind
	}{
		{"without the right", "", contract.Draft{Dataset: string(secret)}, fault.Forbidden},
		{"a dataset that is not there", "", contract.Draft{Dataset: string(ghost)}, fault.Malformed},
		{"something that is no dataset", "", contract.Draft{Dataset: "urn:li:tag:x"}, fault.Malformed},
		{"an assertion that is not there", "", contract.Draft{Dataset: string(orders), Schema: []string{"urn:li:assertion:ghost"}}, fault.Malformed},
		{"an assertion about another dataset", "", contract.Draft{Dataset: string(orders), Schema: []string{string(other)}}, fault.Malformed},
		{"something that is no assertion", "", contract.Draft{Dataset: string(orders), Freshness: []string{string(orders)}}, fault.Malformed},
		{"a second contract", "urn:li:dataContract:second", contract.Draft{Dataset: string(orders)}, fault.Malformed},
		{"the contract of another dataset", string(first), contract.Draft{Dataset: string(revenue)}, fault.Malformed},
		{"an id that is taken", "", contract.Draft{Dataset: string(revenue), ID: first.Key()}, fault.Malformed},
		{"something that is no contract", "urn:li:tag:x", contract.Draft{Dataset: string(revenue)}, fault.Malformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := s.Upsert(jo, c.id, c.draft); err == nil || fault.KindOf(err) != c.kind {
				t.Errorf("got %v, want a failure of the kind %s", err, c.kind)
			}
		})
	}
}

// TestContractsOfNothing: a contract without a dataset belongs to none, so a privilege on a dataset
// does not permit taking it over.
func TestContractsOfNothing(t *testing.T) {
	t.Parallel()
	w, s := setup(t)
	const nothing urn.URN = "urn:li:dataContract:nothing"
	w.Put(t, nothing, "dataContractStatus", `{"state":"PENDING"}`)
	jo := w.As(t, servicetest.Jo)
	if _, err := s.Upsert(jo, string(nothing), contract.Draft{Dataset: string(orders)}); fault.KindOf(err) != fault.Forbidden {
		t.Errorf("the contract is taken over: %v", err)
	}
	if got := w.Get(t, nothing, "dataContractProperties"); got != "" {
		t.Errorf("the contract says %s", got)
	}
	may := contract.New(w.Granting(servicetest.Grants{Over: map[urn.URN][]auth.Privilege{orders: {auth.EditContract}, nothing: {auth.EditContract}}}))
	if _, err := may.Upsert(jo, string(nothing), contract.Draft{Dataset: string(orders)}); err != nil {
		t.Error(err)
	}
}
