package openlineage_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/service/openlineage"
	"github.com/cartulary/cartulary/pkg/fault"
)

const jo = "urn:li:corpuser:jo"

// spark is an event in the form of Spark's listener, about a job that reads a table and files and
// writes a Glue table.
const spark = `{
  "eventType": "COMPLETE", "eventTime": "2026-03-01T10:00:00.5Z", "producer": "https://github.com/OpenLineage/OpenLineage/tree/1.30.0/integration/spark", "schemaURL": "x",
  "run": {"runId": "0195-aa", "facets": {
    "processing_engine": {"name": "Spark", "version": "3.5.1", "openlineageAdapterVersion": "1.30.0"},
    "spark_properties": {"properties": {"spark.master": "yarn", "deep": {"x": 1}}},
    "parent": {"run": {"runId": "0195-bb"}, "job": {"namespace": "jobs", "name": "daily_load"}},
    "weather": {"sunny": true}, "airflow": "not an object"}},
  "job": {"namespace": "jobs", "name": "daily_load.write_orders", "facets": {"documentation": {"description": "Loads orders."}, "tags": {"tags": [{"key": "gold", "value": "true"}, {"key": "team", "value": "a/b"}]}}},
  "inputs": [
    {"namespace": "postgres://db:5432", "name": "shop.public.orders", "facets": {"schema": {"fields": [
      {"name": "id", "type": "bigint", "description": "Key"}, {"name": "who", "type": "struct<mail:string>", "fields": [{"name": "mail", "type": "string"}]}]}}},
    {"namespace": "postgres://db:5432", "name": "shop.public.orders"},
    {"namespace": "s3a://lake", "name": "/raw/(a),b"}],
  "outputs": [{"namespace": "s3://lake", "name": "warehouse/orders", "facets": {
    "symlinks": {"identifiers": [{"namespace": "arn:aws:glue:eu:1", "name": "table/sales/orders", "type": "TABLE"}]},
    "columnLineage": {"fields": {"order_id": {"inputFields": [{"namespace": "postgres://db:5432", "name": "shop.public.orders", "field": "id"}], "transformationDescription": "as it is"}, "none": {"inputFields": []}}}}}]
}`

const (
	orders = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.orders,PROD)"
	raw    = "urn:li:dataset:(urn:li:dataPlatform:s3,lake/raw/%28a%29%2Cb,PROD)"
	glue   = "urn:li:dataset:(urn:li:dataPlatform:glue,sales.orders,PROD)"
	flow   = "urn:li:dataFlow:(spark,daily_load,jobs)"
	job    = "urn:li:dataJob:(" + flow + ",daily_load.write_orders)"
	run    = "urn:li:dataProcessInstance:0195-aa"
)

func proposals(t *testing.T, cfg openlineage.Config, event string) map[string]string {
	t.Helper()
	list, err := openlineage.New(cfg).Proposals([]byte(event), jo)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, p := range list {
		key := p.URN + " " + p.Aspect
		if _, twice := out[key]; twice {
			t.Errorf("%s is written twice", key)
		}
		out[key] = string(p.Value)
	}
	return out
}

