package catalog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// withRules returns a catalog with further rules in addition to those of the model.
func withRules(f *catalogtest.Fixture, rules ...rule.Rule) *catalogtest.Fixture {
	f.T.Helper()
	book, err := rule.NewBook(f.Registry, append(rule.All(), rules...))
	if err != nil {
		f.T.Fatal(err)
	}
	cfg := f.Config
	cfg.Rules = book
	g := *f
	g.Service = catalog.New(cfg)
	g.Runs = run.New(g.Service)
	return &g
}

func tagURN(name string) urn.URN { return urn.Make("tag", name) }

func tagValue(name string) model.Object { return model.Object{"name": name} }

// tagRule derives changes from the properties of tags.
func tagRule(derive func(tx rule.Effects, c *rule.Change) error) rule.Rule {
	return rule.Rule{Name: "of the test", Aspects: []string{"tagProperties"}, Derive: derive}
}

// under returns the entities with a term, and fails the test if the look-up fails.
func under(f *catalogtest.Fixture, term store.Term) []urn.URN {
	f.T.Helper()
	found, err := f.Store.Lookup(f.T.Context(), term, "", 0)
	if err != nil {
		f.T.Fatal(err)
	}
	return found
}

// entries returns the log entries after a sequence.
func entries(f *catalogtest.Fixture, after uint64) []store.Entry {
	f.T.Helper()
	found, err := f.Store.Entries(f.T.Context(), after, 0)
	if err != nil {
		f.T.Fatal(err)
	}
	return found
}

func TestARuleThatNeverEndsIsAnErrorAndWritesNothing(t *testing.T) {
	for name, derive := range map[string]func(tx rule.Effects, c *rule.Change) error{
		"by new entities": func(tx rule.Effects, c *rule.Change) error {
			if c.After == nil {
				return nil
			}
			next := jsontree.Text(c.After, "name") + "x"
			return tx.Make(tagURN(next), "tagProperties", tagValue(next))
		},
		"by new values": func(tx rule.Effects, c *rule.Change) error {
			if c.After == nil {
				return nil
			}
			return tx.Put(c.URN, "tagProperties", tagValue(jsontree.Text(c.After, "name")+"x"))
		},
		"by two rules in turn": func(tx rule.Effects, c *rule.Change) error {
			if c.After == nil {
				return nil
			}
			names := map[string]string{"ping": "pong", "pong": "ping"}
			return tx.Put(c.URN, "tagProperties", tagValue(names[jsontree.Text(c.After, "name")]))
		},
	} {
		t.Run(name, func(t *testing.T) {
			catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
				f = withRules(f, tagRule(derive))
				f.Refuse(fault.Internal, "the changes derived from tagProperties exceed the maximum depth", catalogtest.Proposal(tagURN("ping"), "tagProperties", `{"name":"ping"}`))
				for _, tag := range []string{"ping", "pingx", "pingxx"} {
					f.WantValue(tagURN(tag), "tagKey", "")
					f.WantValue(tagURN(tag), "tagProperties", "")
				}
			})
		})
	}
}

func TestAChainOfDerivedChangesMayHaveEightLinks(t *testing.T) {
	chain := func(links int) rule.Rule {
		return tagRule(func(tx rule.Effects, c *rule.Change) error {
			name := jsontree.Text(c.After, "name")
			if len(name) > links {
				return nil
			}
			return tx.Make(tagURN(name+"x"), "tagProperties", tagValue(name+"x"))
		})
	}
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		withRules(f, chain(9)).Refuse(fault.Internal, "exceed the maximum depth", catalogtest.Proposal(tagURN("x"), "tagProperties", `{"name":"x"}`))
		withRules(f, chain(8)).Put(tagURN("x"), "tagProperties", `{"name":"x"}`)
		for links := range 9 {
			name := strings.Repeat("x", links+1)
			f.WantValue(tagURN(name), "tagProperties", fmt.Sprintf(`{"name":%q}`, name))
		}
		f.WantValue(tagURN(strings.Repeat("x", 10)), "tagProperties", "")
	})
}

