package plan_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
)

func TestMutationsAnswerAsTheLibrary(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text     string
		called   []string
		failures []string
	}{
		"one":                             {`mutation { rename(to: "a") { name lives friends { name __typename } } }`, []string{"rename a"}, nil},
		"several in their order":          {`mutation { b: rename(to: "1") { name } feed a: rename(to: "2") { name } __typename }`, []string{"rename 1", "feed", "rename 2"}, nil},
		"in fragments":                    {`mutation { ...M feed } fragment M on Mutation { rename(to: "1") { name } }`, []string{"rename 1", "feed"}, nil},
		"one that is left out":            {`mutation { feed @skip(if: true) rename(to: "1") { name } }`, []string{"rename 1"}, nil},
		"all of them left out":            {`mutation { feed @skip(if: true) }`, nil, nil},
		"an error in between":             {`mutation { feed refuse(why: "no") rename(to: "1") { name } }`, []string{"feed", "refuse", "rename 1"}, []string{"[refuse] no"}},
		"a panic in between":              {`mutation { feed faint rename(to: "1") { name } }`, []string{"feed", "faint", "rename 1"}, []string{"[faint] panic"}},
		"nothing where something must be": {`mutation { lose { number } rename(to: "1") { name } }`, []string{"lose", "rename 1"}, []string{"[lose] no value"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			z := newZoo(t)
			d, variables := z.compile(t, c.text, ``)
			planned, byLibrary, failures, errors := z.answers(t, d, variables)
			if !sameJSON(t, planned, byLibrary) || !slices.Equal(failures, errors) || !slices.Equal(failures, c.failures) {
				t.Errorf(" by the plan %s %v\nthe library %s %v", planned, failures, byLibrary, errors)
			}
			if !slices.Equal(z.changes.called, c.called) {
				t.Errorf("called %v, want %v", z.changes.called, c.called)
			}
		})
	}
}

// A value that a plan cannot write fails its field, because the library would repeat all changes.
func TestMutationsAreNeverLeftOnceOneIsCalled(t *testing.T) {
	t.Parallel()
	z := newZoo(t)
	d, variables := z.compile(t, `mutation { feed strange { odd } rename(to: "1") { name } }`, ``)
	data, failures, ok := z.planner.New(d).Exec(t.Context(), variables)
	if want := `{"feed":null,"strange":{"odd":null},"rename":{"name":"1"}}`; !ok || string(data) != want {
		t.Errorf("%t %s, want %s", ok, data, want)
	}
	if got := fmt.Sprint(failures); got != "[{[strange odd] the function panicked}]" {
		t.Error(got)
	}
	if len(z.panicked) != 1 {
		t.Errorf("logged: %v", z.panicked)
	}
}

func TestNoMutationIsCalledWhenTheCallerHasLeft(t *testing.T) {
	t.Parallel()
	z := newZoo(t)
	d, variables := z.compile(t, `mutation { feed }`, ``)
	ctx, leave := context.WithCancel(t.Context())
	leave()
	if _, _, ok := z.planner.New(d).Exec(ctx, variables); ok || len(z.changes.called) > 0 {
		t.Errorf("answered %t, called %v", ok, z.changes.called)
	}
}

// The credential of a request can end while its mutations run one after the other.
func TestEachMutationIsPermittedToBegin(t *testing.T) {
	t.Parallel()
	z := newZoo(t)
	calls := 0
	z.begin = func() error {
		if calls++; calls == 2 {
			return errors.New("the token was revoked")
		}
		return nil
	}
	d, variables := z.compile(t, `mutation { feed a: feed b: rename(to: "2") { name } __typename }`, ``)
	data, failures, ok := z.planner.New(d).Exec(t.Context(), variables)
	if want := `{"feed":null,"a":null,"b":{"name":"2"},"__typename":"Mutation"}`; !ok || string(data) != want {
		t.Errorf("%t %s, want %s", ok, data, want)
	}
	if len(failures) != 1 || failures[0].Err.Error() != "the token was revoked" || calls != 3 {
		t.Errorf("%d calls, %v", calls, failures)
	}
	if want := []string{"feed", "rename 2"}; !slices.Equal(z.changes.called, want) {
		t.Errorf("called %v, want %v", z.changes.called, want)
	}
}
