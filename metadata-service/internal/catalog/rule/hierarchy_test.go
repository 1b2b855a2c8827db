package rule_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// named are the kinds of entities with unique names at their place.
var named = map[string]struct {
	aspect, parent, more string
	place                urn.URN
	kind                 fault.Kind
}{
	"domain":       {"domainProperties", "parentDomain", "", "urn:li:domain:above", fault.Conflict},
	"glossaryTerm": {"glossaryTermInfo", "parentNode", `,"definition":"","termSource":"INTERNAL"`, "urn:li:glossaryNode:above", fault.Malformed},
	"businessAttribute": {
		"businessAttributeInfo", "", `,"fieldPath":"x","created":{"time":1,"actor":"urn:li:corpuser:jo"},"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"}`, "", fault.Conflict,
	},
}

func TestNamesAreUniqueAtTheirPlace(t *testing.T) {
	for kind, n := range named {
		t.Run(kind, func(t *testing.T) {
			catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
				entity := func(id string) urn.URN { return urn.Make(kind, id) }
				name := func(id, name string, below urn.URN) catalog.Proposal {
					value := fmt.Sprintf(`{"name":%q%s`, name, n.more)
					if below != "" {
						value += fmt.Sprintf(`,%q:%q`, n.parent, below)
					}
					return catalogtest.Proposal(entity(id), n.aspect, value+"}")
				}
				f.MustName(name("a", "Sales", ""), name("long", strings.Repeat("long ", 2000), ""))
				f.RefuseName(n.kind, "Sales", name("b", "Sales", ""))
				f.RefuseName(n.kind, "long", name("b", strings.Repeat("long ", 2000), ""))
				f.RefuseName(n.kind, "new", name("b", "new", ""), name("c", "new", ""))
				f.MustName(name("a", "Sales", ""), name("b", "sales", ""), name("c", "Sale", ""))

				if _, spec, err := f.Registry.Resolve(string(entity("a"))); err != nil {
					t.Fatal(err)
				} else if _, carries := spec.Aspect("status"); carries {
					f.Put(entity("a"), "status", `{"removed":true}`)
					f.MustName(name("d", "Sales", ""))
				}
				for _, id := range []string{"a", "d"} {
					if _, err := f.DeleteEntity(f.As(root), entity(id)); err != nil {
						t.Fatal(err)
					}
				}
				f.MustName(name("e", "Sales", ""))
				if n.parent == "" {
					return
				}
				f.MustName(name("below", "Sales", n.place))
				f.RefuseName(n.kind, "Sales", name("other", "Sales", n.place))
				f.RefuseName(n.kind, "Sales", name("below", "Sales", ""))
			})
		})
	}
}

// The rule also applies to renames by patches.
func TestAPatchDoesNotTakeANameThatIsTaken(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put("urn:li:domain:a", "domainProperties", `{"name":"Sales"}`)
		f.Put("urn:li:domain:b", "domainProperties", `{"name":"Shop"}`)
		f.RefuseName(fault.Conflict, "Sales", byRun(catalogtest.Proposal("urn:li:domain:b", "domainProperties", `{"patch":[{"op":"add","path":"/name","value":"Sales"}],"arrayPrimaryKeys":{},"forceGenericPatch":true}`, model.Patch)))
	})
}

