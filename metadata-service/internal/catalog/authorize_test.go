package catalog_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// recorder records the checks of the authorizer and refuses URNs that contain a given word.
type recorder struct {
	mu     sync.Mutex
	asked  []string
	refuse string
	fail   error
}

// asking is an authorizer that uses the recorder.
func asking(r *recorder) authtest.Rule {
	return func(c auth.Check, on urn.URN) error {
		if len(c.AnyOf) > 0 {
			return r.answer(string(c.AnyOf[0]))
		}
		return r.answer(fmt.Sprintf("%s %s %s", c.Operation, on, c.Aspect))
	}
}

func (r *recorder) answer(question string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = append(r.asked, question)
	switch {
	case r.fail != nil:
		return r.fail
	case r.refuse != "" && strings.Contains(question, r.refuse):
		return fault.New(fault.Forbidden, "refused: %s", question)
	}
	return nil
}

func (r *recorder) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() { r.asked = nil }()
	return r.asked
}

func TestEveryCallIsAuthorized(t *testing.T) {
	t.Parallel()
	on, asked := catalogtest.InMemory(), &recorder{}
	on.Authorizer = asking(asked)
	f := catalogtest.New(t, on)
	const old, fresh urn.URN = "urn:li:tag:old", "urn:li:tag:new"
	const listed urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,listed,PROD)"
	f.MustAs(model.SystemActor, catalogtest.Proposal(old, "tagProperties", properties("a")))
	for _, profile := range []string{`{"timestampMillis":1}`, `{"timestampMillis":2}`} {
		f.MustAs(model.SystemActor, catalogtest.Proposal(listed, "datasetProfile", profile))
	}
	if got := asked.take(); got != nil {
		t.Errorf("the system was asked about: %v", got)
	}
	write := func(p ...catalog.Proposal) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := f.Write(ctx, p, catalog.WriteOptions{})
			return err
		}
	}
	generic := `{"forceGenericPatch":true,"patch":[{"op":"add","path":"/removed","value":false}]}`
	var from int64
	cases := []struct {
		name string
		call func(context.Context) error
		want []string
	}{
		{"upsert of what is there", write(catalogtest.Proposal(old, "status", `{}`)), []string{"UPDATE urn:li:tag:old status"}},
		{"upsert of what is absent", write(catalogtest.Proposal("urn:li:tag:1", "status", `{}`)), []string{"CREATE urn:li:tag:1 status"}},
		{"restated", write(catalogtest.Proposal("urn:li:tag:2", "status", `{}`, model.Restate)), []string{"CREATE urn:li:tag:2 status"}},
		{"a new entity", write(catalogtest.Proposal("urn:li:tag:3", "tagKey", `{}`, model.CreateEntity)), []string{"CREATE urn:li:tag:3 tagKey"}},
		{"a new aspect", write(catalogtest.Proposal("urn:li:tag:4", "status", `{}`, model.Create)), []string{"UPDATE urn:li:tag:4 status"}},
		{"a patch", write(catalogtest.Proposal("urn:li:tag:5", "STATUS", generic, model.Patch)), []string{"UPDATE urn:li:tag:5 status"}},
		{"a deletion", write(catalogtest.Proposal("urn:li:tag:5", "status", "", model.Delete)), []string{"DELETE urn:li:tag:5 status"}},
		{"each of a batch", write(catalogtest.Proposal(fresh, "status", `{}`), catalogtest.Proposal(fresh, "tagProperties", properties("a"))), []string{"CREATE urn:li:tag:new status", "CREATE urn:li:tag:new tagProperties"}},
		{"delete entity", func(ctx context.Context) error { _, err := f.DeleteEntity(ctx, fresh); return err }, []string{"DELETE urn:li:tag:new "}},
		{"delete aspects", func(ctx context.Context) error { _, err := f.DeleteAspects(ctx, old, "status"); return err }, []string{"DELETE urn:li:tag:old status"}},
		{"delete documents", func(ctx context.Context) error {
			_, err := f.DeleteTimeseries(ctx, dataset, "DATASETPROFILE", &from, nil)
			return err
		}, []string{"DELETE " + dataset + " datasetProfile"}},
		{"aspect", func(ctx context.Context) error {
			_, err := f.Aspect(ctx, old, "TAGPROPERTIES", 0, catalog.Concealed)
			return err
		}, []string{"READ urn:li:tag:old tagProperties"}},
		{"entities", func(ctx context.Context) error {
			_, err := f.Entities(ctx, []urn.URN{old, fresh}, catalog.EntityQuery{})
			return err
		}, []string{"READ urn:li:tag:old ", "READ urn:li:tag:new "}},
		{"exists", func(ctx context.Context) error { _, err := f.Exists(ctx, []urn.URN{old}, true); return err }, []string{"EXISTS urn:li:tag:old "}},
		{"documents", func(ctx context.Context) error {
			_, err := f.Timeseries(ctx, catalog.TimeseriesQuery{URN: dataset, EntityType: "dataset", Aspect: "operation"})
			return err
		}, []string{"GET_TIMESERIES_ASPECT_PRIVILEGE", "READ " + dataset + " operation"}},
		{"documents as a part of their entity", func(ctx context.Context) error {
			_, err := f.Timeseries(ctx, catalog.TimeseriesQuery{URN: dataset, EntityType: "dataset", Aspect: "operation", PartOfEntity: true})
			return err
		}, []string{"READ " + dataset + " operation"}},
		{"documents of a type", func(ctx context.Context) error {
			_, err := f.Timeseries(ctx, catalog.TimeseriesQuery{EntityType: "dataset", Aspect: "datasetProfile", Limit: 10})
			return err
		}, []string{"GET_TIMESERIES_ASPECT_PRIVILEGE", "READ urn:li:dataset: ", "GET_TIMESERIES_ASPECT_PRIVILEGE", "READ urn:li:dataset:(urn:li:dataPlatform:hive,listed,PROD) datasetProfile"}},
		{"documents of a type that are added up", func(ctx context.Context) error {
			_, err := f.Timeseries(ctx, catalog.TimeseriesQuery{EntityType: "dataset", Aspect: "datasetProfile", Limit: 10, Summed: true})
			return err
		}, []string{"GET_TIMESERIES_ASPECT_PRIVILEGE", "READ urn:li:dataset: "}},
		{"trace", func(ctx context.Context) error {
			_, err := f.Runs.Trace(ctx, "1", map[urn.URN][]string{old: nil})
			return err
		}, []string{"READ urn:li:tag:old "}},
		{"runs", func(ctx context.Context) error { _, err := f.Runs.List(ctx, 0, 1); return err }, []string{"READ  "}},
		{"a run", func(ctx context.Context) error { _, err := f.Runs.Describe(ctx, "r", 0, 1, true); return err }, []string{"READ  "}},
		{"rollback", func(ctx context.Context) error { _, err := f.Runs.Rollback(ctx, "r", rollbackHard); return err }, []string{"MANAGE_INGESTION"}},
		{"rollback of a registry", func(ctx context.Context) error {
			_, err := f.Runs.RollbackRegistry(ctx, "a:1", rollbackHard)
			return err
		}, []string{"MANAGE_SYSTEM_OPERATIONS"}},
		{"retention", func(ctx context.Context) error { _, err := f.ApplyRetention(ctx, old, ""); return err }, []string{"APPLY_RETENTION_PRIVILEGE"}},
		{"read-only mode", func(ctx context.Context) error { return f.SetWritable(ctx, true) }, []string{"SET_WRITEABLE_PRIVILEGE"}},
	}
	for _, c := range cases {
		if err := c.call(f.As(jo)); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := asked.take(); !slices.Equal(got, c.want) {
			t.Errorf("%s: asked %q, want %q", c.name, got, c.want)
		}
	}
	asked.fail = fault.New(fault.Forbidden, "no")
	for _, c := range cases {
		catalogtest.WantFault(t, c.call(f.As(jo)), fault.Forbidden, "no")
		catalogtest.WantFault(t, c.call(t.Context()), fault.Unauthenticated, "")
	}
	asked.fail = errors.New("the policies cannot be read")
	if err := cases[0].call(f.As(jo)); !errors.Is(err, asked.fail) {
		t.Errorf("a failure of the authorizer gives %v", err)
	}
}

