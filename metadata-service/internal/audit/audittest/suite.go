// Package audittest is the conformance suite for drivers of the audit log.
package audittest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Run runs all cases on a driver. open returns an empty store; Run closes it.
func Run(t *testing.T, open func(t *testing.T) audit.Store) {
	t.Helper()
	for _, c := range []struct {
		name string
		run  func(*fixture)
	}{
		{"an event is given back as it came", eventsComeBack},
		{"the newest come first, then by type, actor and number", order},
		{"pages follow each other without gap or double", pages},
		{"what comes again is one event", again},
		{"queries agree with a naive filter", queries},
		{"counting stops at most", counts},
		{"old events go", ages},
		{"each class has a share of the room", shares},
		{"a negative time is refused", negative},
		{"writers do not lose each other's events", writers},
		{"a context that has ended is told", canceled},
		{"a closed store says so", closed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			t.Cleanup(func() {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
			c.run(&fixture{T: t, store: s})
		})
	}
}

type fixture struct {
	*testing.T
	store audit.Store
}

func (f *fixture) append(events ...audit.Event) {
	f.Helper()
	if err := f.store.Append(f.Context(), events); err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) find(q audit.Query) []audit.Event {
	f.Helper()
	found, err := f.store.Find(f.Context(), q)
	if err != nil {
		f.Fatal(err)
	}
	return found
}

func (f *fixture) same(what string, got, want any) {
	f.Helper()
	if !reflect.DeepEqual(got, want) {
		f.Errorf("%s: got %+v\nwant %+v", what, got, want)
	}
}

func eventsComeBack(f *fixture) {
	e := audit.Event{
		Type: audit.UpdatePolicy, Time: 1754000000123, Actor: "urn:li:corpuser:jo", Number: 7, Entity: "urn:li:dataHubPolicy:7", Aspect: "dataHubPolicyInfo",
		Address: "2001:db8::1", Agent: "curl/8 \x00\xff ü", Source: "OPENAPI", Request: "r", Trace: "t", Token: "a+/=", Run: "run", Origin: "tests",
		LoginSource: "passwordLogin", Denial: "SUSPENDED", Reason: strings.Repeat("x", audit.MaxTextBytes), Operation: "POST /x", Privileges: "A,B", Count: 12,
	}
	bare := audit.Event{Type: audit.LogOut, Time: 5}
	f.append(e, bare)
	f.append()
	f.same("events", f.find(audit.Query{}), []audit.Event{e, bare})
}

func order(f *fixture) {
	var want []audit.Event
	for _, at := range []int64{30, 20, 10, 0} {
		for _, kind := range []audit.Type{audit.FailedLogIn, audit.LogIn, audit.LogOut, audit.UpdateAspect} {
			for _, actor := range []urn.URN{"", "urn:li:corpuser:a", "urn:li:corpuser:ab", "urn:li:corpuser:b"} {
				for _, number := range []uint64{0, 1, 1 << 60} {
					want = append(want, audit.Event{Type: kind, Time: at, Actor: actor, Number: number})
				}
			}
		}
	}
	mixed := slices.Clone(want)
	rand.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	f.append(mixed...)
	f.same("order", f.find(audit.Query{}), want)
}

func pages(f *fixture) {
	all := mixture(500)
	f.append(all...)
	var got []audit.Event
	q := audit.Query{Limit: 7}
	for {
		page := f.find(q)
		got = append(got, page...)
		if len(page) < q.Limit {
			break
		}
		place := page[len(page)-1].Place()
		q.After = &place
	}
	f.same("pages", got, sorted(all))
	f.same("behind the end", len(f.find(audit.Query{After: &audit.Place{Time: -1}})), 0)
}

func again(f *fixture) {
	e := audit.Event{Type: audit.UpdateAspect, Time: 5, Actor: "urn:li:corpuser:jo", Number: 9, Entity: "urn:li:tag:a"}
	f.append(e)
	f.append(e, audit.Event{Type: audit.LogIn, Time: 6})
	f.same("events", len(f.find(audit.Query{})), 2)
	sizes, err := f.store.Sizes(f.Context())
	if err != nil || sizes[audit.Writes].Events != 1 || sizes[audit.Administration].Events != 1 || sizes[audit.Writes].Bytes <= 0 {
		f.Errorf("sizes: %+v, %v", sizes, err)
	}
}

// mixture returns events of all types, each with a different place.
func mixture(n int) []audit.Event {
	random := rand.New(rand.NewPCG(1, 2))
	types := audit.Types()
	events := make([]audit.Event, n)
	for i := range events {
		events[i] = audit.Event{
			Type: types[random.IntN(len(types))], Time: random.Int64N(40), Actor: urn.URN(fmt.Sprintf("urn:li:corpuser:%d", random.IntN(4))), Number: uint64(i),
			Aspect: []string{"status", "ownership", ""}[random.IntN(3)], Reason: strings.Repeat("r", random.IntN(30)),
		}
		if random.IntN(4) > 0 {
			events[i].Entity = urn.URN([]string{"urn:li:tag:a", "urn:li:tag:b", "urn:li:corpuser:jo"}[random.IntN(3)])
		}
	}
	return events
}

func sorted(events []audit.Event) []audit.Event {
	events = slices.Clone(events)
	slices.SortFunc(events, func(a, b audit.Event) int { return a.Place().Compare(b.Place()) })
	return events
}

func queries(f *fixture) {
	all := sorted(mixture(600))
	f.append(all...)
	for i, q := range []audit.Query{
		{From: 10}, {To: 10}, {From: 10, To: 20}, {From: 20, To: 10},
		{Types: []audit.Type{audit.LogIn}}, {Types: []audit.Type{audit.FailedLogIn, audit.UpdateAspect}, From: 5}, {Types: []audit.Type{"unknown"}},
		{Actors: []urn.URN{"urn:li:corpuser:1", "urn:li:corpuser:3"}}, {Entities: []urn.URN{"urn:li:tag:a"}}, {Aspects: []string{"status"}},
		{EntityTypes: []string{"tag"}}, {EntityTypes: []string{"Tag"}}, {EntityTypes: []string{"tag"}, Actors: []urn.URN{"urn:li:corpuser:1"}, To: 30},
		{WrittenAspects: []string{}}, {WrittenAspects: []string{"status"}}, {Limit: 3, From: 2},
	} {
		var want []audit.Event
		for _, e := range all {
			if q.Selects(&e) {
				want = append(want, e)
			}
		}
		n, err := f.store.Count(f.Context(), q, 10_000)
		if err != nil || n != len(want) {
			f.Errorf("query %d counts %d, %v, want %d", i, n, err, len(want))
		}
		if q.Limit > 0 {
			want = want[:min(q.Limit, len(want))]
		}
		if got := f.find(q); len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			f.Errorf("query %d finds %d events, want %d", i, len(got), len(want))
		}
	}
}

