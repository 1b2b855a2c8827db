package label_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/label"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	table   urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)"
	nowhere urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.none,PROD)"
	pii             = "urn:li:tag:pii"
	gold            = "urn:li:tag:gold"
	money           = "urn:li:glossaryTerm:money"
)

// world returns a world with a dataset with a column, tags and a term.
func world(t *testing.T) *servicetest.World {
	t.Helper()
	w := servicetest.New(t)
	w.Put(t, table, "schemaMetadata", `{"schemaName":"s","platform":"urn:li:dataPlatform:hive","version":0,"hash":"","platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},
	"fields":[{"fieldPath":"id","nativeDataType":"text","type":{"type":{"com.linkedin.schema.StringType":{}}}}]}`)
	w.Put(t, pii, "tagProperties", `{"name":"PII"}`)
	w.Put(t, gold, "tagProperties", `{"name":"Gold"}`)
	w.Put(t, money, "glossaryTermInfo", `{"name":"Money","definition":"","termSource":"INTERNAL"}`)
	return w
}

func on(u urn.URN) label.Target { return label.Target{URN: string(u)} }

func column(u urn.URN, path string) label.Target {
	return label.Target{URN: string(u), Column: path, Kind: "DATASET_FIELD"}
}

func TestAddAndRemove(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, ctx := label.New(w.Edit), w.As(t, servicetest.Jo)
	stamp := fmt.Sprintf(`{"actor":"urn:li:corpuser:jo","time":%d}`, w.Now().UnixMilli())
	add, remove := s.Add, s.Remove
	for _, step := range []struct {
		name    string
		do      func(context.Context, label.Kind, []string, []label.Target) error
		kind    label.Kind
		labels  []string
		targets []label.Target
		aspect  string
		want    string
	}{
		{"a tag off what never had one", remove, label.Tags(), []string{pii}, []label.Target{on(table)}, "globalTags", ""},
		{"a tag, named twice", add, label.Tags(), []string{pii, pii}, []label.Target{on(table), on(table)}, "globalTags", `{"tags":[{"tag":"urn:li:tag:pii"}]}`},
		{"one that is there and another", add, label.Tags(), []string{pii, gold}, []label.Target{on(table)}, "globalTags", `{"tags":[{"tag":"urn:li:tag:pii"},{"tag":"urn:li:tag:gold"}]}`},
		{"one off, and one that does not exist", remove, label.Tags(), []string{pii, "urn:li:tag:none"}, []label.Target{on(table)}, "globalTags", `{"tags":[{"tag":"urn:li:tag:gold"}]}`},
		{"the last one off", remove, label.Tags(), []string{gold}, []label.Target{on(table)}, "globalTags", `{"tags":[]}`},
		{"a term, which is stamped", add, label.Terms(), []string{money}, []label.Target{on(table)}, "glossaryTerms", `{"auditStamp":` + stamp + `,"terms":[{"urn":"urn:li:glossaryTerm:money"}]}`},
		{"a tag off a column that has none", remove, label.Tags(), []string{pii}, []label.Target{column(table, "id")}, "editableSchemaMetadata", ""},
		{"a tag and the same on a column", add, label.Tags(), []string{pii}, []label.Target{column(table, "id"), column(table, "id")}, "editableSchemaMetadata",
			`{"created":` + stamp + `,"editableSchemaFieldInfo":[{"fieldPath":"id","globalTags":{"tags":[{"tag":"urn:li:tag:pii"}]}}],"lastModified":` + stamp + `}`},
		{"a tag off a column that is in no schema", remove, label.Tags(), []string{pii}, []label.Target{column(nowhere, "id")}, "globalTags", `{"tags":[]}`},
		{"nothing on nothing", add, label.Tags(), nil, nil, "globalTags", `{"tags":[]}`},
	} {
		if err := step.do(ctx, step.kind, step.labels, step.targets); err != nil {
			t.Errorf("%s: %v", step.name, err)
		}
		if got := w.Get(t, table, step.aspect); got != step.want {
			t.Errorf("%s: got %s, want %s", step.name, got, step.want)
		}
	}
	if there, err := w.Edit.Exists(ctx, nowhere); err != nil || there {
		t.Errorf("taking a tag off made a dataset: %t, %v", there, err)
	}
}