func TestAnEventOfSparkBecomesMetadata(t *testing.T) {
	t.Parallel()
	got := proposals(t, openlineage.Config{}, spark)
	const stamp = `{"actor":"urn:li:corpuser:jo","time":1772359200500}`
	edge := func(u string) string {
		return `{"created":` + stamp + `,"destinationUrn":"` + u + `","lastModified":` + stamp + `}`
	}
	column := func(of, path string) string { return `"urn:li:schemaField:(` + of + `,` + path + `)"` }
	want := map[string]string{
		flow + " dataFlowInfo": `{"customProperties":{"openlineageAdapterVersion":"1.30.0","processingEngine":"Spark","processingEngineVersion":"3.5.1","spark.master":"yarn"},"description":"Loads orders.","name":"daily_load"}`,
		flow + " status":       `{"removed":false}`,
		flow + " globalTags": `[{"op":"add","path":"/tags/urn:li:tag:gold","value":{"tag":"urn:li:tag:gold"}},` +
			`{"op":"add","path":"/tags/urn:li:tag:team:a~1b","value":{"tag":"urn:li:tag:team:a/b"}}]`,
		job + " dataJobInfo": `{"created":` + stamp + `,"flowUrn":"` + flow + `","name":"write_orders","type":{"string":"spark"}}`,
		job + " status":      `{"removed":false}`,
		job + " dataJobInputOutput": `{"fineGrainedLineages":[{"confidenceScore":1.0,"downstreamType":"FIELD","downstreams":[` + column(glue, "order_id") + `],"transformOperation":"as it is","upstreamType":"FIELD_SET","upstreams":[` + column(orders, "id") + `]}],` +
			`"inputDatajobEdges":[` + edge("urn:li:dataJob:("+flow+",daily_load)") + `],"inputDatasetEdges":[` + edge(orders) + `,` + edge(raw) + `],"inputDatasets":[],"outputDatasetEdges":[` + edge(glue) + `],"outputDatasets":[]}`,
		orders + " status": `{"removed":false}`, raw + " status": `{"removed":false}`, glue + " status": `{"removed":false}`,
		orders + " schemaMetadata": `{"fields":[{"description":"Key","fieldPath":"id","nativeDataType":"bigint","type":{"type":{"com.linkedin.schema.NumberType":{}}}},` +
			`{"fieldPath":"who","nativeDataType":"struct<mail:string>","type":{"type":{"com.linkedin.schema.RecordType":{}}}},{"fieldPath":"who.mail","nativeDataType":"string","type":{"type":{"com.linkedin.schema.StringType":{}}}}],` +
			`"hash":"","platform":"urn:li:dataPlatform:postgres","platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},"schemaName":"shop.public.orders","version":0}`,
		run + " dataProcessInstanceProperties":    `{"created":` + stamp + `,"customProperties":{},"name":"0195-aa"}`,
		run + " dataProcessInstanceRelationships": `{"parentTemplate":"` + job + `","upstreamInstances":[]}`,
		run + " dataProcessInstanceInput":         `{"inputs":["` + orders + `","` + raw + `"]}`,
		run + " dataProcessInstanceOutput":        `{"outputs":["` + glue + `"]}`,
		run + " dataProcessInstanceRunEvent":      `{"result":{"nativeResultType":"COMPLETE","type":"SUCCESS"},"status":"COMPLETE","timestampMillis":1772359200500}`,
	}
	for key, value := range want {
		if got[key] != value {
			t.Errorf("%s is\n%s, want\n%s", key, got[key], value)
		}
	}
	for key := range got {
		if _, ok := want[key]; !ok {
			t.Errorf("nobody asked for %s: %s", key, got[key])
		}
	}
}

func TestWhatColumnsAreMadeOfIsRead(t *testing.T) {
	t.Parallel()
	const (
		platform = "urn:li:dataset:(urn:li:dataPlatform:duckdb,shop.main."
		out      = platform + "stg,PROD)"
		seed     = platform + "seed,PROD)"
		job      = "urn:li:dataJob:(urn:li:dataFlow:(airflow,a,prod),a)"
	)
	columns := func(inputs string) string {
		return jobOf("a", `,"inputs":[],"outputs":[{"namespace":"duckdb://f","name":"shop.main.stg","facets":{"columnLineage":{"fields":{"id":{"inputFields":[`+inputs+`]}}}}}]`)
	}
	seeded := `{"namespace":"duckdb://f","name":"shop.main.seed","field":"id"}`
	got := proposals(t, openlineage.Config{}, columns(seeded+","+seeded))
	if value := got[job+" dataJobInputOutput"]; strings.Count(value, `"destinationUrn":"`+seed+`"`) != 1 || got[seed+" status"] == "" {
		t.Errorf("of a dataset that columns are made of there is %q and %s", got[seed+" status"], value)
	}
	if value := got["urn:li:dataProcessInstance:r dataProcessInstanceInput"]; value != `{"inputs":["`+seed+`"]}` {
		t.Errorf("the run reads %s", value)
	}
	// The upstreams of an input belong to the job that wrote it.
	got = proposals(t, openlineage.Config{}, jobOf("a", `,"outputs":[],"inputs":[{"namespace":"duckdb://f","name":"shop.main.stg","facets":{"columnLineage":{"fields":{"id":{"inputFields":[`+seeded+`]}}}}}]`))
	if value := got["urn:li:dataProcessInstance:r dataProcessInstanceInput"]; value != `{"inputs":["`+out+`"]}` {
		t.Errorf("of an input that is made of another one there is %s", value)
	}
	// A dataset derived from itself stays only an output.
	got = proposals(t, openlineage.Config{}, columns(`{"namespace":"duckdb://f","name":"shop.main.stg","field":"id"}`))
	if value := got[job+" dataJobInputOutput"]; strings.Contains(value, `"inputDatasetEdges":[{`) || !strings.Contains(value, `"outputDatasetEdges":[{"created":`) || !strings.Contains(value, out) {
		t.Errorf("of a dataset that is made of itself there is %s", value)
	}
}