// Two services on one store stand in for two replicas: without a lock between them, names are still
// unique.
func TestOfManyWhoTakeANameAtOnceOneGetsIt(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.OnDisk(t))
	replicas := []*catalog.Service{f.Service, catalog.New(f.Config)}
	var won atomic.Int32
	var wait sync.WaitGroup
	for i := range 40 {
		wait.Go(func() {
			u := urn.URN(fmt.Sprintf("urn:li:domain:d%d", i))
			_, err := replicas[i%2].Write(f.As(root), []catalog.Proposal{catalogtest.Proposal(u, "domainProperties", `{"name":"Sales"}`)}, catalog.WriteOptions{UniqueNames: true})
			if err == nil {
				won.Add(1)
			} else if fault.KindOf(err) != fault.Conflict {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if won.Load() != 1 {
		t.Errorf("%d domains have the name", won.Load())
	}
}

func TestAnEntityDoesNotComeToLieBelowItself(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		node := func(id, below string) catalog.Proposal {
			value := fmt.Sprintf(`{"name":%q,"definition":""}`, id)
			if below != "" {
				value = fmt.Sprintf(`{"name":%q,"definition":"","parentNode":%q}`, id, urn.Make("glossaryNode", below))
			}
			return catalogtest.Proposal(urn.Make("glossaryNode", id), "glossaryNodeInfo", value)
		}
		f.Must(node("a", ""), node("b", "a"), node("c", "b"))
		f.Refuse(fault.Malformed, "its own parent", node("a", "a"))
		f.Refuse(fault.Malformed, "below itself", node("a", "b"))
		f.Refuse(fault.Malformed, "below itself", node("a", "c"))
		f.Refuse(fault.Malformed, "below itself", node("x", "y"), node("y", "x"))
		f.Must(node("c", "a"), node("b", "c"))
	})
}

// Each of two moves is valid by itself, but together they would create a cycle.
func TestTwoMovesAtOnceMakeNoCycle(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.OnDisk(t))
	replicas := []*catalog.Service{f.Service, catalog.New(f.Config)}
	for round := range 20 {
		a, b := urn.Make("domain", fmt.Sprint("a", round)), urn.Make("domain", fmt.Sprint("b", round))
		below := func(u, parent urn.URN) catalog.Proposal {
			return catalogtest.Proposal(u, "domainProperties", fmt.Sprintf(`{"name":%q,"parentDomain":%q}`, u.Key(), parent))
		}
		f.Put(a, "domainProperties", fmt.Sprintf(`{"name":%q}`, a.Key()))
		f.Put(b, "domainProperties", fmt.Sprintf(`{"name":%q}`, b.Key()))
		var failed atomic.Int32
		var wait sync.WaitGroup
		for i, p := range []catalog.Proposal{below(a, b), below(b, a)} {
			wait.Go(func() {
				if _, err := replicas[i].Write(f.As(root), []catalog.Proposal{p}, catalog.WriteOptions{}); err != nil {
					failed.Add(1)
				}
			})
		}
		wait.Wait()
		if failed.Load() != 1 {
			t.Fatalf("round %d: %d of two moves that contradict each other were refused", round, failed.Load())
		}
	}
}

// editing is an authorizer that permits every actor to edit metadata, but not to manage the
// glossary.
type editing struct{ authtest.Plain }

func (e editing) Decide(ctx context.Context, checks []auth.Check) ([]auth.Decision, error) {
	decisions, err := e.Plain.Decide(ctx, checks)
	for i, c := range checks {
		if actor, _ := auth.ActorFrom(ctx); actor.URN != root && len(decisions) > 0 && slices.Contains(c.AnyOf, auth.ManageGlossaries) {
			decisions[i] = auth.Refuse(actor.URN, c, fault.New(fault.Forbidden, "needs MANAGE_GLOSSARIES"))
		}
	}
	return decisions, err
}

// Policies over a domain, or over entities with a term, apply to everything below.
func TestAMoveWithinATreeTakesTheRightsOverTheTree(t *testing.T) {
	t.Parallel()
	for name, on := range map[string]catalogtest.Drivers{"memory": catalogtest.InMemory(), "bolt": catalogtest.OnDisk(t)} {
		on.Authorizer = editing{}
		f := catalogtest.New(t, on)
		t.Log(name)
		for _, c := range []struct{ entityType, aspect, value, parentType, parent string }{
			{"domain", "domainProperties", `"name":"N","description":"%s"`, "domain", "parentDomain"},
			{"glossaryTerm", "glossaryTermInfo", `"name":"N","definition":"%s","termSource":"INTERNAL"`, "glossaryNode", "parentNode"},
			{"glossaryNode", "glossaryNodeInfo", `"name":"N","definition":"%s"`, "glossaryNode", "parentNode"},
		} {
			one, other, it := urn.Make(c.parentType, "one"), urn.Make(c.parentType, "other"), urn.Make(c.entityType, "it")
			value := func(text string, parent urn.URN) string {
				value := `{` + fmt.Sprintf(c.value, text)
				if parent != "" {
					value += `,"` + c.parent + `":"` + string(parent) + `"`
				}
				return value + `}`
			}
			f.MustAs(jo, catalogtest.Proposal(it, c.aspect, value("a", one)))
			f.MustAs(jo, catalogtest.Proposal(it, c.aspect, value("b", one)))
			for _, parent := range []urn.URN{other, ""} {
				f.RefuseAs(f.As(jo), fault.Forbidden, "Unauthorized to move "+string(it), catalogtest.Proposal(it, c.aspect, value("b", parent)))
			}
			f.Must(catalogtest.Proposal(it, c.aspect, value("b", other)))
			f.Must(catalogtest.Proposal(it, c.aspect, "", model.Delete))
			f.RefuseAs(f.As(jo), fault.Forbidden, "Unauthorized to move "+string(it), catalogtest.Proposal(it, c.aspect, value("b", one)))
			f.MustAs(jo, catalogtest.Proposal(it, c.aspect, value("b", "")))
		}
	}
}

