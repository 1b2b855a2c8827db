package proposal_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/proposal"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
)

const dataset = "urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders,PROD)"

func newReader(t *testing.T) proposal.Reader {
	t.Helper()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	book, err := rule.NewBook(registry, rule.All())
	if err != nil {
		t.Fatal(err)
	}
	return proposal.Reader{Registry: registry, Rules: book}
}

func read(t *testing.T, r proposal.Reader, p proposal.Proposal) proposal.Item {
	t.Helper()
	var it proposal.Item
	if err := errors.Join(r.Read(&it, &p, proposal.Writer{}), r.ReadValue(&it, &p), r.Check(t.Context(), &it)); err != nil {
		t.Fatal(err)
	}
	return it
}

func TestAnItemHasTheNamesOfTheModel(t *testing.T) {
	t.Parallel()
	r := newReader(t)
	it := read(t, r, proposal.Proposal{EntityType: "DATASET", URN: dataset, Aspect: "GLOBALTAGS", Value: []byte(`{"tags":[{"tag":"urn:li:tag:pii"}]}`)})
	if it.Entity.Name != "dataset" || it.Spec.Name != "globalTags" || it.Change != model.Upsert || string(it.Key().URN) != dataset || it.Key().Aspect != "globalTags" {
		t.Errorf("got %+v", it)
	}
	if string(it.Text) != `{"tags":[{"tag":"urn:li:tag:pii"}]}` {
		t.Errorf("the text is %s", it.Text)
	}
}

func TestAURNIsBuiltFromItsKey(t *testing.T) {
	t.Parallel()
	it := read(t, newReader(t), proposal.Proposal{
		EntityType: "dataset", Key: []byte(`{"platform":"urn:li:dataPlatform:hive","name":"sales.orders","origin":"PROD"}`), Aspect: "status", Value: []byte(`{"removed":false}`),
	})
	if string(it.URN) != dataset {
		t.Errorf("got %s", it.URN)
	}
}

func TestOtherWordsForAnUpsertAreOne(t *testing.T) {
	t.Parallel()
	r := newReader(t)
	for _, change := range []model.ChangeType{"", model.Upsert, model.Update, model.Restate} {
		if it := read(t, r, proposal.Proposal{URN: dataset, Change: change, Aspect: "status", Value: []byte(`{}`)}); it.Change != model.Upsert {
			t.Errorf("%q became %q", change, it.Change)
		}
	}
}

func TestADeletionWithoutAspectIsThatOfTheEntity(t *testing.T) {
	t.Parallel()
	if it := read(t, newReader(t), proposal.Proposal{URN: dataset, Change: model.Delete}); !it.Spec.IsKey || it.Value != nil || it.Text != nil {
		t.Errorf("got %+v", it)
	}
}

