package edit_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	table urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)"
	pii   urn.URN = "urn:li:tag:pii"
)

// wear returns the change that adds a tag.
func wear(u urn.URN, tag string) edit.Change {
	return edit.Change{URN: u, Aspect: "globalTags", Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			value = jsontree.Object{}
		}
		list, _ := value["tags"].([]any)
		value["tags"] = append(list, jsontree.Object{"tag": tag})
		return value, nil
	}}
}

func TestApplyLosesNothingWhenManyWrite(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	ctx := w.As(t, servicetest.Jo)
	const writers = 100
	var group sync.WaitGroup
	for i := range writers {
		group.Go(func() {
			if _, err := w.Edit.Apply(ctx, nil, wear(table, fmt.Sprintf("urn:li:tag:t%d", i))); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	stored := w.Get(t, table, "globalTags")
	for i := range writers {
		if !strings.Contains(stored, fmt.Sprintf(`"urn:li:tag:t%d"`, i)) {
			t.Errorf("the tag of writer %d is lost: %s", i, stored)
		}
	}
}

func TestApplyWritesAllChangesOrNone(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	ctx := w.As(t, servicetest.Jo)
	errNo := errors.New("no")
	for _, c := range []struct {
		name string
		bad  edit.Change
		kind fault.Kind
	}{
		{"a change that fails", edit.Change{URN: table, Aspect: "status", Apply: func(jsontree.Object) (jsontree.Object, error) { return nil, errNo }}, fault.Internal},
		{"a value that breaks the model", edit.Set(table, "status", jsontree.Object{"removed": "perhaps"}), fault.Invalid},
		{"an aspect that the entity has not", edit.Set(pii, "schemaMetadata", jsontree.Object{}), fault.Invalid},
	} {
		if _, err := w.Edit.Apply(ctx, nil, wear(table, "urn:li:tag:a"), c.bad); fault.KindOf(err) != c.kind {
			t.Errorf("%s: got %v, want %s", c.name, err, c.kind)
		}
		if got := w.Get(t, table, "globalTags"); got != "" {
			t.Errorf("%s: the other change was written: %s", c.name, got)
		}
	}
}

func TestApplyTakesChangesOfOneAspectInOrder(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	wrote, err := w.Edit.Apply(w.As(t, servicetest.Jo), nil, wear(table, "urn:li:tag:b"), wear(table, "urn:li:tag:a"))
	if err != nil || !wrote {
		t.Fatalf("got %t, %v", wrote, err)
	}
	if got, want := w.Get(t, table, "globalTags"), `{"tags":[{"tag":"urn:li:tag:b"},{"tag":"urn:li:tag:a"}]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestApplyWritesNothingWithoutAChange(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	same := edit.Change{URN: table, Aspect: "globalTags", Apply: func(jsontree.Object) (jsontree.Object, error) { return nil, nil }}
	for _, changes := range [][]edit.Change{nil, {same}} {
		if wrote, err := w.Edit.Apply(w.As(t, servicetest.Jo), nil, changes...); err != nil || wrote {
			t.Errorf("got %t, %v", wrote, err)
		}
	}
	if there, err := w.Edit.Exists(w.As(t, servicetest.Jo), table); err != nil || there {
		t.Errorf("the entity exists: %t, %v", there, err)
	}
}

func TestApplyGivesUpWhenOthersNeverStop(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	tries := 0
	_, err := w.Edit.Apply(w.As(t, servicetest.Jo), nil, edit.Change{URN: pii, Aspect: "tagProperties", Apply: func(jsontree.Object) (jsontree.Object, error) {
		tries++
		w.Put(t, pii, "tagProperties", fmt.Sprintf(`{"name":"%d"}`, tries))
		return jsontree.Object{"name": "mine"}, nil
	}})
	if fault.KindOf(err) != fault.Unavailable || tries < 2 {
		t.Errorf("got %v after %d tries", err, tries)
	}
}

func TestApplyStopsWhenTheCallerLeaves(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	ctx, leave := context.WithCancel(w.As(t, servicetest.Jo))
	tries := 0
	_, err := w.Edit.Apply(ctx, nil, edit.Change{URN: pii, Aspect: "tagProperties", Apply: func(jsontree.Object) (jsontree.Object, error) {
		if tries++; tries == 1 {
			w.Put(t, pii, "tagProperties", `{"name":"theirs"}`)
			return jsontree.Object{"name": "mine"}, nil
		}
		leave()
		w.Put(t, pii, "tagProperties", fmt.Sprintf(`{"name":"%d"}`, tries))
		return jsontree.Object{"name": "mine"}, nil
	}})
	if err == nil || tries > 2 {
		t.Errorf("got %v after %d tries", err, tries)
	}
}

func TestErrorsSpeakOfOneAspect(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	_, err := w.Edit.Apply(w.As(t, servicetest.Jo), nil, edit.Set(table, "status", jsontree.Object{}), edit.Set("urn:li:dataHubPolicy:p", "dataHubPolicyInfo", jsontree.Object{}))
	if fault.KindOf(err) == fault.Internal || strings.Contains(fault.Message(err), "MCP") {
		t.Errorf("got %q", fault.Message(err))
	}
}

func TestNewURN(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	w.Put(t, pii, "tagProperties", `{"name":"PII"}`)
	ctx := w.As(t, servicetest.Jo)
	for _, c := range []struct {
		name, id string
		want     urn.URN
		message  string
	}{
		{"an id that is free", "gold", "urn:li:tag:gold", ""},
		{"an id that is taken", "pii", "", "This Tag already exists!"},
		{"an id that makes no URN", "a)(", "", "id: Invalid urn!: urn:li:tag:a)( (parentheses do not balance)"},
		{"an id that is too long", strings.Repeat("x", 401), "", "id: longer than 400 bytes"},
	} {
		got, err := w.Edit.NewURN(ctx, "Tag", "tag", c.id)
		if c.message == "" && (err != nil || got != c.want) || c.message != "" && (err == nil || fault.Message(err) != c.message || fault.KindOf(err) != fault.Malformed) {
			t.Errorf("%s: got %q, %v", c.name, got, err)
		}
	}
	first, err := w.Edit.NewURN(ctx, "Tag", "tag", "")
	second, again := w.Edit.NewURN(ctx, "Tag", "tag", "")
	if errors.Join(err, again) != nil || first == second || len(first.Key()) != 36 {
		t.Errorf("random ids: %s and %s, %v, %v", first, second, err, again)
	}
}

func TestOneOfManyCreates(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	ctx := w.As(t, servicetest.Root)
	properties := func(i int) edit.Change {
		return edit.Set(pii, "tagProperties", jsontree.Object{"name": fmt.Sprint("client ", i)})
	}
	var made []int
	var mu sync.Mutex
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			err := w.Edit.Create(ctx, nil, "Tag", pii, properties(i), edit.Set(pii, "status", jsontree.Object{"removed": false}))
			if err == nil {
				mu.Lock()
				made = append(made, i)
				mu.Unlock()
			} else if fault.KindOf(err) != fault.Malformed || fault.Message(err) != "This Tag already exists!" {
				t.Errorf("client %d: %v", i, err)
			}
		})
	}
	group.Wait()
	if len(made) != 1 {
		t.Fatalf("clients %v made one tag", made)
	}
	if got, want := w.Get(t, pii, "tagProperties"), fmt.Sprintf(`{"name":"client %d"}`, made[0]); got != want {
		t.Errorf("got %s, want what the first wrote, %s", got, want)
	}
	if err := w.Edit.Create(ctx, nil, "Tag", "urn:li:tag:other", edit.Set("urn:li:tag:other", "tagProperties", jsontree.Object{"color": 5})); err == nil || strings.Contains(err.Error(), "exists") {
		t.Errorf("a value that is no tag: %v", err)
	}
}

func TestCreatorOwnsWhatIsCreated(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	owner := func(user urn.URN) string {
		u := urn.Make("tag", "of-"+user.Key())
		if _, err := w.Edit.Apply(w.As(t, user), nil, append(w.Edit.Creator(w.As(t, user), u), edit.Set(u, "tagProperties", jsontree.Object{"name": "x"}))...); err != nil {
			t.Fatal(err)
		}
		return w.Get(t, u, "ownership")
	}
	if got := owner(servicetest.Jo); !strings.Contains(got, `"owner":"urn:li:corpuser:jo"`) || !strings.Contains(got, `"type":"TECHNICAL_OWNER"`) {
		t.Errorf("got %s", got)
	}
	if got := owner(model.SystemActor); got != "" {
		t.Errorf("the system owns it: %s", got)
	}
	if _, err := w.Catalog.DeleteEntity(w.As(t, servicetest.Root), edit.TechnicalOwner); err != nil {
		t.Fatal(err)
	}
	if got := owner(servicetest.Mia); !strings.Contains(got, string(edit.UntypedOwner)) || !strings.Contains(got, `"type":"NONE"`) {
		t.Errorf("without the usual type: got %s", got)
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	for _, c := range []struct {
		text  string
		types []string
		ok    bool
	}{
		{"urn:li:tag:a", nil, true},
		{"urn:li:tag:a", []string{"domain", "tag"}, true},
		{"urn:li:tag:a", []string{"domain"}, false},
		{"urn:li:nothing:a", nil, false},
		{"urn:li:tag:", nil, false},
		{"tag", nil, false},
		{"", nil, false},
	} {
		_, err := w.Edit.Parse("tagUrn", c.text, c.types...)
		if (err == nil) != c.ok || err != nil && (fault.KindOf(err) != fault.Malformed || !strings.HasPrefix(fault.Message(err), "tagUrn: ")) {
			t.Errorf("%q as %v: got %v", c.text, c.types, err)
		}
	}
	if _, err := w.Edit.ParseAll("tagUrns", make([]string, edit.MaxTargets+1)); fault.KindOf(err) != fault.TooLarge {
		t.Errorf("a long list: got %v", err)
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text     string
		required bool
		want     error
	}{
		{"abc", true, nil},
		{"", false, nil},
		{" \t\n", false, nil},
		{"", true, fault.Malformed},
		{" \t\n", true, fault.Malformed},
		{"abcd", false, fault.TooLarge},
	} {
		if err := edit.Text("name", c.text, 3, c.required); c.want == nil && err != nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%q, required %t: got %v, want %v", c.text, c.required, err, c.want)
		}
		if plain, optional := edit.Text("name", c.text, 3, c.required), edit.OptionalText("name", &c.text, 3, c.required); fault.KindOf(plain) != fault.KindOf(optional) {
			t.Errorf("%q, required %t: optional gives %v, want %v", c.text, c.required, optional, plain)
		}
	}
	if err := edit.OptionalText("name", nil, 3, true); err != nil {
		t.Errorf("an absent text gives %v", err)
	}
}

// TestApplyKeepsTheStampOfAChangeThatChangesNothing: writing an equal value again creates no
// version.
func TestApplyKeepsTheStampOfAChangeThatChangesNothing(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	ctx := w.As(t, servicetest.Root)
	at := int64(0)
	own := func(kind string) edit.Change {
		at++
		// Rules complete an owner, so the value differs from the stored one before they run.
		return edit.Set(table, "ownership", jsontree.Object{
			"owners":       []any{jsontree.Object{"owner": string(servicetest.Jo), "type": kind}},
			"lastModified": jsontree.Object{"time": jsontree.Number(at), "actor": string(servicetest.Root)},
		})
	}
	version := func() (string, string) {
		found, err := w.Catalog.Aspect(ctx, table, "ownership", 0, catalog.Omitted)
		if err != nil {
			t.Fatal(err)
		}
		return found.System.Version, string(found.Value)
	}
	apply := func(c edit.Change) {
		t.Helper()
		if _, err := w.Edit.Apply(ctx, nil, c); err != nil {
			t.Fatal(err)
		}
	}
	apply(own("TECHNICAL_OWNER"))
	first, value := version()
	apply(own("TECHNICAL_OWNER"))
	if again, now := version(); again != first || now != value {
		t.Errorf("version %s %s became %s %s", first, value, again, now)
	}
	apply(own("BUSINESS_OWNER"))
	if next, now := version(); next == first || !strings.Contains(now, `"time":3`) {
		t.Errorf("a change makes version %s %s", next, now)
	}
	// A change without effect requires the same privilege.
	w.Granting(servicetest.Grants{})
	if _, err := w.Edit.Apply(ctx, nil, own("BUSINESS_OWNER")); fault.KindOf(err) != fault.Forbidden {
		t.Errorf("without the right: %v", err)
	}
}
