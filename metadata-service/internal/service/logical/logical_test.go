package logical_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/logical"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	model  urn.URN = "urn:li:dataset:(urn:li:dataPlatform:logical,order,PROD)"
	orders urn.URN = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)"
)

func column(of urn.URN, path string) urn.URN { return urn.Make(logical.Column, string(of), path) }

func world(t *testing.T) *servicetest.World {
	t.Helper()
	w := servicetest.New(t)
	for u, platform := range map[urn.URN]string{model: "logical", orders: "postgres"} {
		w.Put(t, u, "schemaMetadata", `{"schemaName":"s","platform":"urn:li:dataPlatform:`+platform+`","version":0,"hash":"","platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},
			"primaryKeys":["id","day"],"fields":[
			{"fieldPath":"id","type":{"type":{"com.linkedin.schema.NumberType":{}}},"nativeDataType":"bigint","description":"Which one."},
			{"fieldPath":"day","type":{"type":{"com.linkedin.schema.DateType":{}}},"nativeDataType":"date"}]}`)
	}
	return w
}

func TestColumnsThatStayKeepWhatIsKnown(t *testing.T) {
	t.Parallel()
	w := world(t)
	s := logical.New(w.Edit)
	err := s.SetFields(w.As(t, servicetest.Root), model, []logical.Field{
		{Path: "name", Type: "StringType", Native: "string"}, {Path: "id", Type: "NumberType", Native: "number"},
	})
	if err != nil {
		t.Fatal(err)
	}
	got := w.Get(t, model, "schemaMetadata")
	for _, want := range []string{`"description":"Which one."`, `"nativeDataType":"bigint"`, `"fieldPath":"name"`, `"primaryKeys":["id"]`} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s, want %s in it", got, want)
		}
	}
	if strings.Contains(got, `"day"`) {
		t.Errorf("got %s, want no day", got)
	}
	if err := s.SetFields(w.As(t, servicetest.Root), model, []logical.Field{{Path: "id", Type: "StringType", Native: "string"}}); err != nil {
		t.Fatal(err)
	}
	if got := w.Get(t, model, "schemaMetadata"); !strings.Contains(got, "StringType") || !strings.Contains(got, `"nativeDataType":"string"`) || !strings.Contains(got, "Which one.") {
		t.Errorf("got %s, want the new type and the old description", got)
	}
}

func TestRights(t *testing.T) {
	t.Parallel()
	edit := []auth.Privilege{auth.EditEntity}
	id, parent := column(orders, "id"), column(model, "id")
	fields := []logical.Field{{Path: "id", Type: "NumberType", Native: "number"}}
	for _, c := range []struct {
		name   string
		grants servicetest.Grants
		do     func(s *logical.Service) error
		want   bool
	}{
		{"creating", servicetest.Grants{Platform: []auth.Privilege{auth.CreateLogicalModels}}, create, true},
		{"creating without", servicetest.Grants{Platform: []auth.Privilege{auth.ManageDomains}}, create, false},
		{"columns", over(model, edit), func(s *logical.Service) error { return s.SetFields(asJo(), model, fields) }, true},
		{"columns by who creates", servicetest.Grants{Platform: []auth.Privilege{auth.CreateLogicalModels}},
			func(s *logical.Service) error { return s.SetFields(asJo(), model, fields) }, false},
		{"linking", over(model, edit, orders, edit), link, true},
		{"linking without the model", over(orders, edit), link, false},
		{"linking without the child", over(model, edit), link, false},
		{"unlinking", over(orders, edit), func(s *logical.Service) error { return s.Unlink(asJo(), orders) }, true},
		{"unlinking by the model", over(model, edit), func(s *logical.Service) error { return s.Unlink(asJo(), orders) }, false},
		{"a column by its dataset", over(orders, edit, parent, edit), set(id, parent), true},
		{"a column by itself", over(id, edit, model, edit), set(id, parent), true},
		{"a column without the other", over(id, edit), set(id, parent), false},
		{"a column taken back", over(id, edit), set(id, ""), true},
		{"a dataset by a column", over(id, edit, model, edit), set(orders, model), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := world(t)
			err := c.do(logical.New(w.Granting(c.grants)))
			if c.want && err != nil || !c.want && fault.KindOf(err) != fault.Forbidden {
				t.Errorf("got %v, want allowed: %t", err, c.want)
			}
		})
	}

	t.Run("a link needs no right once it is there", func(t *testing.T) {
		w := world(t)
		if err := link(logical.New(w.Edit)); err != nil {
			t.Fatal(err)
		}
		if err := logical.New(w.Granting(over(orders, edit))).Unlink(asJo(), orders); err != nil {
			t.Error(err)
		}
		for _, u := range []urn.URN{orders, id} {
			if got := w.Get(t, u, "logicalParent"); got != "{}" {
				t.Errorf("%s: got %s, want no parent", u, got)
			}
		}
	})
}

