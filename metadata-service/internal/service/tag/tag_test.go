package tag_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/owner"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/tag"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const pii urn.URN = "urn:li:tag:pii"

// grants returns the privileges of all actors.
func grants(platform auth.Privilege, over ...auth.Privilege) servicetest.Grants {
	return servicetest.Grants{Platform: []auth.Privilege{platform}, Over: map[urn.URN][]auth.Privilege{pii: over}}
}

func ptr[T any](v T) *T { return &v }

func TestWhoMayDoWhat(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	ctx := w.As(t, servicetest.Jo)
	owners := []owner.Owner{{URN: string(servicetest.Jo), Type: "NONE"}}
	create := func(s *tag.Service) error {
		_, err := s.Create(ctx, tag.Draft{Name: "x"})
		return err
	}
	rename := func(s *tag.Service) error { return s.Update(ctx, pii, tag.Update{Name: ptr("Other")}) }
	disown := func(s *tag.Service) error {
		return s.Update(ctx, pii, tag.Update{Name: ptr("PII"), Description: ptr("d"), Owners: &owners})
	}
	both := func(s *tag.Service) error { return s.Update(ctx, pii, tag.Update{Name: ptr("Other"), Owners: &owners}) }
	paint := func(s *tag.Service) error { return s.SetColor(ctx, pii, "#fff") }
	remove := func(s *tag.Service) error { return s.Delete(ctx, pii) }
	for _, c := range []struct {
		name  string
		with  servicetest.Grants
		do    func(*tag.Service) error
		allow bool
	}{
		{"creating needs a right", grants(""), create, false},
		{"who may create creates", grants(auth.CreateTags), create, true},
		{"who may manage creates", grants(auth.ManageTags), create, true},
		{"renaming needs a right over the tag", grants(auth.ManageTags, auth.EditOwners, auth.EditTagColor), rename, false},
		{"who may edit renames", grants("", auth.EditEntity), rename, true},
		{"who may change owners does so beside what is as it was", grants("", auth.EditOwners), disown, true},
		{"but changes nothing else", grants("", auth.EditOwners), both, false},
		{"who may edit changes owners", grants("", auth.EditEntity), both, true},
		{"painting needs a right over the tag", grants(auth.ManageTags), paint, false},
		{"who may paint paints", grants("", auth.EditTagColor), paint, true},
		{"who may edit paints", grants("", auth.EditEntity), paint, true},
		{"deleting needs more than editing", grants(auth.CreateTags, auth.EditEntity), remove, false},
		{"who may manage deletes", grants(auth.ManageTags), remove, true},
		{"who may delete the tag deletes", grants("", auth.DeleteEntity), remove, true},
	} {
		w.Put(t, pii, "tagProperties", `{"name":"PII","description":"d"}`)
		err := c.do(tag.New(w.Granting(c.with)))
		if c.allow && err != nil || !c.allow && fault.KindOf(err) != fault.Forbidden {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
}

func TestCreate(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	s, ctx := tag.New(w.Edit), w.As(t, servicetest.Jo)
	u, err := s.Create(ctx, tag.Draft{ID: "pii", Name: "PII", Description: ptr("")})
	if err != nil || u != pii {
		t.Fatalf("got %s, %v", u, err)
	}
	if got, want := w.Get(t, u, "tagProperties"), `{"description":"","name":"PII"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := w.Get(t, u, "ownership"); !strings.Contains(got, string(servicetest.Jo)) {
		t.Errorf("its creator does not own it: %s", got)
	}
	for _, c := range []struct {
		name  string
		draft tag.Draft
		want  fault.Kind
	}{
		{"an id that is taken", tag.Draft{ID: "pii", Name: "x"}, fault.Malformed},
		{"a blank name", tag.Draft{Name: " "}, fault.Malformed},
		{"a long name", tag.Draft{Name: strings.Repeat("x", 1001)}, fault.TooLarge},
		{"a long description", tag.Draft{Name: "x", Description: ptr(strings.Repeat("x", 200_001))}, fault.TooLarge},
	} {
		if _, err := s.Create(ctx, c.draft); fault.KindOf(err) != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

func TestUpdateChangesAllOrNothing(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	s, ctx := tag.New(w.Edit), w.As(t, servicetest.Jo)
	const before = `{"colorHex":"#fff","name":"PII"}`
	w.Put(t, pii, "tagProperties", before)
	for _, c := range []struct {
		name string
		of   urn.URN
		to   tag.Update
	}{
		{"a tag that does not exist", "urn:li:tag:none", tag.Update{Name: ptr("x")}},
		{"a blank name", pii, tag.Update{Name: ptr(""), Owners: &[]owner.Owner{}}},
		{"an owner without a type", pii, tag.Update{Name: ptr("x"), Owners: &[]owner.Owner{{URN: string(servicetest.Jo)}}}},
	} {
		if err := s.Update(ctx, c.of, c.to); fault.KindOf(err) != fault.Malformed {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
	if got := w.Get(t, pii, "tagProperties") + w.Get(t, pii, "ownership"); got != before {
		t.Errorf("refused updates wrote %s", got)
	}
	if err := s.Update(ctx, pii, tag.Update{Description: ptr("Private."), Owners: &[]owner.Owner{{URN: string(servicetest.Mia), Type: "NONE"}}}); err != nil {
		t.Fatal(err)
	}
	if got, want := w.Get(t, pii, "tagProperties"), `{"colorHex":"#fff","description":"Private.","name":"PII"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := w.Get(t, pii, "ownership"); !strings.Contains(got, string(servicetest.Mia)) {
		t.Errorf("the owner is not there: %s", got)
	}
}

func TestSetColor(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	s, ctx := tag.New(w.Edit), w.As(t, servicetest.Jo)
	w.Put(t, pii, "tagKey", `{"name":"pii"}`)
	for color, ok := range map[string]bool{
		"#1f77b4": true, "1F77B4": true, "#fff": true, "#1f77b4cc": true,
		"": false, "#": false, "#12345": false, "red": false, "#ggg": false, "##fff": false, "#fff;x": false,
	} {
		err := s.SetColor(ctx, pii, color)
		if (err == nil) != ok || err != nil && fault.KindOf(err) != fault.Malformed {
			t.Errorf("%q: got %v", color, err)
		}
		if got := w.Get(t, pii, "tagProperties"); ok && got != `{"colorHex":"`+color+`","name":"pii"}` {
			t.Errorf("%q: stored %s", color, got)
		}
	}
	if err := s.SetColor(ctx, "urn:li:tag:none", "#fff"); fault.KindOf(err) != fault.Malformed {
		t.Errorf("a tag that does not exist: got %v", err)
	}
}

func TestDeleteTakesATagOffEverything(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	s := tag.New(w.Edit)
	w.Put(t, pii, "tagProperties", `{"name":"PII"}`)
	w.Put(t, "urn:li:corpGroup:g", "globalTags", `{"tags":[{"tag":"urn:li:tag:pii"},{"tag":"urn:li:tag:gold"}]}`)
	for range 2 { // an absent tag is not an error
		if err := s.Delete(w.As(t, servicetest.Root), pii); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := w.Get(t, "urn:li:corpGroup:g", "globalTags"), `{"tags":[{"tag":"urn:li:tag:gold"}]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := w.Get(t, pii, "tagProperties"); got != "" {
		t.Errorf("still there: %s", got)
	}
	if err := s.Delete(t.Context(), pii); fault.KindOf(err) != fault.Unauthenticated {
		t.Errorf("nobody: got %v", err)
	}
}