// The number of changes derived from one change has no limit.
func TestAChangeMayDeriveMany(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f = withRules(f, tagRule(func(tx rule.Effects, c *rule.Change) error {
			if jsontree.Text(c.After, "name") != "all" {
				return nil
			}
			for i := range 300 {
				if err := tx.Make(tagURN(fmt.Sprint(i)), "tagProperties", tagValue(fmt.Sprint(i))); err != nil {
					return err
				}
			}
			return nil
		}))
		written := f.Must(catalogtest.Proposal(tagURN("all"), "tagProperties", `{"name":"all"}`))
		if n := len(written); n != 1+1+2*300 {
			t.Errorf("%d aspects are told of, want the one written, its key, and 300 derived ones with theirs", n)
		}
		f.WantValue(tagURN("299"), "tagProperties", `{"name":"299"}`)
		f.WantValue(tagURN("299"), "tagKey", `{"name":"299"}`)
	})
}

func TestDerivedChangesCarryRunActorAndTimeOfTheirCause(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f = withRules(f, tagRule(func(tx rule.Effects, c *rule.Change) error {
			if strings.HasPrefix(jsontree.Text(c.After, "name"), "derived") {
				return nil
			}
			return tx.Make(tagURN("derived"), "tagProperties", tagValue("derived of "+jsontree.Text(c.After, "name")))
		}))
		f.Clock.Store(day + 5)
		p := catalogtest.InRun("r7", catalogtest.Proposal(tagURN("cause"), "tagProperties", `{"name":"cause"}`))
		p.System.LastObserved, p.System.PipelineName = day-10, "nightly"
		p.System.Properties = map[string]string{"clientId": "acryl"}
		last, _ := f.Store.Last()
		trace := strings.Repeat("ab", 16)
		if _, err := f.Write(f.As(jo), []catalog.Proposal{p}, catalog.WriteOptions{TraceID: trace}); err != nil {
			t.Fatal(err)
		}
		for _, aspect := range []string{"tagKey", "tagProperties"} {
			rec := f.Record(tagURN("derived"), aspect)
			if rec == nil {
				t.Fatalf("%s was not derived", aspect)
			}
			s := rec.System
			if s.RunID != "r7" || s.LastObserved != day-10 || s.PipelineName != "nightly" || s.Properties["clientId"] != "acryl" {
				t.Errorf("%s has run %q, observed %d, pipeline %q, properties %v", aspect, s.RunID, s.LastObserved, s.PipelineName, s.Properties)
			}
			if rec.CreatedBy != jo || rec.CreatedOn != day+5 {
				t.Errorf("%s was created by %s on %d", aspect, rec.CreatedBy, rec.CreatedOn)
			}
		}
		found := entries(f, last)
		if len(found) != 4 {
			t.Fatalf("%d log entries, want those of two entities with two aspects each", len(found))
		}
		for _, e := range found {
			if e.Actor != jo || e.Time != day+5 || e.RunID != "r7" || e.TraceID != trace || e.Kind != store.Written {
				t.Errorf("entry %+v", e)
			}
		}
	})
}

// A rollback of a run also rolls back the mirror that the run caused.
func TestARollbackTakesBackWhatTheRunDerived(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f = withRules(f, tagRule(func(tx rule.Effects, c *rule.Change) error {
			if c.After == nil || c.URN == tagURN("derived") {
				return nil
			}
			return tx.Make(tagURN("derived"), "tagProperties", tagValue(jsontree.Text(c.After, "name")))
		}))
		f.Put(tagURN("cause"), "tagProperties", `{"name":"before"}`)
		f.Must(catalogtest.InRun("r7", catalogtest.Proposal(tagURN("cause"), "tagProperties", `{"name":"in the run"}`)))
		f.WantValue(tagURN("derived"), "tagProperties", `{"name":"in the run"}`)
		f.Rollback("r7", run.Options{})
		f.WantValue(tagURN("cause"), "tagProperties", `{"name":"before"}`)
		f.WantValue(tagURN("derived"), "tagProperties", `{"name":"before"}`)
	})
}

// mirrorRule copies the name of a tag to another tag.
func mirrorRule() rule.Rule {
	return tagRule(func(tx rule.Effects, c *rule.Change) error {
		if c.URN == tagURN("mirror") || c.After == nil {
			return nil
		}
		return tx.Put(tagURN("mirror"), "tagProperties", tagValue("of "+jsontree.Text(c.After, "name")))
	})
}

