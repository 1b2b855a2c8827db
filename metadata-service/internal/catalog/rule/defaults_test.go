package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestNewEntitiesGetKeyPathAndPlatform(t *testing.T) {
	t.Parallel()
	path := func(entries string) string { return `{"path":[` + entries + `]}` }
	platform := func(name string) string { return `{"platform":"urn:li:dataPlatform:` + name + `"}` }
	const flow = "urn:li:dataFlow:(airflow,f,PROD)"
	cases := []struct {
		urn            urn.URN
		aspect, value  string
		paths, belongs string
		lower          string
	}{
		{dataset, "status", `{}`, path(`{"id":"sales"}`), platform("hive"), ""},
		{"urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)", "status", `{}`, path(`{"id":"Default"}`), platform("hive"), ""},
		{"urn:li:dataset:(urn:li:dataPlatform:gcs,a/b/c,PROD)", "status", `{}`, path(`{"id":"a"},{"id":"b"}`), platform("gcs"), ""},
		{
			"urn:li:dataset:(urn:li:dataPlatform:hive,prod1.sales.orders,PROD)", "status", `{}`,
			path(`{"id":"urn:li:dataPlatformInstance:(urn:li:dataPlatform:hive,prod1)","urn":"urn:li:dataPlatformInstance:(urn:li:dataPlatform:hive,prod1)"},{"id":"sales"}`),
			platform("hive"), "",
		},
		{"urn:li:dataset:(urn:li:dataPlatform:hive,Sales.ORDERS,PROD)", "status", `{}`, path(`{"id":"Sales"}`), platform("hive"), "urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders,PROD)"},
		{chart, "status", `{}`, path(`{"id":"Default"}`), platform("looker"), ""},
		{"urn:li:dashboard:(looker,d1)", "status", `{}`, path(`{"id":"Default"}`), platform("looker"), ""},
		{flow, "status", `{}`, path(`{"id":"Default"}`), platform("airflow"), ""},
		{"urn:li:dataJob:(" + flow + ",j)", "status", `{}`, path(fmt.Sprintf(`{"id":%q,"urn":%q}`, flow, flow)), platform("airflow"), ""},
		{"urn:li:mlModel:(urn:li:dataPlatform:mlflow,m,PROD)", "status", `{}`, path(`{"id":"Default"}`), platform("mlflow"), ""},
		{"urn:li:mlModelGroup:(urn:li:dataPlatform:mlflow,m,PROD)", "status", `{}`, path(`{"id":"Default"}`), platform("mlflow"), ""},
		{"urn:li:mlModelDeployment:(urn:li:dataPlatform:mlflow,m,PROD)", "status", `{}`, "", platform("mlflow"), ""},
		{"urn:li:mlFeatureTable:(urn:li:dataPlatform:feast,t)", "status", `{}`, path(`{"id":"Default"}`), platform("feast"), ""},
		{"urn:li:container:c1", "status", `{}`, path(`{"id":"Default"}`), "", ""},
		{"urn:li:tag:pii", "status", `{}`, "", "", ""},
		{"urn:li:dataJob:(urn:li:tag:x,j)", "status", `{}`, path(`{"id":"urn:li:tag:x","urn":"urn:li:tag:x"}`), platform("x"), ""},
	}
	for _, c := range cases {
		t.Run(string(c.urn), func(t *testing.T) {
			t.Parallel()
			f := catalogtest.New(t, catalogtest.InMemory())
			f.Put("urn:li:dataPlatform:gcs", "dataPlatformInfo", `{"name":"gcs","type":"FILE_SYSTEM","datasetNameDelimiter":"/"}`)
			f.Put("urn:li:dataPlatformInstance:(urn:li:dataPlatform:hive,prod1)", "status", `{}`)
			_, spec, err := f.Registry.Resolve(string(c.urn))
			if err != nil {
				t.Fatal(err)
			}
			written := f.Must(catalogtest.Proposal(c.urn, c.aspect, c.value))
			if f.Value(c.urn, spec.Key.Name) == "" {
				t.Error("no key")
			}
			f.WantValue(c.urn, "browsePathsV2", c.paths)
			f.WantValue(c.urn, "dataPlatformInstance", c.belongs)
			aliases := ""
			if c.lower != "" {
				aliases = fmt.Sprintf(`{"lowercasedUrn":%q}`, c.lower)
			}
			f.WantValue(c.urn, "aliases", aliases)
			if written[0].Proposal != 0 || written[0].Outcome != catalog.Inserted || written[len(written)-1].Proposal >= 0 {
				t.Errorf("the proposal comes first, then what was added: %+v", written)
			}
			if again := f.Must(catalogtest.Proposal(c.urn, c.aspect, c.value)); len(again) != 1 || again[0].Outcome != catalog.NoOp {
				t.Errorf("the second write gives %+v", again)
			}
		})
	}
}