func counts(f *fixture) {
	f.append(mixture(100)...)
	for most, want := range map[int]int{10: 10, 1000: 100} {
		if n, err := f.store.Count(f.Context(), audit.Query{After: &audit.Place{}}, most); err != nil || n != want {
			f.Errorf("at most %d: got %d, %v", most, n, err)
		}
	}
}

func ages(f *fixture) {
	all := mixture(300)
	f.append(all...)
	old := 0
	for _, e := range all {
		if e.Time < 20 {
			old++
		}
	}
	if n, err := f.store.Trim(f.Context(), audit.Limits{}); n != 0 || err != nil {
		f.Errorf("without limits: %d, %v", n, err)
	}
	n, err := f.store.Trim(f.Context(), audit.Limits{Before: 20})
	if n != old || err != nil {
		f.Errorf("got %d, %v, want %d", n, err, old)
	}
	f.same("older ones", len(f.find(audit.Query{To: 20})), 0)
	f.same("younger ones", len(f.find(audit.Query{})), len(all)-old)
}

func shares(f *fixture) {
	var events []audit.Event
	for i := range 3000 {
		kind := audit.UpdateAspect
		switch {
		case i%100 == 0:
			kind = audit.UpdatePolicy
		case i%2 == 0:
			kind = audit.RefusedAction
		}
		events = append(events, audit.Event{Type: kind, Time: int64(i), Number: uint64(i), Entity: "urn:li:tag:a"})
	}
	f.append(events...)
	limits := audit.Limits{MaxBytes: 40_000}
	if _, err := f.store.Trim(f.Context(), limits); err != nil {
		f.Fatal(err)
	}
	sizes, err := f.store.Sizes(f.Context())
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range audit.Classes() {
		if sizes[c].Bytes > limits.Share(c) || sizes[c].Events == 0 {
			f.Errorf("%s: %+v, its share is %d", c, sizes[c], limits.Share(c))
		}
	}
	f.same("policies", len(f.find(audit.Query{Types: []audit.Type{audit.UpdatePolicy}})), 30)
	newest := f.find(audit.Query{Types: []audit.Type{audit.RefusedAction}, Limit: 1})
	f.same("the newest refusal", newest[0].Time, int64(2998))
}

func negative(f *fixture) {
	for _, q := range []audit.Query{{From: -1}, {To: -1}} {
		_, err := f.store.Find(f.Context(), q)
		_, counted := f.store.Count(f.Context(), q, 1)
		if !errors.Is(err, fault.Malformed) || !errors.Is(counted, fault.Malformed) {
			f.Errorf("got %v, %v", err, counted)
		}
	}
}

func writers(f *fixture) {
	const each, together = 20, 8
	var work sync.WaitGroup
	for w := range together {
		work.Go(func() {
			for i := range each {
				f.append(audit.Event{Type: audit.LogIn, Time: int64(i), Number: uint64(w)})
			}
		})
	}
	work.Wait()
	f.same("events", len(f.find(audit.Query{})), each*together)
}

func canceled(f *fixture) {
	ctx, cancel := context.WithCancel(f.Context())
	cancel()
	_, found := f.store.Find(ctx, audit.Query{})
	_, trimmed := f.store.Trim(ctx, audit.Limits{Before: 1})
	for _, err := range []error{f.store.Append(ctx, []audit.Event{{Type: audit.LogIn}}), found, trimmed} {
		if !errors.Is(err, context.Canceled) {
			f.Errorf("got %v", err)
		}
	}
}

func closed(f *fixture) {
	if err := f.store.Close(); err != nil {
		f.Fatal(err)
	}
	_, found := f.store.Find(f.Context(), audit.Query{})
	_, counted := f.store.Count(f.Context(), audit.Query{}, 1)
	_, trimmed := f.store.Trim(f.Context(), audit.Limits{})
	for _, err := range []error{f.store.Append(f.Context(), []audit.Event{{Type: audit.LogIn}}), found, counted, trimmed} {
		if !errors.Is(err, fault.Unavailable) {
			f.Errorf("got %v", err)
		}
	}
}