var awaited = store.Term{Index: "$awaited", Value: "*"}

func awaits(u urn.URN) store.Term { return store.Term{Index: "$awaits", Value: string(u)} }

func TestWhatWaitsForAnEntityIsDerivedOnceWhenItComes(t *testing.T) {
	for name, come := range map[string]func(f *catalogtest.Fixture){
		"by an aspect": func(f *catalogtest.Fixture) { f.Put(tagURN("mirror"), "status", `{"removed":false}`) },
		"by its key":   func(f *catalogtest.Fixture) { f.Put(tagURN("mirror"), "tagKey", `{"name":"mirror"}`) },
		"by a batch": func(f *catalogtest.Fixture) {
			f.Must(catalogtest.Proposal(tagURN("a"), "status", `{}`), catalogtest.Proposal(tagURN("mirror"), "status", `{}`), catalogtest.Proposal(tagURN("z"), "status", `{}`))
		},
		"by a patch": func(f *catalogtest.Fixture) {
			f.Must(catalogtest.Proposal(tagURN("mirror"), "ownership", `[{"op":"add","path":"/owners/urn:li:corpuser:jo/DATAOWNER","value":{"owner":"urn:li:corpuser:jo","type":"DATAOWNER"}}]`, model.Patch))
		},
		"after a restart": func(f *catalogtest.Fixture) {
			g := *f
			g.Service = catalog.New(f.Config)
			g.Put(tagURN("mirror"), "status", `{}`)
		},
		"twice in the same batch": func(f *catalogtest.Fixture) {
			f.Must(catalogtest.Proposal(tagURN("mirror"), "status", `{}`), catalogtest.Proposal(tagURN("mirror"), "status", `{"removed":true}`))
		},
		"where it was asked about": func(f *catalogtest.Fixture) {
			f.Must(catalogtest.Proposal(tagURN("cause"), "status", `{}`), catalogtest.Proposal(tagURN("mirror"), "status", `{}`))
		},
	} {
		t.Run(name, func(t *testing.T) {
			catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
				f = withRules(f, mirrorRule())
				f.Put(tagURN("cause"), "tagProperties", `{"name":"a cause"}`)
				f.WantValue(tagURN("mirror"), "tagKey", "")
				f.WantValue(tagURN("mirror"), "tagProperties", "")
				if got := under(f, awaits(tagURN("mirror"))); !slices.Equal(got, []urn.URN{tagURN("cause")}) {
					t.Errorf("%v wait", got)
				}
				come(f)
				f.WantValue(tagURN("mirror"), "tagProperties", `{"name":"of a cause"}`)
				if v := f.Record(tagURN("mirror"), "tagProperties").System.Version; v != "1" {
					t.Errorf("it was derived into version %s", v)
				}
				if left := append(under(f, awaited), under(f, awaits(tagURN("mirror")))...); len(left) > 0 {
					t.Errorf("%v are still noted as waiting", left)
				}
				last, _ := f.Store.Last()
				f.Put(tagURN("mirror"), "ownership", `{"owners":[]}`)
				for _, e := range entries(f, last) {
					if e.Aspect == "tagProperties" {
						t.Errorf("it is derived again with each write: %+v", e)
					}
				}
			})
		})
	}
}

// The batch has read the set of awaited entities before it adds another one.
func TestAnEntityThatComesLaterInTheBatchIsWaitedFor(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f = withRules(f, mirrorRule())
		f.Must(
			catalogtest.Proposal(tagURN("first"), "status", `{}`), catalogtest.Proposal(tagURN("cause"), "tagProperties", `{"name":"a cause"}`),
			catalogtest.Proposal(tagURN("mirror"), "status", `{}`),
		)
		f.WantValue(tagURN("mirror"), "tagProperties", `{"name":"of a cause"}`)
	})
}

