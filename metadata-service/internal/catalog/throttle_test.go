package catalog_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Two services on one store stand in for two replicas.
func TestProgramsAreThrottledAndPeopleAreNot(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		other := *f
		other.Service = catalog.New(f.Config)
		person := f.As(root)
		actor, _ := auth.ActorFrom(person)
		actor.TokenID = "t1"
		program := auth.WithActor(person, actor)
		write := catalogtest.Proposal(tagURN("a"), "status", `{}`)
		for range 2 { // switching it on again has no effect
			if err := f.SetThrottled(person, true); err != nil {
				t.Fatal(err)
			}
		}
		for _, replica := range []*catalogtest.Fixture{f, &other} {
			replica.RefuseAs(program, fault.Throttled, "throttles the writes of programs", write)
			_, err := replica.DeleteEntity(program, tagURN("a"))
			catalogtest.WantFault(t, err, fault.Throttled, "try again later")
			if on, err := replica.Throttled(program); !on || err != nil {
				t.Errorf("throttled: %v, %v", on, err)
			}
		}
		f.MustAs(root, write)
		if err := other.SetThrottled(program, false); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(program, []catalog.Proposal{catalogtest.Proposal(tagURN("a"), "status", `{"removed":true}`)}, catalog.WriteOptions{}); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	})
}
