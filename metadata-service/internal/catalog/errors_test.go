package catalog_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
)

func batchOf(kinds ...fault.Kind) *catalog.WriteError {
	e := &catalog.WriteError{}
	for i, kind := range kinds {
		e.Items = append(e.Items, catalog.ItemError{Index: i, URN: fmt.Sprintf("urn:li:tag:%d", i), Aspect: "status", Err: fault.New(kind, "reason %d", i)})
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

// Whoever asked for asynchronous writing might take it that the rest is kept.
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

// A cause that says where things are in the service is not for callers.
func TestTheMessageOfAnItemDoesNotTellInternals(t *testing.T) {
	t.Parallel()
	item := catalog.ItemError{Index: 3, URN: "urn:li:tag:a", Aspect: "status", Err: errors.New("open /var/lib/catalog.db: denied")}
	e := &catalog.WriteError{Items: []catalog.ItemError{item}}
	for _, text := range []string{e.Error(), item.Error()} {
		if strings.Contains(text, "/var/lib") {
			t.Error(text)
		}
	}
	if text := item.Error(); !strings.HasPrefix(text, "item 3 (urn:li:tag:a, status): ") {
		t.Error(text)
	}
}

func TestErrorsOfABatchLeadToTheirCauses(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	_, err := f.Write(f.As(root), []catalog.Proposal{
		catalogtest.Proposal(dataset, "status", `{}`),
		catalogtest.Proposal("urn:li:nothing:x", "status", `{}`),
		catalogtest.Proposal(dataset, "status", `{"removed":"perhaps"}`),
	}, catalog.WriteOptions{})
	var batch *catalog.WriteError
	if !errors.As(err, &batch) || len(batch.Items) != 2 || batch.Items[0].Index != 1 || batch.Items[1].Index != 2 {
		t.Fatalf("got %v", err)
	}
	for i, item := range batch.Items {
		if !errors.Is(err, item.Err) {
			t.Errorf("item %d is not found in the error", i)
		}
	}
	f.WantValue(dataset, "status", "")
}

// A conflict is one of a proposal: the batch names it, and writes nothing.
func TestAConflictIsToldWithItsProposal(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put("urn:li:domain:a", "domainProperties", `{"name":"Sales"}`)
		_, err := f.Write(f.As(root), []catalog.Proposal{
			catalogtest.Proposal(dataset, "status", `{}`), catalogtest.Proposal("urn:li:domain:b", "domainProperties", `{"name":"Sales"}`),
		}, catalog.WriteOptions{Async: true})
		catalogtest.WantFault(t, err, fault.Conflict, `"Sales" already exists`)
		var batch *catalog.WriteError
		if !errors.As(err, &batch) || len(batch.Items) != 1 || batch.Items[0].Index != 1 || batch.Items[0].URN != "urn:li:domain:b" || !batch.Async {
			t.Errorf("got %+v", batch)
		}
		f.WantValue(dataset, "status", "")
		f.MustAs(model.SystemActor, catalogtest.Proposal(dataset, "status", `{}`))
	})
}