// jobOf returns an event of a job with further members.
func jobOf(name, members string) string {
	return `{"eventType":"START","eventTime":"2026-03-01T10:00:00Z","producer":"https://github.com/apache/airflow/tree/x","run":{"runId":"r"},"job":{"namespace":"prod","name":"` + name + `"}` + members + `}`
}

func TestWhatRunsAJobIsFound(t *testing.T) {
	t.Parallel()
	for producer, want := range map[string]string{
		`"producer":"https://github.com/OpenLineage/OpenLineage/tree/1.9.1/integration/dbt"`:                                                         "dbt",
		`"producer":"https://github.com/OpenLineage/OpenLineage/blob/v1-0-0/client"`:                                                                 "client",
		`"producer":"https://github.com/apache/airflow/tree/providers-openlineage/1.0"`:                                                              "airflow",
		`"producer":"https://github.com/trinodb/trino/plugin"`:                                                                                       "trino",
		`"producer":"https://shop.example","run":{"runId":"r","facets":{"processing_engine":{"name":"Flink"}}}`:                                      "flink",
		`"producer":"https://shop.example","run":{"runId":"r","facets":{"processing_engine":7}},"x":1,"producer":"https://github.com/trinodb/trino"`: "trino",
	} {
		event := strings.Replace(jobOf("a.b", ""), `"producer":"https://github.com/apache/airflow/tree/x","run":{"runId":"r"}`, producer, 1)
		if _, ok := proposals(t, openlineage.Config{}, event)["urn:li:dataFlow:("+want+",a,prod) dataFlowInfo"]; !ok {
			t.Errorf("%s: no flow of %s", producer, want)
		}
	}
	configured := openlineage.Config{Orchestrator: "prefect", Flow: "nightly", Instance: "north", Env: "DEV"}
	got := proposals(t, configured, strings.Replace(jobOf("a.b", `,"inputs":[{"namespace":"bigquery","name":"p.d.t"}]`), "https://github.com/apache/airflow/tree/x", "none", 1))
	for _, key := range []string{"urn:li:dataFlow:(prefect,nightly,north) dataFlowInfo", "urn:li:dataJob:(urn:li:dataFlow:(prefect,nightly,north),a.b) dataJobInfo", "urn:li:dataset:(urn:li:dataPlatform:bigquery,p.d.t,DEV) status"} {
		if _, ok := got[key]; !ok {
			t.Errorf("%s is not written", key)
		}
	}
}

