package query_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/query"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	orders  urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)"
	revenue urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,revenue,PROD)"
)

func text(s string) *string { return &s }

func world(t *testing.T) *servicetest.World {
	t.Helper()
	w := servicetest.New(t)
	for _, u := range []urn.URN{orders, revenue} {
		w.Put(t, u, "datasetProperties", `{"name":"x"}`)
	}
	return w
}

// over returns a service whose only privilege is to edit queries of some datasets.
func over(w *servicetest.World, datasets ...urn.URN) *query.Service {
	g := servicetest.Grants{Over: map[urn.URN][]auth.Privilege{}}
	for _, u := range datasets {
		g.Over[u] = []auth.Privilege{auth.EditQueries}
	}
	return query.New(w.Granting(g))
}

func draft(datasets ...urn.URN) query.Draft {
	d := query.Draft{Name: text("All"), Statement: query.Statement{Text: "select 1", Language: "SQL"}}
	for _, u := range datasets {
		d.Datasets = append(d.Datasets, string(u))
	}
	return d
}

func TestQueryIsKeptAndChanged(t *testing.T) {
	t.Parallel()
	w := world(t)
	queries := over(w, orders, revenue)
	u, err := queries.Create(w.As(t, servicetest.Jo), draft(orders))
	if err != nil {
		t.Fatal(err)
	}
	w.Pass(time.Second)
	if err := queries.Update(w.As(t, servicetest.Mia), u, query.Update{Description: text("Everything."), Datasets: &[]string{string(revenue)}}); err != nil {
		t.Fatal(err)
	}
	want := `{"created":{"actor":"urn:li:corpuser:jo","time":1772445600000},"description":"Everything.","lastModified":{"actor":"urn:li:corpuser:mia","time":1772445601000},` +
		`"name":"All","source":"MANUAL","statement":{"language":"SQL","value":"select 1"}}`
	if got := w.Get(t, u, "queryProperties"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := w.Get(t, u, "querySubjects"); got != `{"subjects":[{"entity":"`+string(revenue)+`"}]}` {
		t.Errorf("about %s", got)
	}
}

func TestQueriesNeedTheRightOverAllTheirDatasets(t *testing.T) {
	t.Parallel()
	w := world(t)
	jo := w.As(t, servicetest.Jo)
	column := urn.Make("schemaField", string(orders), "id")
	const stamp = `{"time":1,"actor":"urn:li:corpuser:mia"}`
	put := func(u urn.URN, subjects string) {
		w.Put(t, u, "queryProperties", `{"statement":{"value":"select 1","language":"SQL"},"source":"SYSTEM","created":`+stamp+`,"lastModified":`+stamp+`}`)
		if subjects != "" {
			w.Put(t, u, "querySubjects", `{"subjects":[`+subjects+`]}`)
		}
	}
	put("urn:li:query:both", `{"entity":"`+string(orders)+`"},{"entity":"`+string(revenue)+`"}`)
	put("urn:li:query:column", `{"entity":"`+string(column)+`"}`)
	put("urn:li:query:nothing", "")
	if _, err := over(w, orders).Create(jo, draft(orders, revenue)); !errors.Is(err, fault.Forbidden) {
		t.Errorf("create with the right over one of two: %v", err)
	}
	for name, c := range map[string]struct {
		queries *query.Service
		u       urn.URN
		want    error
	}{
		"one of two":                {over(w, orders), "urn:li:query:both", fault.Forbidden},
		"both":                      {over(w, orders, revenue), "urn:li:query:both", nil},
		"the dataset of a column":   {over(w, orders), "urn:li:query:column", nil},
		"another than of a column":  {over(w, revenue), "urn:li:query:column", fault.Forbidden},
		"any for one about nothing": {over(w, orders, revenue), "urn:li:query:nothing", fault.Forbidden},
		"for one that is not there": {over(w, orders), "urn:li:query:gone", fault.NotFound},
	} {
		if err := c.queries.Update(jo, c.u, query.Update{Name: text("x")}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := over(w, orders).Update(jo, "urn:li:query:column", query.Update{Datasets: &[]string{string(revenue)}}); !errors.Is(err, fault.Forbidden) {
		t.Errorf("moved to a dataset without the right: %v", err)
	}
	if err := over(w, revenue).Delete(jo, "urn:li:query:both"); !errors.Is(err, fault.Forbidden) {
		t.Errorf("deleted without the right: %v", err)
	}
	for range 2 {
		if err := over(w, orders, revenue).Delete(jo, "urn:li:query:both"); err != nil {
			t.Errorf("delete: %v", err)
		}
	}
	if got := w.Get(t, "urn:li:query:both", "queryProperties"); got != "" {
		t.Errorf("still there: %s", got)
	}
}

func TestQueryThatIsRefused(t *testing.T) {
	t.Parallel()
	w := world(t)
	queries, root := query.New(w.Edit), w.As(t, servicetest.Root)
	empty, foreign := draft(orders), draft(orders)
	empty.Statement.Text, foreign.Statement.Language = " ", "COBOL"
	for name, c := range map[string]struct {
		d    query.Draft
		want fault.Kind
	}{
		"about nothing":                        {draft(), fault.Malformed},
		"about too many":                       {query.Draft{Datasets: make([]string, 101)}, fault.TooLarge},
		"about something that is not there":    {draft("urn:li:dataset:(urn:li:dataPlatform:hive,gone,PROD)"), fault.Malformed},
		"about something that is no dataset":   {draft("urn:li:tag:pii"), fault.Malformed},
		"without a statement":                  {empty, fault.Malformed},
		"in a language the model knows not of": {foreign, fault.Invalid},
	} {
		if u, err := queries.Create(root, c.d); fault.KindOf(err) != c.want {
			t.Errorf("%s: %s, %v", name, u, err)
		}
	}
}