func TestDefaultsLeaveRoomForWriters(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const own = `{"path":[{"id":"mine"}]}`
		status := catalogtest.Proposal(dataset, "status", `{}`)
		status.System.RunID = "r1"
		status.System.PipelineName = "p"
		f.Must(status, catalogtest.Proposal(dataset, "browsePathsV2", own))
		f.WantValue(dataset, "browsePathsV2", own)
		key := f.Record(dataset, "datasetKey")
		if key.System.RunID != "r1" || key.System.PipelineName != "p" || key.System.Version != "1" {
			t.Errorf("the key does not carry the run of the first item: %+v", key.System)
		}
		if got := f.Record(dataset, "browsePathsV2").System.Version; got != "1" {
			t.Errorf("the writer's path has version %s: a default came before it", got)
		}
		t.Run("deleted defaults do not come back while the entity stays", func(t *testing.T) {
			f.Must(catalogtest.Proposal(dataset, "browsePathsV2", "", model.Delete), catalogtest.Proposal(dataset, "status", `{"removed":true}`))
			f.WantValue(dataset, "browsePathsV2", "")
		})
	})
}

func TestKeysFollowFromTheURN(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		w := f.Put("urn:li:tag:pii", "tagKey", `{"name":"something else"}`)
		f.WantValue("urn:li:tag:pii", "tagKey", `{"name":"pii"}`)
		if w.Outcome != catalog.Inserted {
			t.Errorf("outcome %d", w.Outcome)
		}
		if w := f.Put("urn:li:tag:pii", "tagKey", `{"name":"pii"}`); w.Outcome != catalog.NoOp {
			t.Errorf("outcome %d", w.Outcome)
		}
		p := catalog.Proposal{EntityType: "TAG", Key: []byte(`{"name":"made"}`), Aspect: "STATUS", Value: []byte(`{}`)}
		f.Must(p)
		f.WantValue("urn:li:tag:made", "status", `{}`)
	})
}

func TestDBTSiblings(t *testing.T) {
	const dbt, table urn.URN = "urn:li:dataset:(urn:li:dataPlatform:dbt,db.orders,PROD)", "urn:li:dataset:(urn:li:dataPlatform:snowflake,db.orders,PROD)"
	const other urn.URN = "urn:li:dataset:(urn:li:dataPlatform:snowflake,db.other,PROD)"
	lineage := func(of urn.URN, ups ...urn.URN) catalog.Proposal {
		list := ""
		for i, up := range ups {
			if i > 0 {
				list += ","
			}
			list += fmt.Sprintf(`{"dataset":%q,"type":"TRANSFORMED"}`, up)
		}
		return catalogtest.Proposal(of, "upstreamLineage", `{"upstreams":[`+list+`]}`)
	}
	tied := func(u urn.URN, primary bool) string { return fmt.Sprintf(`{"siblings":[%q],"primary":%v}`, u, primary) }
	cases := []struct {
		name       string
		batch      []catalog.Proposal
		dbt, table string
	}{
		{"a table with one dbt upstream is its sibling", []catalog.Proposal{lineage(table, dbt)}, tied(table, true), tied(dbt, false)},
		{"other upstreams do not matter", []catalog.Proposal{lineage(table, other, dbt)}, tied(table, true), tied(dbt, false)},
		{"a dbt source with one upstream is its sibling", []catalog.Proposal{lineage(dbt, table), catalogtest.Proposal(dbt, "subTypes", `{"typeNames":["Source"]}`)}, tied(table, true), tied(dbt, false)},
		{"a dbt model is not the sibling of its upstream", []catalog.Proposal{lineage(dbt, table), catalogtest.Proposal(dbt, "subTypes", `{"typeNames":["Model"]}`)}, "", ""},
		{"two candidates are none", []catalog.Proposal{lineage(dbt, table, other), catalogtest.Proposal(dbt, "subTypes", `{"typeNames":["Source"]}`)}, "", ""},
		{"tables alone are no siblings", []catalog.Proposal{lineage(table, other)}, "", ""},
		{"what has siblings keeps them", []catalog.Proposal{catalogtest.Proposal(table, "siblings", tied(other, true)), lineage(table, dbt)}, "", tied(other, true)},
	}
	t.Parallel()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := catalogtest.New(t, catalogtest.InMemory())
			f.Must(catalogtest.Proposal(dbt, "status", `{}`), catalogtest.Proposal(table, "status", `{}`), catalogtest.Proposal(other, "status", `{}`))
			f.Must(c.batch...)
			f.WantValue(dbt, "siblings", c.dbt)
			f.WantValue(table, "siblings", c.table)
		})
	}
}