func TestDatasetsHaveTheNamesOfTheirPlatforms(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		`"namespace":"awsathena://athena.eu.amazonaws.com","name":"c.d.t"`: "athena,c.d.t",
		`"namespace":"sqlserver://h:1433","name":"d.s.t"`:                  "mssql,d.s.t",
		`"namespace":"bigquery","name":"p.d.t"`:                            "bigquery,p.d.t",
		`"namespace":"gs://bucket","name":"/a/b"`:                          "gcs,bucket/a/b",
		`"namespace":"hdfs://nn:8020","name":"/a/b"`:                       "hdfs,/a/b",
		`"namespace":"abfss://c@account.dfs.core.windows.net","name":"/a"`: "abfs,/a",
		`"namespace":"dbfs","name":"/mnt/a"`:                               "dbfs,/mnt/a",
		`"namespace":"s3://b","name":"x","facets":{"symlinks":{"identifiers":[{"namespace":"arn:aws:glue:eu:1","name":"table/d/t","type":"TABLE"}]}}`: "glue,d.t",
		`"namespace":"file","name":"/a/b"`: "file,/a/b",
		`"namespace":"hdfs://nn:8020","name":"/a","facets":{"symlinks":{"identifiers":[{"namespace":"hive://h","name":"d.t","type":"TABLE"}]}}`:                                      "hive,d.t",
		`"namespace":"hdfs://nn:8020","name":"/a","facets":{"symlinks":{"identifiers":[{"namespace":"hive://h","name":"d.t","type":"VIEW"}]}}`:                                       "hdfs,/a",
		`"namespace":"s3://b","name":"a","facets":{"symlinks":{"identifiers":[{"namespace":"x","name":"y","type":"LOCATION"},{"namespace":"h","name":"table/a/b","type":"TABLE"}]}}`: "hive,a.b",
	} {
		if _, ok := proposals(t, openlineage.Config{}, jobOf("a", `,"inputs":[{`+given+`}]`))["urn:li:dataset:(urn:li:dataPlatform:"+want+",PROD) status"]; !ok {
			t.Errorf("%s is not %s", given, want)
		}
	}
}

// TestFactsOfEnginesAreProperties: properties of Spark and Airflow become properties of the
// pipeline; owners in a facet are ignored.
func TestFactsOfEnginesAreProperties(t *testing.T) {
	t.Parallel()
	event := strings.Replace(jobOf("a", `,"x":1`), `"run":{"runId":"r"}`, `"run":{"runId":"r","facets":{
		"processing_engine":{"name":"Airflow","version":"2.9","openlineageAdapterVersion":"1.1"},
		"spark_applicationDetails":{"_producer":"x","master":"yarn","appName":"load"},
		"airflow":{"dag":{"dag_id":"shop","schedule":"@daily"},"task":{"task_id":"load","retries":3}}}}`, 1)
	event = strings.Replace(event, `"name":"a"}`, `"name":"a","facets":{"ownership":{"owners":[{"name":"team:x","type":"OWNER"}]}}}`, 1)
	got := proposals(t, openlineage.Config{}, event)
	const want = `{"customProperties":{"airflow.dag.dag_id":"shop","airflow.dag.schedule":"@daily","airflow.task.retries":"3","airflow.task.task_id":"load","openlineageAdapterVersion":"1.1",` +
		`"processingEngine":"Airflow","processingEngineVersion":"2.9","spark.appName":"load","spark.master":"yarn"},"name":"a"}`
	if info := got["urn:li:dataFlow:(airflow,a,prod) dataFlowInfo"]; info != want {
		t.Errorf("got  %s\nwant %s", info, want)
	}
	for key := range got {
		if strings.Contains(key, "ownership") {
			t.Errorf("%s is written: %s", key, got[key])
		}
	}
}

func TestRunsEndAsTheirEventsSay(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{
		"START": `{"status":"STARTED","timestampMillis":1772359200000}`, "RUNNING": `{"status":"STARTED","timestampMillis":1772359200000}`,
		"FAIL":  `{"result":{"nativeResultType":"FAIL","type":"FAILURE"},"status":"COMPLETE","timestampMillis":1772359200000}`,
		"ABORT": `{"result":{"nativeResultType":"ABORT","type":"FAILURE"},"status":"COMPLETE","timestampMillis":1772359200000}`, "OTHER": "",
	} {
		got := proposals(t, openlineage.Config{}, strings.Replace(jobOf("a", ""), "START", kind, 1))
		if event := got["urn:li:dataProcessInstance:r dataProcessInstanceRunEvent"]; event != want {
			t.Errorf("%s: %s, want %s", kind, event, want)
		}
		for key := range got {
			if strings.HasSuffix(key, "dataJobInputOutput") || strings.HasSuffix(key, "Input") {
				t.Errorf("%s: an event without datasets takes lineage away: %s", kind, key)
			}
		}
	}
}

func TestOutputsThatAreTheInputsAreLeftOut(t *testing.T) {
	t.Parallel()
	same := `{"namespace":"bigquery","name":"t"}`
	got := proposals(t, openlineage.Config{}, jobOf("a", `,"inputs":[`+same+`],"outputs":[`+same+`,`+same+`]`))
	if lineage := got["urn:li:dataJob:(urn:li:dataFlow:(airflow,a,prod),a) dataJobInputOutput"]; !strings.Contains(lineage, `"outputDatasetEdges":[]`) {
		t.Error(lineage)
	}
}