// rollingBack is an authorizer that also permits every actor to roll back runs.
type rollingBack struct{ editing }

func (r rollingBack) Decide(ctx context.Context, checks []auth.Check) ([]auth.Decision, error) {
	decisions, err := r.editing.Decide(ctx, checks)
	for i, c := range checks {
		if actor, _ := auth.ActorFrom(ctx); len(decisions) > 0 && (c.Operation == auth.OpDelete || slices.Contains(c.AnyOf, auth.ManageIngestion)) {
			decisions[i] = auth.Allow(actor.URN, c, auth.ManageIngestion, privilege.Reaches)
		}
	}
	return decisions, err
}

// TestARollbackIntoAnotherPlaceTakesTheRightsOfAMove rolls back a run that moved an entity, as an
// actor that may not move it.
func TestARollbackIntoAnotherPlaceTakesTheRightsOfAMove(t *testing.T) {
	t.Parallel()
	on := catalogtest.OnDisk(t)
	on.Authorizer = rollingBack{}
	f := catalogtest.New(t, on)
	for _, u := range []urn.URN{"urn:li:domain:it", "urn:li:glossaryTerm:it", "urn:li:container:it"} {
		place, _ := model.ParentOf(u.Type())
		parentType := strings.ReplaceAll(u.Type(), "Term", "Node")
		in := func(parent string) catalog.Proposal {
			parent = string(urn.Make(parentType, parent))
			value := map[string]string{
				"domain": `{"name":"N","parentDomain":"` + parent + `"}`, "glossaryTerm": `{"name":"N","definition":"","termSource":"INTERNAL","parentNode":"` + parent + `"}`,
				"container": `{"container":"` + parent + `"}`,
			}[u.Type()]
			return catalogtest.Proposal(u, place.Aspect, value)
		}
		f.Must(catalogtest.InRun("first "+u.Type(), in("one")))
		f.Must(catalogtest.InRun("second "+u.Type(), in("other")))
		_, err := f.Runs.Rollback(f.As(jo), "second "+u.Type(), run.Options{})
		if u.Type() == "container" { // jo may edit all possible contents
			if err != nil {
				t.Errorf("%s: %v", u, err)
			}
			continue
		}
		if fault.KindOf(err) != fault.Forbidden || !strings.Contains(err.Error(), "Unauthorized to move") {
			t.Errorf("%s: %v", u, err)
		}
		if out := f.Rollback("second "+u.Type(), run.Options{}); out.AspectsReverted == 0 {
			t.Errorf("%s: the administrator took nothing back: %+v", u, out)
		}
		// An entity that a run created is removed with its place, because no policy excludes
		// anything by that place.
		f.Put("urn:li:dataset:(urn:li:dataPlatform:hive,in."+urn.URN(u.Type())+",PROD)", map[string]string{"domain": "domains", "glossaryTerm": "glossaryTerms"}[u.Type()],
			map[string]string{"domain": `{"domains":["` + string(u) + `"]}`, "glossaryTerm": `{"terms":[{"urn":"` + string(u) + `"}],"auditStamp":{"time":0,"actor":"urn:li:corpuser:jo"}}`}[u.Type()])
		if _, err := f.Runs.Rollback(f.As(jo), "first "+u.Type(), run.Options{Hard: true}); err != nil {
			t.Errorf("%s: of the run that created it: %v", u, err)
		}
	}
}