func TestManyMayWaitForOneEntityAndOneForMany(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		targets := []urn.URN{tagURN("t1"), tagURN("t2"), tagURN("t3")}
		f = withRules(f, tagRule(func(tx rule.Effects, c *rule.Change) error {
			if slices.Contains(targets, c.URN) || c.After == nil {
				return nil
			}
			for _, target := range targets {
				value, err := tx.Value(target, "tagProperties")
				if err != nil {
					return err
				}
				if err := tx.Put(target, "tagProperties", tagValue(jsontree.Text(value, "name")+c.URN.Key())); err != nil {
					return err
				}
			}
			return nil
		}))
		f.Must(
			catalogtest.Proposal(tagURN("a"), "tagProperties", `{"name":"a"}`), catalogtest.Proposal(tagURN("b"), "tagProperties", `{"name":"b"}`),
			catalogtest.Proposal(tagURN("c"), "tagProperties", `{"name":"c"}`),
		)
		f.Put(targets[1], "status", `{}`)
		f.WantValue(targets[1], "tagProperties", `{"name":"abc"}`)
		f.WantValue(targets[0], "tagProperties", "")
		if got := under(f, awaited); !slices.Equal(got, []urn.URN{targets[0], targets[2]}) {
			t.Errorf("awaited are %v", got)
		}
	})
}

// A waiting cause that is gone, or has no value to derive from any more, derives nothing.
func TestWhatWaitedIsForgottenWhenItsCauseIsGone(t *testing.T) {
	cause := tagURN("cause")
	for name, goAway := range map[string]func(f *catalogtest.Fixture) error{
		"the entity": func(f *catalogtest.Fixture) error { _, err := f.DeleteEntity(f.As(root), cause); return err },
		"the aspect": func(f *catalogtest.Fixture) error {
			_, err := f.DeleteAspects(f.As(root), cause, "tagProperties")
			return err
		},
		"by proposal": func(f *catalogtest.Fixture) error {
			f.Must(catalogtest.Proposal(cause, "tagProperties", "", model.Delete))
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
				f = withRules(f, mirrorRule())
				f.Put(cause, "tagProperties", `{"name":"a cause"}`)
				if err := goAway(f); err != nil {
					t.Fatal(err)
				}
				f.Put(tagURN("mirror"), "status", `{}`)
				f.WantValue(tagURN("mirror"), "tagProperties", "")
				if left := append(under(f, awaited), under(f, awaits(tagURN("mirror")))...); len(left) > 0 {
					t.Errorf("%v are still noted as waiting", left)
				}
			})
		})
	}
}

func TestAWriteThatFailsLeavesNothingWaiting(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f = withRules(f, mirrorRule())
		refused := catalogtest.Proposal(tagURN("z"), "tagProperties", `{"name":"z"}`, model.Create)
		f.Put(tagURN("z"), "tagProperties", `{"name":"z"}`)
		f.Put(tagURN("mirror"), "status", `{}`)
		if _, err := f.DeleteEntity(f.As(root), tagURN("mirror")); err != nil {
			t.Fatal(err)
		}
		f.Refuse(fault.Invalid, "exists already", catalogtest.Proposal(tagURN("cause"), "tagProperties", `{"name":"a cause"}`), refused)
		if left := append(under(f, awaited), under(f, awaits(tagURN("mirror")))...); len(left) > 0 {
			t.Errorf("%v are noted as waiting", left)
		}
	})
}

// The number of awaited entities exceeds the number that a transaction loads.
func TestAnEntityIsFoundAmongThousandsThatAreAwaited(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.OnDisk(t))
	f = withRules(f, tagRule(func(tx rule.Effects, c *rule.Change) error {
		if c.URN != tagURN("cause") || c.After == nil {
			return nil
		}
		for i := range 1500 {
			if err := tx.Put(tagURN(fmt.Sprintf("t%04d", i)), "tagProperties", tagValue("derived")); err != nil {
				return err
			}
		}
		return nil
	}))
	f.Put(tagURN("cause"), "tagProperties", `{"name":"a cause"}`)
	for _, name := range []string{"t0000", "t0999", "t1000", "t1499"} {
		f.Put(tagURN(name), "status", `{}`)
		f.WantValue(tagURN(name), "tagProperties", `{"name":"derived"}`)
	}
	f.Put(tagURN("t1500"), "status", `{}`)
	f.WantValue(tagURN("t1500"), "tagProperties", "")
}

