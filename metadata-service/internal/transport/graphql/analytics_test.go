package graphql_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
)

func TestChartsOfAllDomainsCountEverything(t *testing.T) {
	t.Parallel()
	engine, world := newEngine(t)
	const orders, sales = "urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)", "urn:li:domain:sales"
	world.Put(t, sales, "domainProperties", `{"name":"Sales"}`)
	world.Put(t, orders, "domains", `{"domains":["`+sales+`"]}`)
	world.Put(t, "urn:li:dataset:(urn:li:dataPlatform:hive,other,PROD)", "status", `{"removed":false}`)
	const charts = "{ charts { ... on BarChart { title bars { name segments { value } } } } }"
	for domain, want := range map[string]string{
		"ALL": `{"name":"DATASET","segments":[{"value":2}]}`, "": `{"name":"DATASET","segments":[{"value":2}]}`, sales: `{"name":"DATASET","segments":[{"value":1}]}`,
	} {
		got := data(t, engine, world, servicetest.Root, `{ getMetadataAnalyticsCharts(input: {entityType: DATASET, domain: "`+domain+`", query: "*"}) `+charts+` }`)
		want = `{"getMetadataAnalyticsCharts":[{"charts":[{"title":"Assets by Type","bars":[` + want + `]}`
		if len(got) < len(want) || got[:len(want)] != want {
			t.Errorf("domain %q: got %.300s, want %s", domain, got, want)
		}
	}
}