func TestNothingIsPutOnWhenOneThingIsWrong(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, ctx := label.New(w.Edit), w.As(t, servicetest.Jo)
	good := []label.Target{on(table)}
	for _, c := range []struct {
		name    string
		labels  []string
		targets []label.Target
		want    fault.Kind
	}{
		{"a label of another type", []string{pii, money}, good, fault.Malformed},
		{"a label that does not exist", []string{pii, "urn:li:tag:none"}, good, fault.Malformed},
		{"an entity that does not exist", []string{pii}, append(good, on(nowhere)), fault.Malformed},
		{"an entity without tags", []string{pii}, append(good, on("urn:li:dataHubPolicy:p")), fault.Forbidden},
		{"a column that does not exist", []string{pii}, append(good, column(table, "price")), fault.Malformed},
		{"a column without its kind", []string{pii}, append(good, label.Target{URN: string(table), Column: "id"}), fault.Malformed},
		{"a kind without its column", []string{pii}, append(good, label.Target{URN: string(table), Kind: "DATASET_FIELD"}), fault.Malformed},
		{"what is no URN", []string{pii}, append(good, label.Target{URN: "orders"}), fault.Malformed},
		{"too many labels", make([]string, 101), good, fault.TooLarge},
		{"too many entities", []string{pii}, make([]label.Target, 1001), fault.TooLarge},
	} {
		if err := s.Add(ctx, label.Tags(), c.labels, c.targets); fault.KindOf(err) != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
		if got := w.Get(t, table, "globalTags"); got != "" {
			t.Errorf("%s: wrote %s", c.name, got)
		}
	}
}

func TestWhichRightIsAsked(t *testing.T) {
	t.Parallel()
	w := world(t)
	ctx := w.As(t, servicetest.Jo)
	rights := []auth.Privilege{auth.EditTags, auth.EditTerms, auth.EditColumnTags, auth.EditColumnTerms, auth.EditOwners, auth.EditEntity}
	for _, c := range []struct {
		needs auth.Privilege
		kind  label.Kind
		put   string
		at    label.Target
	}{
		{auth.EditTags, label.Tags(), pii, on(table)},
		{auth.EditTerms, label.Terms(), money, on(table)},
		{auth.EditColumnTags, label.Tags(), pii, column(table, "id")},
		{auth.EditColumnTerms, label.Terms(), money, column(table, "id")},
	} {
		for _, have := range rights {
			s := label.New(w.Granting(servicetest.Grants{Over: map[urn.URN][]auth.Privilege{table: {have}}}))
			ok := have == c.needs || have == auth.EditEntity
			for name, err := range map[string]error{
				"add":    s.Add(ctx, c.kind, []string{c.put}, []label.Target{c.at}),
				"remove": s.Remove(ctx, c.kind, []string{c.put}, []label.Target{c.at}),
			} {
				if (err == nil) != ok || err != nil && fault.KindOf(err) != fault.Forbidden {
					t.Errorf("%s what needs %s with %s: got %v", name, c.needs, have, err)
				}
			}
		}
	}
}

func TestWhoMayNotLearnsNothing(t *testing.T) {
	t.Parallel()
	w := world(t)
	s := label.New(w.Granting(servicetest.Grants{}))
	for _, tag := range []string{pii, "urn:li:tag:none"} {
		for _, u := range []urn.URN{table, nowhere} {
			if err := s.Add(w.As(t, servicetest.Jo), label.Tags(), []string{tag}, []label.Target{on(u)}); fault.KindOf(err) != fault.Forbidden {
				t.Errorf("%s on %s: got %v", tag, u, err)
			}
		}
	}
}

func TestNoLabelIsLostWhenManyAreAdded(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, ctx := label.New(w.Edit), w.As(t, servicetest.Jo)
	const writers = 6
	var group sync.WaitGroup
	for i := range writers {
		tag := fmt.Sprintf("urn:li:tag:t%d", i)
		w.Put(t, urn.URN(tag), "tagProperties", `{"name":"t"}`)
		group.Go(func() {
			if err := s.Add(ctx, label.Tags(), []string{tag}, []label.Target{on(table), column(table, "id")}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for _, aspect := range []string{"globalTags", "editableSchemaMetadata"} {
		if got := strings.Count(w.Get(t, table, aspect), `"tag":`); got != writers {
			t.Errorf("%s has %d tags, want %d", aspect, got, writers)
		}
	}
}