func TestRulesMakeAndRemoveAspectsAndEntities(t *testing.T) {
	act := func(tx rule.Effects, c *rule.Change) error {
		if c.URN != tagURN("cause") {
			return nil
		}
		switch jsontree.Text(c.After, "name") {
		case "make":
			return tx.Make(tagURN("other"), "tagProperties", tagValue("made"))
		case "remove":
			return tx.Remove(tagURN("other"), "tagProperties")
		case "remove entity":
			return tx.RemoveEntity(tagURN("other"))
		case "of nobody":
			for _, u := range []urn.URN{"", "no urn", "urn:li:cow:x", "urn:li:tag:", "urn:li:corpGroup:g"} {
				if err := tx.Put(u, "tagProperties", tagValue("x")); err != nil {
					return err
				}
				if err := tx.Make(u, "tagProperties", tagValue("x")); err != nil {
					return err
				}
				if err := tx.Remove(u, "tagProperties"); err != nil {
					return err
				}
				if err := tx.RemoveEntity(u); err != nil {
					return err
				}
			}
		case "no value":
			return tx.Make(tagURN("other"), "tagProperties", model.Object{"name": model.Object{}})
		}
		return nil
	}
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f = withRules(f, tagRule(act))
		do := func(what string) {
			f.T.Helper()
			f.Put(tagURN("cause"), "tagProperties", fmt.Sprintf(`{"name":%q}`, what))
		}
		do("remove")
		do("remove entity")
		f.WantValue(tagURN("other"), "tagKey", "")
		do("make")
		f.WantValue(tagURN("other"), "tagKey", `{"name":"other"}`)
		f.WantValue(tagURN("other"), "tagProperties", `{"name":"made"}`)
		do("remove")
		f.WantValue(tagURN("other"), "tagKey", `{"name":"other"}`)
		f.WantValue(tagURN("other"), "tagProperties", "")
		do("make")
		do("remove entity")
		f.WantValue(tagURN("other"), "tagKey", "")
		f.WantValue(tagURN("other"), "tagProperties", "")
		do("make")
		if v := f.Record(tagURN("other"), "tagProperties").System.Version; v != "1" {
			t.Errorf("an entity that comes back begins at version %s", v)
		}
		last, _ := f.Store.Last()
		do("of nobody")
		if found := entries(f, last); len(found) != 1 {
			t.Errorf("names that address nothing led to %+v", found)
		}
		f.Refuse(fault.Invalid, "/name", catalogtest.Proposal(tagURN("cause"), "tagProperties", `{"name":"no value"}`))
	})
}

func TestARemovalThatARuleDerivesIsRefusedByTheRulesOfTheOtherEntity(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f = withRules(f, tagRule(func(tx rule.Effects, c *rule.Change) error {
			if c.After != nil {
				return nil
			}
			return tx.RemoveEntity(jo)
		}))
		f.MustAs(model.SystemActor, catalogtest.Proposal(jo, "corpUserInfo", `{"active":true,"system":true}`))
		f.Put(tagURN("cause"), "tagProperties", `{"name":"a"}`)
		f.Refuse(fault.Invalid, "System users can not be deleted", catalogtest.Proposal(tagURN("cause"), "tagProperties", "", model.Delete))
		f.WantValue(tagURN("cause"), "tagProperties", `{"name":"a"}`)
	})
}

func TestRulesRevoke(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		m := withSecrets(f)
		f = withRules(f, tagRule(func(tx rule.Effects, c *rule.Change) error {
			if err := tx.Revoke("no urn"); err != nil {
				return err
			}
			return tx.Revoke(token)
		}))
		f.Put(tagURN("cause"), "tagProperties", `{"name":"a"}`)
		f.WantValue(token, "dataHubAccessTokenInfo", "")
		if f.Record(token, "$tombstone") == nil {
			t.Error("no tombstone was left")
		}
		err := m.Write(f.As(jo), []catalog.Proposal{catalogtest.Proposal(token, "dataHubAccessTokenInfo", tokenValue)})
		catalogtest.WantFault(t, err, fault.Invalid, "revoked for good")
		last, _ := f.Store.Last()
		f.Put(tagURN("cause"), "tagProperties", `{"name":"b"}`)
		if found := entries(f, last); len(found) != 1 {
			t.Errorf("a token that is revoked already leads to %+v", found)
		}
	})
}