func TestOneRefusedItemRefusesTheBatch(t *testing.T) {
	t.Parallel()
	on := catalogtest.InMemory()
	on.Authorizer = asking(&recorder{refuse: "forbidden"})
	f := catalogtest.New(t, on)
	f.RefuseAs(f.As(jo), fault.Forbidden, "refused: CREATE urn:li:tag:forbidden status",
		catalogtest.Proposal("urn:li:tag:a", "status", `{}`), catalogtest.Proposal("urn:li:tag:forbidden", "status", `{}`))
	if f.Record("urn:li:tag:a", "tagKey") != nil {
		t.Error("the allowed item is stored")
	}
}

// The decisions and values behind a refusal would take memory on behalf of an actor that may write
// nothing.
func TestABatchIsDecidedUpToItsFirstRefusal(t *testing.T) {
	t.Parallel()
	const proposals = 10_000
	on, asked := catalogtest.InMemory(), &recorder{refuse: "tag"}
	on.Authorizer = asking(asked)
	f := catalogtest.New(t, on)
	batch := make([]catalog.Proposal, proposals)
	for i := range batch {
		batch[i] = catalogtest.Proposal(urn.Make("tag", fmt.Sprint(i)), "status", `not JSON`)
	}
	f.RefuseAs(f.As(jo), fault.Forbidden, "further items were not examined", batch...)
	if n := len(asked.take()); n > proposals/10 {
		t.Errorf("%d decisions about a batch whose first item is refused", n)
	}
	asked.refuse = urn.Make("tag", fmt.Sprint(proposals-1)).Key() + " "
	f.RefuseAs(f.As(jo), fault.Forbidden, "urn:li:tag:9999", batch...)
	if n := len(asked.take()); n != proposals {
		t.Errorf("%d decisions about a batch whose last item is refused", n)
	}
}

