package graphql_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/urn"
)

// dbt, Great Expectations and data contracts write assertions of the type CUSTOM. Their fields
// equal those of assertions of the type DATASET: columns, operator and parameters.
func TestCustomAssertionsShowWhatTheirWritersCheck(t *testing.T) {
	t.Parallel()
	const table urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)"
	amount, state := model.ColumnURN(table, "Amount (EUR)"), model.ColumnURN(table, "state")
	for name, c := range map[string]struct{ info, want string }{
		"dbt": {
			fmt.Sprintf(`"type":"dbt","field":%q,"fields":[%q],"scope":"DATASET_COLUMN","operator":"IN","aggregation":"IDENTITY","parameters":{"value":{"value":"[\"open\",\"paid\"]","type":"SET"}},"nativeType":"accepted_values","logic":"select 1","nativeParameters":{"values":"open, paid"}`, state, state),
			`{"type":"dbt","entityUrn":"` + string(table) + `","field":{"path":"state"},"fields":[{"path":"state"}],"scope":"DATASET_COLUMN","aggregation":"IDENTITY","operator":"IN","parameters":{"value":{"value":"[\"open\",\"paid\"]","type":"SET"},"minValue":null,"maxValue":null},"nativeType":"accepted_values","logic":"select 1","nativeParameters":[{"key":"values","value":"open, paid"}]}`,
		},
		"Great Expectations": {
			fmt.Sprintf(`"type":"Great Expectations","fields":[%q,%q],"scope":"DATASET_COLUMN","operator":"BETWEEN","aggregation":"MAX","parameters":{"minValue":{"value":"1","type":"NUMBER"},"maxValue":{"value":"9","type":"NUMBER"}},"nativeType":"expect_column_max_to_be_between"`, amount, state),
			`{"type":"Great Expectations","entityUrn":"` + string(table) + `","field":null,"fields":[{"path":"Amount (EUR)"},{"path":"state"}],"scope":"DATASET_COLUMN","aggregation":"MAX","operator":"BETWEEN","parameters":{"value":null,"minValue":{"value":"1","type":"NUMBER"},"maxValue":{"value":"9","type":"NUMBER"}},"nativeType":"expect_column_max_to_be_between","logic":null,"nativeParameters":null}`,
		},
		"data contract": {
			fmt.Sprintf(`"type":"dataContract","field":%q,"fields":[%q],"scope":"DATASET_COLUMN","operator":"EQUAL_TO","aggregation":"UNIQUE_PROPOTION","parameters":{"value":{"value":"1","type":"NUMBER"}},"nativeType":"unique"`, amount, amount),
			`{"type":"dataContract","entityUrn":"` + string(table) + `","field":{"path":"Amount (EUR)"},"fields":[{"path":"Amount (EUR)"}],"scope":"DATASET_COLUMN","aggregation":"UNIQUE_PROPOTION","operator":"EQUAL_TO","parameters":{"value":{"value":"1","type":"NUMBER"},"minValue":null,"maxValue":null},"nativeType":"unique","logic":null,"nativeParameters":null}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engine, world := newEngine(t)
			world.Put(t, table, "status", `{}`)
			const check urn.URN = "urn:li:assertion:check"
			world.Put(t, check, "assertionInfo", `{"type":"CUSTOM","customAssertion":{"entity":"`+string(table)+`",`+c.info+`}}`)
			world.Put(t, check, "assertionRunEvent", `{"timestampMillis":1767000000000,"runId":"1","asserteeUrn":"`+string(table)+`","assertionUrn":"`+string(check)+`","status":"COMPLETE","result":{"type":"FAILURE"}}`)
			got := data(t, engine, world, servicetest.Root, `{ dataset(urn: "`+string(table)+`") { assertions(start: 0, count: 10) { total assertions { urn info { type customAssertion {
				type entityUrn field { path } fields { path } scope aggregation operator parameters { value { value type } minValue { value type } maxValue { value type } } nativeType logic nativeParameters { key value } } } } }
				health { type status } } }`)
			for _, want := range []string{`"total":1`, `"type":"CUSTOM"`, c.want, `{"type":"ASSERTIONS","status":"FAIL"}`} {
				if !strings.Contains(got, want) {
					t.Errorf("got %s, want %s", got, want)
				}
			}
		})
	}
}