func TestAManagedAspectTakesItsOwner(t *testing.T) {
	t.Parallel()
	r := newReader(t)
	p := proposal.Proposal{URN: "urn:li:corpuser:ada", Aspect: "corpUserCredentials", Value: []byte(`{"salt":"a","hashedPassword":"b"}`)}
	for _, c := range []struct {
		name    string
		by      proposal.Writer
		refused bool
	}{
		{"anybody", proposal.Writer{}, true},
		{"the owner of another aspect", proposal.Writer{Managed: true, Owns: []string{"inviteToken"}}, true},
		{"its owner", proposal.Writer{Managed: true, Owns: []string{"corpUserCredentials"}}, false},
	} {
		var it proposal.Item
		if err := r.Read(&it, &p, c.by); errors.Is(err, fault.Forbidden) != c.refused {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestARestatementHasNoConditions(t *testing.T) {
	t.Parallel()
	r := newReader(t)
	p := proposal.Proposal{URN: dataset, Aspect: "status", Value: []byte(`{}`), Conditions: proposal.AtVersion(7)}
	conditional := read(t, r, p)
	if err := conditional.Conditions.Check(nil); !errors.Is(err, fault.Precondition) {
		t.Errorf("version 7 of an absent aspect: %v", err)
	}
	p.Change = model.Restate
	restated := read(t, r, p)
	if err := restated.Conditions.Check(nil); err != nil {
		t.Errorf("a restatement: %v", err)
	}
}

func TestConditionsCompareWithTheStoredRecord(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	old := &model.Record{CreatedOn: at.UnixMilli(), System: model.SystemMetadata{Version: "3"}}
	before, exactly, almost := at.Add(-time.Second), at, at.Add(-time.Millisecond)
	for name, c := range map[string]struct {
		conditions     proposal.Conditions
		stored, absent bool // whether the conditions hold
	}{
		"none":                         {proposal.Conditions{}, true, true},
		"version 3":                    {proposal.AtVersion(3), true, false},
		"version 4":                    {proposal.AtVersion(4), false, false},
		"absent":                       {proposal.AtVersion(proposal.Absent), false, true},
		"modified since before":        {proposal.Conditions{ModifiedSince: &before}, true, false},
		"modified since the same":      {proposal.Conditions{ModifiedSince: &exactly}, false, false},
		"unmodified since the same":    {proposal.Conditions{UnmodifiedSince: &exactly}, true, true},
		"unmodified since just before": {proposal.Conditions{UnmodifiedSince: &almost}, false, true},
	} {
		if err := c.conditions.Check(old); (err == nil) != c.stored || err != nil && !errors.Is(err, fault.Precondition) {
			t.Errorf("%s, stored: %v", name, err)
		}
		if err := c.conditions.Check(nil); (err == nil) != c.absent || err != nil && !errors.Is(err, fault.Precondition) {
			t.Errorf("%s, absent: %v", name, err)
		}
	}
}

func TestTheSameIsAskedOnlyWhenAllIsTheSame(t *testing.T) {
	t.Parallel()
	r := newReader(t)
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	base := func() proposal.Proposal {
		since := at
		return proposal.Proposal{
			URN: dataset, Aspect: "status", Value: []byte(`{"removed":true}`), Conditions: proposal.Conditions{UnmodifiedSince: &since},
			System: model.SystemMetadata{RunID: "run", LastObserved: 5, PipelineName: "p", Properties: map[string]string{"a": "b"}},
		}
	}
	one := read(t, r, base())
	again := read(t, r, base())
	if !one.Same(&again) {
		t.Error("the same proposal read twice is not the same")
	}
	for name, change := range map[string]func(*proposal.Proposal){
		"value":      func(p *proposal.Proposal) { p.Value = []byte(`{"removed":false}`) },
		"change":     func(p *proposal.Proposal) { p.Change = model.Create },
		"conditions": func(p *proposal.Proposal) { p.Conditions = proposal.Conditions{} },
		"version":    func(p *proposal.Proposal) { p.Conditions.Version = proposal.AtVersion(1).Version },
		"instant":    func(p *proposal.Proposal) { *p.Conditions.UnmodifiedSince = at.Add(time.Second) },
		"run":        func(p *proposal.Proposal) { p.System.RunID = "other" },
		"time":       func(p *proposal.Proposal) { p.System.LastObserved = 6 },
		"pipeline":   func(p *proposal.Proposal) { p.System.PipelineName = "" },
		"properties": func(p *proposal.Proposal) { p.System.Properties = map[string]string{"a": "c"} },
	} {
		p := base()
		change(&p)
		other := read(t, r, p)
		if one.Same(&other) || other.Same(&one) {
			t.Errorf("another %s counts as the same", name)
		}
	}
}

func batchOf(kinds ...fault.Kind) *proposal.WriteError {
	e := &proposal.WriteError{}
	for i, kind := range kinds {
		e.Items = append(e.Items, proposal.ItemError{Index: i, URN: fmt.Sprintf("urn:li:tag:%d", i), Aspect: "status", Err: fault.New(kind, "reason %d", i)})
	}
	return e
}

func TestABatchFailsWithTheGravestKindOfItsItems(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		items []fault.Kind
		want  fault.Kind
	}{
		"none":                              {nil, fault.Invalid},
		"one invalid":                       {[]fault.Kind{fault.Invalid}, fault.Invalid},
		"malformed before invalid":          {[]fault.Kind{fault.Invalid, fault.Malformed}, fault.Malformed},
		"conflict before invalid":           {[]fault.Kind{fault.Conflict, fault.Invalid}, fault.Conflict},
		"precondition before malformed":     {[]fault.Kind{fault.Malformed, fault.Precondition}, fault.Precondition},
		"precondition before conflict":      {[]fault.Kind{fault.Precondition, fault.Conflict}, fault.Precondition},
		"forbidden before precondition":     {[]fault.Kind{fault.Precondition, fault.Forbidden, fault.Malformed}, fault.Forbidden},
		"of equals the first":               {[]fault.Kind{fault.Conflict, fault.Malformed}, fault.Conflict},
		"nobody known as grave as refused":  {[]fault.Kind{fault.Precondition, fault.Unauthenticated}, fault.Unauthenticated},
		"what is not ranked counts nothing": {[]fault.Kind{fault.TooLarge, fault.Unsupported}, fault.Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var err error = fmt.Errorf("write: %w", batchOf(c.items...))
			if got := fault.KindOf(err); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestTheMessageOfABatchNamesItsFirstItems(t *testing.T) {
	t.Parallel()
	kinds := make([]fault.Kind, 25)
	for i := range kinds {
		kinds[i] = fault.Invalid
	}
	for n, more := range map[int]string{1: "", 20: "", 21: "and 1 more", 25: "and 5 more"} {
		text := batchOf(kinds[:n]...).Error()
		if named := strings.Count(text, "EntityAspect:("); named != min(n, 20) {
			t.Errorf("of %d items %d are named", n, named)
		}
		if more == "" && strings.Contains(text, " more") || !strings.Contains(text, more) {
			t.Errorf("of %d items: %s", n, text)
		}
		if !strings.Contains(text, "EntityAspect:(urn:li:tag:0,status) Exceptions: [reason 0]") {
			t.Errorf("the first item is told as %s", text)
		}
	}
}

// A client that requested an asynchronous write might assume that the other items are kept.
func TestTheMessageOfAnAsynchronousBatchSaysThatNothingIsKept(t *testing.T) {
	t.Parallel()
	e := batchOf(fault.Invalid)
	if strings.Contains(e.Error(), "asynchronous") {
		t.Error(e)
	}
	e.Async = true
	if text := fault.Message(e); !strings.HasSuffix(text, "asynchronous batches are all or nothing, too") {
		t.Error(text)
	}
}

// A cause that reveals locations inside the service must not reach clients.
func TestTheMessageOfAnItemDoesNotTellInternals(t *testing.T) {
	t.Parallel()
	item := proposal.ItemError{Index: 3, URN: "urn:li:tag:a", Aspect: "status", Err: errors.New("open /var/lib/catalog.db: denied")}
	e := &proposal.WriteError{Items: []proposal.ItemError{item}}
	for _, text := range []string{e.Error(), item.Error()} {
		if strings.Contains(text, "/var/lib") {
			t.Error(text)
		}
	}
	if text := item.Error(); !strings.HasPrefix(text, "item 3 (urn:li:tag:a, status): ") {
		t.Error(text)
	}
}