func TestRollbackNeedsTheRightToDeleteWhatItTouches(t *testing.T) {
	t.Parallel()
	on, rule := catalogtest.InMemory(), &recorder{}
	on.Authorizer = asking(rule)
	f := catalogtest.New(t, on)
	const tag, policy urn.URN = "urn:li:tag:pii", "urn:li:dataHubPolicy:mine"
	f.Must(catalogtest.InRun("r", catalogtest.Proposal(tag, "tagProperties", properties("a"))), catalogtest.InRun("r", catalogtest.Proposal(tag, "status", `{}`)), catalogtest.InRun("r", catalogtest.Proposal(policy, "dataHubPolicyInfo",
		`{"displayName":"x","description":"","type":"PLATFORM","state":"ACTIVE","privileges":[],"actors":{"allUsers":false,"allGroups":false,"resourceOwners":false}}`)))
	rule.take()
	rule.refuse = "DELETE " + string(policy)
	for _, o := range []run.Options{{}, {DryRun: true}, {Hard: true}} {
		_, err := f.Runs.Rollback(f.As(jo), "r", o)
		catalogtest.WantFault(t, err, fault.Forbidden, "refused: DELETE "+string(policy))
		if f.Record(tag, "tagProperties") == nil {
			t.Fatal("a refused rollback took back a part")
		}
	}
	rule.take()
	rule.refuse = ""
	if _, err := f.Runs.Rollback(f.As(jo), "r", run.Options{}); err != nil {
		t.Fatal(err)
	}
	want := []string{"MANAGE_INGESTION"}
	for u, aspects := range map[urn.URN][]string{policy: {"", "dataHubPolicyInfo", "dataHubPolicyKey"}, tag: {"", "status", "tagKey", "tagProperties"}} {
		for _, aspect := range aspects {
			want = append(want, "DELETE "+string(u)+" "+aspect)
		}
	}
	slices.Sort(want[1:])
	if got := rule.take(); !reflect.DeepEqual(got, want) {
		t.Errorf("asked %q, want %q", got, want)
	}
	if f.Record(tag, "tagProperties") != nil {
		t.Error("the run is not taken back")
	}
}

