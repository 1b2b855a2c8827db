package edit_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestTheActorIsWhoIsSignedIn(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	if who, err := edit.Actor(w.As(t, servicetest.Jo)); err != nil || who != servicetest.Jo {
		t.Errorf("got %s, %v", who, err)
	}
	if _, err := edit.Actor(t.Context()); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("nobody: %v", err)
	}
	if _, err := w.Edit.RequireOwn(t.Context(), servicetest.Jo); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("a decision made somebody of nobody: %v", err)
	}
}

func TestMustExistNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	w.Put(t, pii, "tagProperties", `{"name":"PII"}`)
	w.Put(t, "urn:li:tag:gone", "status", `{"removed":true}`)
	ctx := w.As(t, servicetest.Jo)
	if err := w.Edit.MustExist(ctx, "Tag"); err != nil {
		t.Errorf("nothing is asked for: %v", err)
	}
	if err := w.Edit.MustExist(ctx, "Tag", pii, "urn:li:tag:gone"); err != nil {
		t.Errorf("what is there, softly deleted or not: %v", err)
	}
	err := w.Edit.MustExist(ctx, "Tag", pii, "urn:li:tag:never")
	if fault.KindOf(err) != fault.Malformed || !strings.Contains(err.Error(), "Tag does not exist: urn:li:tag:never") {
		t.Errorf("got %v", err)
	}
	err = w.Edit.MustExist(ctx, "Tag", "urn:li:tag:never", pii, "urn:li:tag:nowhere", "urn:li:tag:never")
	if fault.KindOf(err) != fault.Malformed || !strings.Contains(err.Error(), "Tag: 2 do not exist: urn:li:tag:never, urn:li:tag:nowhere") {
		t.Errorf("of several, got %v", err)
	}
}

func TestParseAllHasALimitAndAnOrder(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	got, err := w.Edit.ParseAll("tagUrns", []string{"urn:li:tag:b", "urn:li:tag:a"}, "tag")
	if err != nil || !slices.Equal(got, []urn.URN{"urn:li:tag:b", "urn:li:tag:a"}) {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := w.Edit.ParseAll("tagUrns", []string{"urn:li:tag:b", "x"}, "tag"); fault.KindOf(err) != fault.Malformed || !strings.Contains(err.Error(), "tagUrns: ") {
		t.Errorf("one of them is none: %v", err)
	}
	if _, err := w.Edit.ParseAll("tagUrns", make([]string, edit.MaxTargets+1)); fault.KindOf(err) != fault.TooLarge {
		t.Errorf("too many: %v", err)
	}
}

func TestDeleteTakesReferencesAlong(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	w.Put(t, pii, "tagProperties", `{"name":"PII"}`)
	w.Put(t, table, "globalTags", `{"tags":[{"tag":"`+string(pii)+`"},{"tag":"urn:li:tag:other"}]}`)
	if err := w.Edit.Delete(w.As(t, servicetest.Jo), nil, pii); !errors.Is(err, fault.Forbidden) {
		t.Errorf("an ordinary user: %v", err)
	}
	if err := w.Edit.Delete(w.As(t, servicetest.Root), nil, pii); err != nil {
		t.Fatal(err)
	}
	if there, err := w.Edit.Exists(w.As(t, servicetest.Jo), pii); err != nil || there {
		t.Errorf("the tag is there: %t, %v", there, err)
	}
	if got := w.Get(t, table, "globalTags"); strings.Contains(got, string(pii)) || !strings.Contains(got, "other") {
		t.Errorf("the table wears %s", got)
	}
}

func TestWriteCarriesOutProposalsAsTheyAre(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	ctx := w.As(t, servicetest.Jo)
	if err := w.Edit.Write(ctx, nil); err != nil {
		t.Errorf("of none: %v", err)
	}
	named := func(u urn.URN, text string) catalog.Proposal {
		return catalog.Proposal{URN: string(u), Aspect: "tagProperties", Value: json.RawMessage(text)}
	}
	if err := w.Edit.Write(ctx, nil, named(pii, `{"name":"PII"}`)); err != nil || !strings.Contains(w.Get(t, pii, "tagProperties"), "PII") {
		t.Errorf("got %s, %v", w.Get(t, pii, "tagProperties"), err)
	}
	err := w.Edit.Write(ctx, nil, named("urn:li:tag:a", `{"name":"A"}`), named("urn:li:tag:b", `{"name":1.5,"x":[}`))
	if err == nil || w.Get(t, "urn:li:tag:a", "tagProperties") != "" {
		t.Errorf("one of two is broken: %v, and of the other is kept %q", err, w.Get(t, "urn:li:tag:a", "tagProperties"))
	}
}