func TestIncidentsAreSummarized(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const incident urn.URN = "urn:li:incident:i1"
		info := func(state string, at int, on ...string) string {
			list := ""
			for i, u := range on {
				if i > 0 {
					list += ","
				}
				list += fmt.Sprintf("%q", u)
			}
			return fmt.Sprintf(`{"type":"CUSTOM","customType":"late","entities":[%s],"priority":1,"created":{"time":5,"actor":"urn:li:corpuser:x"},
				"status":{"state":%q,"lastUpdated":{"time":%d,"actor":"urn:li:corpuser:x"}}}`, list, state, at)
		}
		summary := func(active, resolved string) string {
			return `{"activeIncidentDetails":[` + active + `],"resolvedIncidentDetails":[` + resolved + `]}`
		}
		open := `{"urn":"urn:li:incident:i1","type":"late","createdAt":5,"priority":1}`
		closed := `{"urn":"urn:li:incident:i1","type":"late","createdAt":5,"priority":1,"resolvedAt":9}`

		f.Must(catalogtest.Proposal(dataset, "status", `{}`), catalogtest.Proposal(chart, "status", `{}`))
		f.Put(incident, "incidentInfo", info("ACTIVE", 6, dataset, chart))
		f.WantValue(dataset, "incidentsSummary", summary(open, ""))
		f.WantValue(chart, "incidentsSummary", summary(open, ""))
		f.Put(incident, "incidentInfo", info("RESOLVED", 9, dataset))
		f.WantValue(dataset, "incidentsSummary", summary("", closed))
		f.WantValue(chart, "incidentsSummary", summary("", ""))
	})
}

func TestDataProductsAreMirroredByTheirAssets(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const table, other urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)", "urn:li:dataset:(urn:li:dataPlatform:hive,b,PROD)"
		assets := func(list ...urn.URN) string {
			var out []string
			for _, u := range list {
				out = append(out, fmt.Sprintf(`{"destinationUrn":%q}`, u))
			}
			return `{"name":"P","assets":[` + strings.Join(out, ",") + `]}`
		}
		mirror := func(list ...urn.URN) string {
			var out []string
			for _, u := range list {
				out = append(out, fmt.Sprintf(`{"destinationUrn":%q}`, u))
			}
			return `{"dataProducts":[` + strings.Join(out, ",") + `]}`
		}
		f.Must(catalogtest.Proposal(table, "status", `{}`), catalogtest.Proposal(other, "status", `{}`))
		f.Put("urn:li:dataProduct:p", "dataProductProperties", assets(table, other))
		f.Put("urn:li:dataProduct:q", "dataProductProperties", assets(table))
		f.WantValue(table, "dataProducts", mirror("urn:li:dataProduct:p", "urn:li:dataProduct:q"))
		f.Put("urn:li:dataProduct:p", "dataProductProperties", assets(other))
		f.WantValue(table, "dataProducts", mirror("urn:li:dataProduct:q"))
		f.WantValue(other, "dataProducts", mirror("urn:li:dataProduct:p"))
	})
}

func TestAssertionRunsAreSummarized(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const a urn.URN = "urn:li:assertion:a1"
		run := func(at int, result string) {
			t.Helper()
			f.Put(a, "assertionRunEvent", fmt.Sprintf(`{"timestampMillis":%d,"runId":"r","asserteeUrn":%q,"assertionUrn":%q,"status":"COMPLETE","result":{"type":%q}}`, at, dataset, a, result))
		}
		run(10, "SUCCESS")
		f.WantValue(a, "assertionRunSummary", `{"assertionStatus":"PASSING","lastPassedAtMillis":10}`)
		run(20, "FAILURE")
		f.WantValue(a, "assertionRunSummary", `{"assertionStatus":"FAILING","lastPassedAtMillis":10,"lastFailedAtMillis":20}`)
		run(15, "SUCCESS")
		f.WantValue(a, "assertionRunSummary", `{"assertionStatus":"FAILING","lastPassedAtMillis":15,"lastFailedAtMillis":20}`)
		run(12, "SUCCESS")
		f.WantValue(a, "assertionRunSummary", `{"assertionStatus":"FAILING","lastPassedAtMillis":15,"lastFailedAtMillis":20}`)
		run(30, "ERROR")
		run(40, "INIT")
		f.WantValue(a, "assertionRunSummary", `{"assertionStatus":"INIT","lastPassedAtMillis":15,"lastFailedAtMillis":20,"lastErroredAtMillis":30,"lastInitializedAtMillis":40}`)
		if got := f.Record(a, "assertionRunSummary").System.Version; got != "5" {
			t.Errorf("version %s: a run that changes nothing wrote", got)
		}
	})
}