// A listing of a series contains no document of an entity whose series the actor may not read,
// although the right over the type does not distinguish entities.
func TestAListingOfASeriesAsksForTheSeriesOfEachEntity(t *testing.T) {
	t.Parallel()
	const hidden, shown urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,hidden,PROD)", "urn:li:dataset:(urn:li:dataPlatform:hive,shown,PROD)"
	on := catalogtest.InMemory()
	on.Authorizer = authtest.Rule(func(c auth.Check, over urn.URN) error {
		if len(c.AnyOf) > 0 && over == hidden {
			return fault.New(fault.Forbidden, "the series of %s is not shown", over)
		}
		return nil
	})
	f := catalogtest.New(t, on)
	f.MustAs(model.SystemActor, catalogtest.Proposal(shown, "datasetProfile", `{"timestampMillis":1}`))
	f.MustAs(model.SystemActor, catalogtest.Proposal(hidden, "datasetProfile", `{"timestampMillis":2}`))
	q := catalog.TimeseriesQuery{EntityType: "dataset", Aspect: "datasetProfile", Limit: 10}
	if list, err := f.Timeseries(f.As(jo), q); !errors.Is(err, fault.Forbidden) || list != nil {
		t.Errorf("all are listed: %v (%v)", list, err)
	}
	to := int64(1)
	q.To = &to
	if list, err := f.Timeseries(f.As(jo), q); err != nil || len(list) != 1 || list[0].URN != shown {
		t.Errorf("a page that may be read: %v (%v)", list, err)
	}
	q.To, q.Summed = nil, true
	if list, err := f.Timeseries(f.As(jo), q); err != nil || len(list) != 2 {
		t.Errorf("what is added up: %v (%v)", list, err)
	}
	q.Summed = false
	if list, err := f.Timeseries(f.As(model.SystemActor), q); err != nil || len(list) != 2 {
		t.Errorf("for the system: %v (%v)", list, err)
	}
}

// A value can be crafted so that its check takes long, so checks must not run for actors that may
// not write the value.
func TestRulesSeeNothingOfARefusedBatch(t *testing.T) {
	t.Parallel()
	var seen []string
	note := func(step string) { seen = append(seen, step) }
	on := catalogtest.InMemory()
	on.Authorizer = asking(&recorder{refuse: "urn:li:tag:secret"})
	on.Rules = []rule.Rule{{
		Name: "recorded", Aspects: []string{"tagProperties"},
		CheckSent: func(rule.Sent) error { note("CheckSent"); return nil },
		Check:     func(context.Context, rule.Proposed) error { note("Check"); return nil },
		Normalize: func(value model.Object) model.Object { note("Normalize"); return value },
	}}
	f := catalogtest.New(t, on)
	const allowed, refused urn.URN = "urn:li:tag:public", "urn:li:tag:secret"
	patch := `{"forceGenericPatch":true,"patch":[{"op":"add","path":"/name","value":"a"}]}`
	for name, batch := range map[string][]catalog.Proposal{
		"a value":                            {catalogtest.Proposal(refused, "tagProperties", properties("a"))},
		"a value that is not of the model":   {catalogtest.Proposal(refused, "tagProperties", `{"name":[]}`)},
		"a patch":                            {catalogtest.Proposal(refused, "tagProperties", patch, model.Patch)},
		"text that is no patch":              {catalogtest.Proposal(refused, "tagProperties", `7`, model.Patch)},
		"a batch of which one is not theirs": {catalogtest.Proposal(allowed, "tagProperties", properties("a")), catalogtest.Proposal(refused, "status", `{}`)},
	} {
		_, err := f.Write(f.As(jo), batch, catalog.WriteOptions{})
		if fault.KindOf(err) != fault.Forbidden {
			t.Errorf("%s: got %v", name, err)
		}
		if len(seen) > 0 {
			t.Errorf("%s: rules were asked: %v", name, seen)
		}
		seen = nil
	}
	f.MustAs(jo, catalogtest.Proposal(allowed, "tagProperties", properties("a")))
	if want := []string{"CheckSent", "Check", "Normalize"}; !slices.Equal(seen, want) {
		t.Errorf("of what is allowed rules were asked %v, want %v", seen, want)
	}
}

// The checks of a large batch must end when the client stops waiting.
func TestChecksEndWithTheirRequest(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	checked := 0
	on := catalogtest.InMemory()
	on.Rules = []rule.Rule{{Name: "recorded", Aspects: []string{"tagProperties"}, Check: func(context.Context, rule.Proposed) error {
		checked++
		leave()
		return nil
	}}}
	f := catalogtest.New(t, on)
	batch := []catalog.Proposal{
		catalogtest.Proposal("urn:li:tag:a", "tagProperties", properties("a")), catalogtest.Proposal("urn:li:tag:b", "tagProperties", properties("b")),
	}
	_, err := f.Write(auth.WithActor(ctx, auth.Actor{URN: root}), batch, catalog.WriteOptions{})
	if !errors.Is(err, context.Canceled) || checked != 1 {
		t.Errorf("%d items were checked: %v", checked, err)
	}
	f.WantValue("urn:li:tag:a", "tagProperties", "")
}