// Derived values are adjusted and normalized like other values, but not validated.
func TestDerivedValuesAreAdjustedAndNotValidated(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f = withRules(
			f, tagRule(func(tx rule.Effects, c *rule.Change) error {
				if c.URN != tagURN("cause") {
					return nil
				}
				return tx.Make(tagURN("other"), "tagProperties", tagValue("derived"))
			}),
			rule.Rule{
				Name: "adjusts", Aspects: []string{"tagProperties"},
				Adjust: func(_ rule.Tx, c *rule.Change) error {
					c.After = jsontree.With(c.After, model.Object{"description": fmt.Sprintf("derived %v", c.Derived)})
					return nil
				},
				Validate: func(_ rule.Tx, c *rule.Change) error {
					if c.URN == tagURN("other") {
						return fault.New(fault.Invalid, "tagProperties: /name :: is not for people")
					}
					return nil
				},
			},
		)
		f.Refuse(fault.Invalid, "not for people", catalogtest.Proposal(tagURN("other"), "tagProperties", `{"name":"derived"}`))
		f.Put(tagURN("cause"), "tagProperties", `{"name":"a"}`)
		f.WantValue(tagURN("cause"), "tagProperties", `{"name":"a","description":"derived false"}`)
		f.WantValue(tagURN("other"), "tagProperties", `{"name":"derived","description":"derived true"}`)
	})
}

// An adjustment that leaves no change is a no-op and derives nothing.
func TestAChangeThatIsAdjustedAwayDerivesNothing(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f = withRules(
			f, mirrorRule(),
			rule.Rule{Name: "keeps", Aspects: []string{"tagProperties"}, Adjust: func(_ rule.Tx, c *rule.Change) error {
				if c.Before != nil {
					return rule.ErrUnchanged
				}
				return nil
			}},
		)
		f.Put(tagURN("mirror"), "status", `{}`)
		f.Put(tagURN("cause"), "tagProperties", `{"name":"a"}`)
		if got := f.Put(tagURN("cause"), "tagProperties", `{"name":"b"}`); got.Outcome != catalog.NoOp || string(got.Record.Value) != `{"name":"a"}` {
			t.Errorf("outcome %d, %s", got.Outcome, got.Record.Value)
		}
		f.WantValue(tagURN("cause"), "tagProperties", `{"name":"a"}`)
		f.WantValue(tagURN("mirror"), "tagProperties", `{"name":"of a"}`)
	})
}

// Rules see the actor, the time and the aspects that the change is made with.
func TestRulesSeeActorTimeAndWhatTheBatchBrings(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		var saw []string
		f = withRules(f, rule.Rule{Name: "looks", Aspects: []string{"tagProperties"}, Validate: func(tx rule.Tx, c *rule.Change) error {
			who, system := tx.Actor()
			exists, err := tx.Exists(tagURN("b"))
			if err != nil {
				return err
			}
			removed, err := tx.Removed(c.URN)
			if err != nil {
				return err
			}
			creator, err := tx.Creator(c.URN)
			if err != nil {
				return err
			}
			unknown, err := tx.Creator("urn:li:cow:x")
			if err != nil {
				return err
			}
			saw = []string{
				string(who), fmt.Sprint(system, tx.Now(), exists, removed, tx.Brings(tagURN("b"), "status"), tx.Brings(tagURN("b"), "ownership")),
				string(creator), string(unknown), fmt.Sprint(tx.Registry() == f.Registry, tx.Context() != nil),
			}
			return nil
		}})
		f.MustAs(jo, catalogtest.Proposal(tagURN("a"), "status", `{"removed":true}`))
		f.Clock.Store(day + 9)
		f.Must(catalogtest.Proposal(tagURN("a"), "tagProperties", `{"name":"a"}`), catalogtest.Proposal(tagURN("b"), "status", `{}`))
		want := []string{string(root), fmt.Sprint(false, day+9, false, true, true, false), string(jo), "", "true true"}
		if !slices.Equal(saw, want) {
			t.Errorf("rules see %q\nwant %q", saw, want)
		}
		f.MustAs(model.SystemActor, catalogtest.Proposal(tagURN("a"), "tagProperties", `{"name":"b"}`))
		if want[0], want[1] = string(model.SystemActor), fmt.Sprint(true, day+9, true, true, false, false); !slices.Equal(saw, want) {
			t.Errorf("rules see %q\nwant %q", saw, want)
		}
	})
}