func TestEventsOfJobsAndDatasetsAloneAreTaken(t *testing.T) {
	t.Parallel()
	got := proposals(t, openlineage.Config{}, `{"eventTime":"2026-03-01T10:00:00Z","dataset":{"namespace":"bigquery","name":"t","facets":{"schema":{"fields":[{"name":"a","type":"string"}]}}}}`)
	if len(got) != 2 {
		t.Errorf("got %v", got)
	}
	got = proposals(t, openlineage.Config{}, strings.Replace(jobOf("a", ""), `"run":{"runId":"r"},`, "", 1))
	for key := range got {
		if strings.Contains(key, "dataProcessInstance") {
			t.Errorf("no run, but %s", key)
		}
	}
}

func TestEventsThatCannotBeReadAreRefused(t *testing.T) {
	t.Parallel()
	many := func(n int, one string) string { return strings.TrimSuffix(strings.Repeat(one+",", n), ",") }
	column := `{"name":"a","type":"string"}`
	for event, reason := range map[string]string{
		``: "no OpenLineage event", `[]`: "no OpenLineage event", `{"eventTime":"yesterday"}`: "no OpenLineage event", `{}`: "eventTime",
		`{"eventTime":"2026-03-01T10:00:00Z"}`:                                                                           "run, job or dataset",
		`{"eventTime":"2026-03-01T10:00:00Z","run":{"runId":"r"}}`:                                                       "job: is required",
		`{"eventTime":"2026-03-01T10:00:00Z","run":{},"job":{}}`:                                                         "run.runId",
		`{"eventTime":"2026-03-01T10:00:00Z","job":{"namespace":"x"}}`:                                                   "job.name",
		`{"eventTime":"2026-03-01T10:00:00Z","dataset":{"name":"x"}}`:                                                    "dataset.namespace",
		strings.Replace(jobOf("a", ""), "airflow", "nobody", 1):                                                          "producer",
		jobOf(strings.Repeat("a", 513), ""):                                                                              "job.name: is of 513 bytes",
		jobOf("a", `,"inputs":[{"name":"x"}]`):                                                                           "inputs.namespace",
		jobOf("a", `,"outputs":[`+many(1001, `{"namespace":"x","name":"y"}`)+`]`):                                        "outputs: 1001 datasets",
		jobOf("a", `,"inputs":[{"namespace":"x","name":"y","facets":{"schema":{"fields":[`+many(10_001, column)+`]}}}]`): "more than 10000 columns",
		jobOf("a", `,"outputs":[{"namespace":"x","name":"y","facets":{"columnLineage":{"fields":{"c":{"inputFields":[`+many(50_001, `{"namespace":"x","name":"y","field":"z"}`)+`]}}}}}]`): "more than 50000 pairs",
		strings.Repeat(" ", openlineage.MaxBytes+1): "at most",
	} {
		_, err := openlineage.New(openlineage.Config{}).Proposals([]byte(event), jo)
		if kind := fault.KindOf(err); err == nil || (kind != fault.Malformed && kind != fault.TooLarge || !strings.Contains(err.Error(), reason)) {
			t.Errorf("%.100s: got %v, want %q", event, err, reason)
		}
	}
}

func FuzzEventsNeverPanicAndNameWhatIsValid(f *testing.F) {
	f.Add([]byte(spark))
	f.Add([]byte(jobOf("a.b", `,"inputs":[{"namespace":"x","name":"y","facets":{"schema":{"fields":[{"fields":[{}]}]}}}]`)))
	c := openlineage.New(openlineage.Config{})
	f.Fuzz(func(t *testing.T, event []byte) {
		list, err := c.Proposals(event, jo)
		if err != nil && len(list) > 0 {
			t.Error("an error, and changes")
		}
		if slices.ContainsFunc(list, func(p catalog.Proposal) bool { return p.URN == "" || p.Aspect == "" || len(p.Value) == 0 }) {
			t.Error(fmt.Sprint(list))
		}
	})
}
