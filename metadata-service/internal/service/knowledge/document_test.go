package knowledge_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/service/knowledge"
	"github.com/cartulary/cartulary/metadata-service/internal/service/owner"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	guide  urn.URN = "urn:li:document:guide"
	orders urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)"
	// Nel may neither read nor write, Ada may manage documents.
	nel urn.URN = "urn:li:corpuser:nel"
	ada urn.URN = "urn:li:corpuser:ada"
)

func ptr[T any](v T) *T { return &v }

func newService(t *testing.T) (*knowledge.Service, *servicetest.World) {
	t.Helper()
	w := servicetest.New(t)
	for _, u := range []urn.URN{nel, ada} {
		w.Put(t, u, "corpUserInfo", `{"active":true}`)
	}
	w.Policy(t, "documents", []auth.Privilege{auth.ManageDocuments}, nil, ada)
	// Jo may write assets, including documents.
	w.Policy(t, "writers", []auth.Privilege{auth.CreateEntity, auth.EditDocs}, []string{"document"}, servicetest.Jo)
	w.Put(t, orders, "datasetProperties", `{"name":"orders"}`)
	return knowledge.New(w.Edit), w
}

func TestADocumentFromItsCreationToItsEnd(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	ctx := w.As(t, servicetest.Jo)
	create := func(d knowledge.Draft) urn.URN {
		t.Helper()
		u, err := s.Create(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	has := func(aspect string, parts ...string) {
		t.Helper()
		got := w.Get(t, guide, aspect)
		for _, part := range parts {
			if !strings.Contains(got, part) {
				t.Errorf("%s is %s, without %s", aspect, got, part)
			}
		}
	}
	if u := create(knowledge.Draft{Text: "alone"}); len(u.Key()) != 36 {
		t.Errorf("got %s", u)
	}
	create(knowledge.Draft{ID: "top", Text: "t"})
	create(knowledge.Draft{ID: "guide", Title: "Guide", Text: "How.", SubType: "Runbook", Parent: "urn:li:document:top", RelatedAssets: []string{string(orders)}})
	created := `"created":{"actor":"urn:li:corpuser:jo","time":` + stamp(w)
	has("documentInfo", `"state":"UNPUBLISHED"`, `"sourceType":"NATIVE"`, created, `"lastModified":{"actor":"urn:li:corpuser:jo"`, `"parentDocument":{"document":"urn:li:document:top"}`, `"asset":"`+string(orders))
	has("documentSettings", `"showInGlobalContext":true`)
	has("ownership", `"owner":"urn:li:corpuser:jo"`, "TECHNICAL_OWNER")
	has("subTypes", `"Runbook"`)

	steps := []struct {
		do     func(ctx context.Context) error
		aspect string
		want   string
	}{
		{func(ctx context.Context) error {
			return s.UpdateContents(ctx, string(guide), knowledge.Contents{Text: ptr("New.")})
		}, "documentInfo", `"contents":{"text":"New."}`},
		{func(ctx context.Context) error {
			return s.UpdateContents(ctx, string(guide), knowledge.Contents{Title: ptr("Other"), SubType: ptr("FAQ")})
		}, "subTypes", `"FAQ"`},
		{func(ctx context.Context) error { return s.SetSubType(ctx, string(guide), "") }, "subTypes", `"typeNames":[]`},
		{func(ctx context.Context) error { return s.SetShown(ctx, string(guide), false) }, "documentSettings", `"showInGlobalContext":false`},
		{func(ctx context.Context) error { return s.SetState(ctx, string(guide), knowledge.Published) }, "documentInfo", `"state":"PUBLISHED"`},
		{func(ctx context.Context) error {
			return s.UpdateRelated(ctx, string(guide), nil, &[]string{"urn:li:document:top"})
		}, "documentInfo", `"asset":"` + string(orders)},
		{func(ctx context.Context) error { return s.UpdateRelated(ctx, string(guide), &[]string{}, nil) }, "documentInfo", `"relatedAssets":[],"relatedDocuments":[{"document":"urn:li:document:top"}]`},
	}
	for i, step := range steps {
		w.Pass(time.Minute)
		if err := step.do(w.As(t, ada)); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		has(step.aspect, step.want)
		has("documentInfo", created, `"lastModified":{"actor":"urn:li:corpuser:ada","time":`+stamp(w), `"parentDocument"`)
	}
	if err := s.Move(ctx, string(guide), ""); err != nil || strings.Contains(w.Get(t, guide, "documentInfo"), "parentDocument") {
		t.Errorf("moved to the top: %v, %s", err, w.Get(t, guide, "documentInfo"))
	}
	if err := s.Delete(w.As(t, ada), string(guide)); err != nil {
		t.Fatal(err)
	}
	has("status", `"removed":true`)
}

// TestOwnersOfADocumentCarryTheirType: an owner has the URN of its type, or else its name, or else
// NONE.
func TestOwnersOfADocumentCarryTheirType(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	const own urn.URN = "urn:li:ownershipType:editor"
	w.Put(t, own, "ownershipTypeInfo", `{"name":"Editor","created":{"time":0,"actor":"urn:li:corpuser:jo"},"lastModified":{"time":0,"actor":"urn:li:corpuser:jo"}}`)
	u, err := s.Create(w.As(t, ada), knowledge.Draft{Text: "x", Owners: []owner.Owner{
		{URN: string(servicetest.Jo), TypeURN: string(own), Type: "DATAOWNER"}, {URN: string(servicetest.Mia), Type: "BUSINESS_OWNER"}, {URN: string(nel)},
	}})
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Owners []struct{ Owner, Type, TypeURN string }
	}
	if err := json.Unmarshal([]byte(w.Get(t, u, "ownership")), &got); err != nil || len(got.Owners) != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	for i, want := range []string{string(servicetest.Jo) + " " + string(own), string(servicetest.Mia) + " BUSINESS_OWNER", string(nel) + " NONE"} {
		o := got.Owners[i]
		if o.Owner+" "+o.TypeURN != want && o.Owner+" "+o.Type != want {
			t.Errorf("owner %d is %+v, want %s", i, o, want)
		}
	}
}

func stamp(w *servicetest.World) string { return strconv.FormatInt(w.Now().UnixMilli(), 10) }

func TestRefusals(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	ctx := w.As(t, servicetest.Jo)
	for _, d := range []knowledge.Draft{{ID: "guide", Text: "g"}, {ID: "below", Text: "b", Parent: string(guide)}, {ID: "lowest", Text: "l", Parent: "urn:li:document:below"}} {
		if _, err := s.Create(ctx, d); err != nil {
			t.Fatal(err)
		}
	}
	create := func(d knowledge.Draft) func(context.Context) error {
		return func(ctx context.Context) error { _, err := s.Create(ctx, d); return err }
	}
	for name, tc := range map[string]struct {
		do   func(ctx context.Context) error
		as   urn.URN
		kind fault.Kind
		says string
	}{
		"an id that exists":              {create(knowledge.Draft{ID: "guide"}), "", fault.Malformed, "already exists"},
		"an absent parent":               {create(knowledge.Draft{Parent: "urn:li:document:none"}), "", fault.Malformed, "parentDocument does not exist"},
		"a parent that is no document":   {create(knowledge.Draft{Parent: string(orders)}), "", fault.Malformed, "is not the URN of a document"},
		"a related document that is not": {create(knowledge.Draft{RelatedDocuments: []string{string(orders)}}), "", fault.Malformed, "relatedDocuments"},
		"a related asset without a form": {create(knowledge.Draft{RelatedAssets: []string{"orders"}}), "", fault.Malformed, "relatedAssets"},
		"a long title":                   {create(knowledge.Draft{Title: strings.Repeat("t", 1001)}), "", fault.TooLarge, "title"},
		"a long text":                    {create(knowledge.Draft{Text: strings.Repeat("t", 200_001)}), "", fault.TooLarge, "contents.text"},
		"an unknown state":               {create(knowledge.Draft{State: "HALF"}), "", fault.Malformed, "state"},
		"an owner that does not exist":   {create(knowledge.Draft{Owners: []owner.Owner{{URN: "urn:li:corpuser:nobody"}}}), "", fault.Malformed, "owner does not exist"},
		"who may not create":             {create(knowledge.Draft{}), nel, fault.Forbidden, ""},
		"its own parent":                 {func(ctx context.Context) error { return s.Move(ctx, string(guide), string(guide)) }, "", fault.Malformed, "its own parent"},
		"a cycle":                        {func(ctx context.Context) error { return s.Move(ctx, string(guide), "urn:li:document:lowest") }, "", fault.Malformed, "below itself"},
		"moved below nothing":            {func(ctx context.Context) error { return s.Move(ctx, string(guide), "urn:li:document:none") }, "", fault.Malformed, "does not exist"},
		"an absent document":             {func(ctx context.Context) error { return s.SetState(ctx, "urn:li:document:none", knowledge.Published) }, "", fault.Malformed, "document does not exist"},
		"what is no document":            {func(ctx context.Context) error { return s.SetShown(ctx, string(orders), true) }, "", fault.Malformed, "is not the URN of a document"},
		"who may not change":             {func(ctx context.Context) error { return s.SetState(ctx, string(guide), knowledge.Published) }, nel, fault.Forbidden, ""},
		"who may not delete":             {func(ctx context.Context) error { return s.Delete(ctx, string(guide)) }, nel, fault.Forbidden, ""},
		"too many files": {func(ctx context.Context) error {
			_, err := s.Import(ctx, knowledge.Import{Files: make([]knowledge.File, knowledge.MaxFiles+1)})
			return err
		}, "", fault.TooLarge, "documents"},
	} {
		t.Run(name, func(t *testing.T) {
			before := w.Get(t, guide, "documentInfo")
			who := tc.as
			if who == "" {
				who = servicetest.Jo
			}
			err := tc.do(w.As(t, who))
			if !errors.Is(err, tc.kind) || !strings.Contains(fault.Message(err), tc.says) {
				t.Errorf("got %v, want %v with %q", err, tc.kind, tc.says)
			}
			if w.Get(t, guide, "documentInfo") != before {
				t.Error("it was changed")
			}
		})
	}
}

// finds returns the ids of documents and datasets that a query of a user finds.
func finds(t *testing.T, w *servicetest.World, as urn.URN, q discover.SearchQuery) []string {
	t.Helper()
	page, err := w.Discover.Search(w.As(t, as), q)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, h := range page.Hits {
		if h.URN.Type() == "document" || h.URN.Type() == "dataset" {
			out = append(out, h.URN.Key())
		}
	}
	slices.Sort(out)
	return out
}

func TestWhoFindsWhichDocuments(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	w.Policy(t, "readers", []auth.Privilege{"VIEW_ENTITY_PAGE"}, []string{"document", "dataset"}, nel, ada, servicetest.Jo)
	const group = "urn:li:corpGroup:writers"
	w.Put(t, group, "corpGroupInfo", `{"displayName":"writers","admins":[],"members":[],"groups":[]}`)
	w.Put(t, servicetest.Mia, "nativeGroupMembership", `{"nativeGroups":["`+group+`"]}`)
	for _, stage := range []string{"PUBLISHED", "REVIEW", "DRAFT"} {
		w.Put(t, urn.Make("lifecycleStageType", stage), "lifecycleStageTypeInfo", `{"name":"`+stage+`","settings":{"hideInSearch":false},"created":{"time":0,"actor":"urn:li:corpuser:jo"},"lastModified":{"time":0,"actor":"urn:li:corpuser:jo"}}`)
	}
	for _, d := range []struct {
		id, state, stage string
		hidden           bool
	}{
		{"a-published", knowledge.Published, "", false}, {"b-withdrawn", knowledge.Unpublished, "", false}, {"c-hidden", knowledge.Published, "", true},
		{"d-stage-published", knowledge.Unpublished, "PUBLISHED", false}, {"e-stage-review", knowledge.Published, "REVIEW", false}, {"f-stage-draft", knowledge.Published, "DRAFT", false},
	} {
		u, err := s.Create(w.As(t, servicetest.Jo), knowledge.Draft{ID: d.id, Text: "x", State: d.state, Shown: ptr(!d.hidden),
			Owners: []owner.Owner{{URN: string(servicetest.Jo)}, {URN: group}}})
		if err != nil {
			t.Fatal(err)
		}
		if d.stage != "" {
			w.Put(t, u, "status", `{"removed":false,"lifecycleStage":"urn:li:lifecycleStageType:`+d.stage+`"}`)
		}
	}
	w.Put(t, "urn:li:document:g-ingested", "documentInfo", `{"status":{"state":"PUBLISHED"},"contents":{"text":"x"},"created":{"time":0,"actor":"urn:li:corpuser:jo"},"lastModified":{"time":0,"actor":"urn:li:corpuser:jo"}}`)
	w.Put(t, "urn:li:lifecycleStageType:SECRET", "lifecycleStageTypeInfo", `{"name":"SECRET","settings":{"hideInSearch":true},"created":{"time":0,"actor":"urn:li:corpuser:jo"},"lastModified":{"time":0,"actor":"urn:li:corpuser:jo"}}`)
	w.Put(t, "urn:li:dataset:(urn:li:dataPlatform:hive,hidden,PROD)", "status", `{"removed":false,"lifecycleStage":"urn:li:lifecycleStageType:SECRET"}`)
	everybody, own := []string{"a-published", "d-stage-published", "g-ingested"}, []string{"b-withdrawn", "e-stage-review"}
	for name, tc := range map[string]struct {
		as     urn.URN
		states []string
		all    bool
		want   [][]string
	}{
		"a reader":                      {nel, nil, false, [][]string{everybody}},
		"an owner":                      {servicetest.Jo, nil, false, [][]string{everybody, own}},
		"a member of a group that owns": {servicetest.Mia, nil, false, [][]string{everybody, own}},
		"who manages documents":         {ada, nil, false, [][]string{everybody, own}},
		"published ones":                {ada, []string{knowledge.Published}, false, [][]string{everybody}},
		"others":                        {ada, []string{knowledge.Unpublished}, false, [][]string{own}},
		"others, of a reader":           {nel, []string{knowledge.Unpublished}, false, nil},
		"both":                          {servicetest.Jo, []string{knowledge.Published, knowledge.Unpublished}, false, [][]string{everybody, own}},
		"beyond the global context":     {nel, nil, true, [][]string{everybody, {"c-hidden"}}},
	} {
		q := discover.SearchQuery{Types: []string{"document"}, Size: 100, Facets: []string{}}
		if err := s.RestrictToFindable(w.As(t, tc.as), &q, tc.states, !tc.all); err != nil {
			t.Fatal(err)
		}
		want := slices.Concat(tc.want...)
		slices.Sort(want)
		if got := finds(t, w, tc.as, q); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
	for as, want := range map[urn.URN][]string{
		nel: everybody, servicetest.Jo: everybody, ada: {"a-published", "b-withdrawn", "d-stage-published", "g-ingested"},
	} {
		q := discover.SearchQuery{Types: []string{"document", "dataset"}, Size: 100, Facets: []string{}}
		if err := s.Restrict(w.As(t, as), &q); err != nil {
			t.Fatal(err)
		}
		want = append([]string{orders.Key()}, want...)
		slices.Sort(want)
		if got := finds(t, w, as, q); !slices.Equal(got, want) {
			t.Errorf("%s among all: got %v, want %v", as, got, want)
		}
	}
	if err := s.RestrictToFindable(w.As(t, nel), &discover.SearchQuery{}, []string{"HALF"}, true); !errors.Is(err, fault.Malformed) {
		t.Errorf("an unknown state gave %v", err)
	}
}

func TestFilesBecomeDocumentsAndReplaceThem(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	ctx := w.As(t, servicetest.Jo)
	in := knowledge.Import{UseCase: knowledge.Skill, Files: []knowledge.File{{Name: "notes/load.md", Content: "one"}, {Name: "", Content: "x"}, {Name: "b.txt", Content: strings.Repeat("t", 200_001)}}}
	first, err := s.Import(ctx, in)
	if err != nil || first.Created != 1 || first.Updated != 0 || first.Failed != 2 || len(first.Errors) != 2 || len(first.URNs) != 1 || !strings.HasPrefix(first.Errors[1], "b.txt: ") {
		t.Fatalf("got %+v, %v", first, err)
	}
	in.Files = []knowledge.File{{Name: "notes/load.md", Content: "two"}}
	again, err := s.Import(ctx, in)
	if err != nil || again.Created != 0 || again.Updated != 1 || again.URNs[0] != first.URNs[0] {
		t.Fatalf("got %+v, %v", again, err)
	}
	if got := w.Get(t, first.URNs[0], "documentInfo"); !strings.Contains(got, `"text":"two"`) || !strings.Contains(got, `"title":"load"`) {
		t.Errorf("got %s", got)
	}
	if got := w.Get(t, first.URNs[0], "subTypes"); !strings.Contains(got, "Skill") {
		t.Errorf("got %s", got)
	}
	if _, err := s.Import(w.As(t, nel), in); !errors.Is(err, fault.Forbidden) {
		t.Errorf("who may not write got %v", err)
	}
}

func TestAFileBringsItsRemovedDocumentBack(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	in := knowledge.Import{Files: []knowledge.File{{Name: "load.md", Content: "one"}}}
	first, err := s.Import(w.As(t, ada), in)
	if err != nil || first.Created != 1 {
		t.Fatalf("got %+v, %v", first, err)
	}
	u := first.URNs[0]
	if err := s.Delete(w.As(t, ada), string(u)); err != nil {
		t.Fatal(err)
	}
	in.Files[0].Content = "two"
	w.Policy(t, "restorers", []auth.Privilege{auth.EditDocs, auth.DeleteEntity}, []string{"document"}, servicetest.Mia)
	if _, err := s.Import(w.As(t, servicetest.Jo), in); !errors.Is(err, fault.Forbidden) {
		t.Errorf("who may write and not delete got %v", err)
	}
	if got := w.Get(t, u, "documentInfo"); !strings.Contains(got, `"text":"one"`) {
		t.Errorf("a refused import left %s", got)
	}
	again, err := s.Import(w.As(t, servicetest.Mia), in)
	if err != nil || again.Updated != 1 || again.Failed != 0 {
		t.Fatalf("got %+v, %v", again, err)
	}
	if got := w.Get(t, u, "status"); !strings.Contains(got, `"removed":false`) {
		t.Errorf("the status is %s", got)
	}
	if got := w.Get(t, u, "documentInfo"); !strings.Contains(got, `"text":"two"`) {
		t.Errorf("got %s", got)
	}
}

// TestWhoMayNotCreateIsNotToldWhatExists: without the privilege to create documents, the answer is
// the same for the name of an existing document.
func TestWhoMayNotCreateIsNotToldWhatExists(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	if _, err := s.Create(w.As(t, ada), knowledge.Draft{ID: "there", Title: "t"}); err != nil {
		t.Fatal(err)
	}
	_, taken := s.Create(w.As(t, nel), knowledge.Draft{ID: "there", Title: "t"})
	_, free := s.Create(w.As(t, nel), knowledge.Draft{ID: "other", Title: "t"})
	if !errors.Is(taken, fault.Forbidden) || !errors.Is(free, fault.Forbidden) || strings.ReplaceAll(taken.Error(), "there", "other") != free.Error() {
		t.Errorf("taken: %v, free: %v", taken, free)
	}
	if _, err := s.Create(w.As(t, servicetest.Jo), knowledge.Draft{ID: "there", Title: "t"}); !errors.Is(err, fault.Malformed) {
		t.Errorf("who may create got %v", err)
	}
}

// TestTheStampOfADocumentFollowsItsChanges: the stamp follows changes of any aspect, but not writes
// of an equal value.
func TestTheStampOfADocumentFollowsItsChanges(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	ctx := w.As(t, servicetest.Jo)
	if _, err := s.Create(ctx, knowledge.Draft{ID: "guide", Title: "Guide", Text: "How."}); err != nil {
		t.Fatal(err)
	}
	hidden := func() error { return s.SetShown(ctx, string(guide), false) }
	for i, step := range []struct {
		do      func() error
		changes bool
	}{
		{func() error { return s.UpdateContents(ctx, string(guide), knowledge.Contents{Text: ptr("How.")}) }, false},
		{func() error { return s.UpdateContents(ctx, string(guide), knowledge.Contents{Text: ptr("New.")}) }, true},
		{hidden, true},
		{hidden, false},
	} {
		w.Pass(time.Minute)
		before := w.Get(t, guide, "documentInfo")
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		if changed := w.Get(t, guide, "documentInfo") != before; changed != step.changes {
			t.Errorf("step %d: changed %t, want %t", i, changed, step.changes)
		}
	}
}