// over grants privileges on entities; the arguments alternate between URN and privileges.
func over(list ...any) servicetest.Grants {
	g := servicetest.Grants{Over: map[urn.URN][]auth.Privilege{}}
	for i := 0; i < len(list); i += 2 {
		g.Over[list[i].(urn.URN)] = list[i+1].([]auth.Privilege)
	}
	return g
}

func asJo() context.Context {
	return auth.WithActor(context.Background(), auth.Actor{URN: servicetest.Jo})
}

func create(s *logical.Service) error {
	_, err := s.Create(asJo(), logical.Draft{Name: "basket"})
	return err
}

func link(s *logical.Service) error {
	return s.Link(asJo(), model, orders, []logical.Pair{{Parent: "id", Child: "id"}})
}

func set(child, parent urn.URN) func(s *logical.Service) error {
	return func(s *logical.Service) error { return s.SetParent(asJo(), child, parent) }
}

func TestLimits(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, ctx := logical.New(w.Edit), w.As(t, servicetest.Root)
	fields := make([]logical.Field, 20_001)
	for i := range fields {
		fields[i] = logical.Field{Path: fmt.Sprint("c", i), Type: "StringType", Native: "string"}
	}
	for name, err := range map[string]error{
		"columns":  s.SetFields(ctx, model, fields),
		"a path":   s.SetFields(ctx, model, []logical.Field{{Path: strings.Repeat("a", 4001), Type: "StringType"}}),
		"mappings": s.Link(ctx, model, orders, make([]logical.Pair, 5_001)),
	} {
		if fault.KindOf(err) != fault.TooLarge {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// wide writes columns c0, c1 and so on to both datasets, and returns the pairs that link them.
func wide(t *testing.T, w *servicetest.World, columns int) []logical.Pair {
	t.Helper()
	pairs, fields := make([]logical.Pair, columns), make([]string, columns)
	for i := range columns {
		path := fmt.Sprint("c", i)
		pairs[i] = logical.Pair{Parent: path, Child: path}
		fields[i] = `{"fieldPath":"` + path + `","type":{"type":{"com.linkedin.schema.NumberType":{}}},"nativeDataType":"bigint"}`
	}
	for u, platform := range map[urn.URN]string{model: "logical", orders: "postgres"} {
		w.Put(t, u, "schemaMetadata", `{"schemaName":"s","platform":"urn:li:dataPlatform:`+platform+`","version":0,"hash":"",
			"platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},"fields":[`+strings.Join(fields, ",")+`]}`)
	}
	return pairs
}

// TestTheCostOfALinkDoesNotGrowWithTheSchema counts the allocations of the process, so it must not
// run in parallel with other tests.
func TestTheCostOfALinkDoesNotGrowWithTheSchema(t *testing.T) {
	cost := func(columns int) uint64 {
		w := world(t)
		pairs := wide(t, w, columns)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := logical.New(w.Edit).Link(w.As(t, servicetest.Root), model, orders, pairs); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.Mallocs - before.Mallocs
	}
	if few, many := cost(100), cost(400); many > 6*few {
		t.Errorf("100 links took %d allocations and 400 took %d, want about four times as many", few, many)
	}
}

func TestLinksOfColumnsThatAreGoneAreTakenAway(t *testing.T) {
	t.Parallel()
	for name, unlink := range map[string]func(s *logical.Service, ctx context.Context) error{
		"unlinking": func(s *logical.Service, ctx context.Context) error { return s.Unlink(ctx, orders) },
		"just these": func(s *logical.Service, ctx context.Context) error {
			return s.Link(ctx, model, orders, []logical.Pair{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := world(t)
			s, ctx := logical.New(w.Edit), w.As(t, servicetest.Root)
			other := urn.URN("urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders_old,PROD)")
			w.Put(t, other, "schemaMetadata", w.Get(t, orders, "schemaMetadata"))
			for _, child := range []urn.URN{orders, other} {
				if err := s.Link(ctx, model, child, []logical.Pair{{Parent: "id", Child: "id"}, {Parent: "day", Child: "day"}}); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.SetParent(ctx, column(orders, "day"), column(model, "id")); err != nil {
				t.Fatal(err)
			}
			w.Put(t, orders, "schemaMetadata", `{"schemaName":"s","platform":"urn:li:dataPlatform:postgres","version":0,"hash":"",
				"platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},"fields":[]}`)
			if err := unlink(s, ctx); err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{"id", "day"} {
				if got := w.Get(t, column(orders, path), "logicalParent"); got != "{}" {
					t.Errorf("%s: got %s, want no parent", path, got)
				}
				if got := w.Get(t, column(other, path), "logicalParent"); got == "{}" {
					t.Errorf("%s of another dataset lost its parent", path)
				}
			}
		})
	}
}
