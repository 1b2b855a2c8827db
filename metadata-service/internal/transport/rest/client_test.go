package rest_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestRequestsOfTheClient sends the requests of the Python client in their original form, over a
// real connection: an ingestion run with its reports and its state, and the reads and deletions
// of the command line.
func TestRequestsOfTheClient(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(newService(t).handler)
	t.Cleanup(server.Close)
	const (
		execution = `"entityType": "dataHubExecutionRequest", "entityUrn": "urn:li:dataHubExecutionRequest:file-2026_08_13-10_00_00-abc123", "changeType": "UPSERT"`
		stamped   = `"systemMetadata": {"lastObserved": 1765000000000, "runId": "no-run-id-provided", "lastRunId": "no-run-id-provided", "properties": {"clientId": "acryl-datahub", "clientVersion": "1.7.0.17"}}`
		job       = `urn:li:dataJob:(urn:li:dataFlow:(datahub,nightly,prod),job)`
		jobPath   = `urn%3Ali%3AdataJob%3A%28urn%3Ali%3AdataFlow%3A%28datahub%2Cnightly%2Cprod%29%2Cjob%29`
	)
	for _, c := range []struct {
		name, method, target, body string
		status                     int
		part                       string // of the response
	}{
		{"the sink connects", "GET", "/config", "", 200, `"noCode": "true"`},
		{"telemetry looks for its id", "GET", "/aspects/urn%3Ali%3Atelemetry%3AclientId?aspect=telemetryClientId&version=0", "", 404, `"status":404`},
		{"the run announces itself", "POST", "/aspects?action=ingestProposal",
			`{"proposal": {` + execution + `, "aspectName": "dataHubExecutionRequestInput", "aspect": {"value": "{\"task\": \"CLI Ingestion\", \"args\": {\"recipe\": \"{}\", \"version\": \"1.7.0.17\"}, \"executorId\": \"__datahub_cli_\", \"source\": {\"type\": \"CLI_INGESTION_SOURCE\", \"ingestionSource\": \"urn:li:dataHubIngestionSource:cli-0f\"}, \"requestedAt\": 1765000000000}", "contentType": "application/json"}, ` + stamped + `}, "async": "false"}`,
			200, `{"value":"success"}`},
		{"stateful ingestion asks for a checkpoint", "POST", "/aspects?action=getTimeseriesAspectValues",
			`{"urn": "` + job + `", "entity": "dataJob", "aspect": "datahubIngestionCheckpoint", "limit": 1, "filter": {"or": [{"and": [{"field": "pipelineName", "values": ["nightly"], "condition": "EQUAL"}]}]}}`,
			200, `{"value":{"aspectName":"datahubIngestionCheckpoint","entityName":"dataJob","limit":1,"values":[]}}`},
		{"the first batch carries the source", "POST", "/aspects?action=ingestProposalBatch",
			`{"proposals": [{"entityType": "dataHubIngestionSource", "entityUrn": "urn:li:dataHubIngestionSource:cli-0f", "changeType": "UPSERT", "aspectName": "dataHubIngestionSourceInfo", "aspect": {"value": "{\"name\": \"[CLI] file\", \"type\": \"file\", \"platform\": \"urn:li:dataPlatform:unknown\", \"config\": {\"recipe\": \"\", \"version\": \"1.7.0.17\", \"executorId\": \"__datahub_cli_\"}}", "contentType": "application/json"}, ` + stamped + `},
			  {"entityType": "dataset", "entityUrn": "` + dataset + `", "changeType": "UPSERT", "aspectName": "status", "aspect": {"value": "{\"removed\": false}", "contentType": "application/json"}, "systemMetadata": {"lastObserved": 1765000000000, "runId": "file-2026_08_13-10_00_00-abc123", "lastRunId": "no-run-id-provided", "pipelineName": "nightly", "properties": {"clientId": "acryl-datahub", "clientVersion": "1.7.0.17"}}}], "async": "true"}`,
			200, `{"value":"success"}`},
		{"the run keeps its state", "POST", "/aspects?action=ingestProposal",
			`{"proposal": {"entityType": "dataJob", "entityUrn": "` + job + `", "changeType": "UPSERT", "aspectName": "datahubIngestionCheckpoint", "aspect": {"value": "{\"timestampMillis\": 1765000000000, \"partitionSpec\": {\"partition\": \"FULL_TABLE_SNAPSHOT\", \"type\": \"FULL_TABLE\"}, \"pipelineName\": \"nightly\", \"platformInstanceId\": \"\", \"config\": \"\", \"state\": {\"formatVersion\": \"1.0\", \"serde\": \"utf-8\", \"payload\": \"e30=\"}, \"runId\": \"file-2026\"}", "contentType": "application/json"}, ` + stamped + `}, "async": "false"}`,
			200, `{"value":"success"}`},
		{"the next run finds it", "POST", "/aspects?action=getTimeseriesAspectValues",
			`{"urn": "` + job + `", "entity": "dataJob", "aspect": "datahubIngestionCheckpoint", "limit": 1, "filter": {"or": [{"and": [{"field": "pipelineName", "values": ["nightly"], "condition": "EQUAL"}]}]}}`,
			200, `\"pipelineName\":\"nightly\"`},
		{"the last batch carries the result", "POST", "/aspects?action=ingestProposalBatch",
			`{"proposals": [{` + execution + `, "aspectName": "dataHubExecutionRequestResult", "aspect": {"value": "{\"status\": \"SUCCESS\", \"startTimeMs\": 1765000000000, \"durationMs\": 10, \"report\": \"` + strings.Repeat("ok ", 1<<18) + `\", \"structuredReport\": {\"type\": \"CLI_INGEST\", \"serializedValue\": \"{}\", \"contentType\": \"application/json\"}}", "contentType": "application/json"}, ` + stamped + `}], "async": "true"}`,
			200, `{"value":"success"}`},
		{"a snapshot is emitted", "POST", "/entities?action=ingest",
			`{"entity": {"value": {"com.linkedin.metadata.snapshot.DatasetSnapshot": {"urn": "` + dataset + `", "aspects": [{"com.linkedin.common.Status": {"removed": false}}]}}}, ` + stamped + `}`,
			200, ``},
		{"put aspect", "POST", "/aspects/?action=ingestProposal",
			`{"proposal": {"entityType": "dataset", "entityUrn": "` + dataset + `", "aspectName": "status", "changeType": "UPSERT", "aspect": {"contentType": "application/json", "value": "{\"removed\": true}"}, "systemMetadata": "{\"lastObserved\": 0, \"runId\": \"put\", \"lastRunId\": \"no-run-id-provided\"}"}}`,
			200, `{"value":"success"}`},
		{"soft delete of a name outside of ASCII", "POST", "/aspects?action=ingestProposal",
			`{"proposal": {"entityType": "tag", "entityUrn": "urn:li:tag:b\\u00fcc", "changeType": "UPSERT", "aspectName": "status", "aspect": {"value": "{\"removed\": true}", "contentType": "application/json"}, "systemMetadata": {"runId": "__datahub-delete-cli"}}, "async": "false"}`,
			200, `{"value":"success"}`},
		{"it is the same entity", "GET", "/aspects/urn%3Ali%3Atag%3Ab%C3%BCc?aspect=tagKey&version=0", "", 200, `{"name":"büc"}`},
		{"exists", "GET", "/aspects/urn%3Ali%3Adataset%3A%28urn%3Ali%3AdataPlatform%3Ahive%2Csales.orders%2CPROD%29?aspect=datasetKey&version=0", "", 200, `"com.linkedin.metadata.key.DatasetKey"`},
		{"get", "GET", "/entitiesV2/urn%3Ali%3Adataset%3A%28urn%3Ali%3AdataPlatform%3Ahive%2Csales.orders%2CPROD%29?aspects=List(status,datasetKey)", "", 200, `"value":{"removed":true}`},
		{"get of a latest document", "POST", "/aspects?action=getTimeseriesAspectValues", `{"urn": "` + job + `", "entity": "dataJob", "aspect": "datahubIngestionCheckpoint", "latestValue": true, "filter": {}}`, 200, `"limit":1`},
		{"migrate reads many", "GET", "/entitiesV2?ids=List(" + jobPath + ")", "", 200, `"errors":{}`},
		{"list runs", "POST", "/runs?action=list", `{"pageOffset": 0, "pageSize": 100, "includeSoft": false}`, 200, `"runId":"put"`},
		{"show a run", "POST", "/runs?action=describe", `{"runId": "put", "start": 0, "count": 100, "includeSoft": true, "includeAspect": false}`, 200, `"aspectName":"status"`},
		{"roll it back", "POST", "/runs?action=rollback", `{"runId": "put", "dryRun": false, "safe": true}`, 200, `"aspectsReverted":1`},
		{"hard delete", "POST", "/entities?action=delete", `{"urn": "` + dataset + `"}`, 200, `"urn":"` + dataset + `"`},
		{"hard delete of documents", "POST", "/entities?action=delete", `{"urn": "` + job + `", "aspectName": "datahubIngestionCheckpoint", "startTimeMillis": 1764000000000, "endTimeMillis": 1766000000000}`, 200, `"timeseriesRows":1`},
		{"delete by registry", "POST", "/entities?action=deleteAll", `{"registryId": "own:0.1", "dryRun": true, "soft": false}`, 200, `"aspectRowSummaries":[]`},
	} {
		status, answer := send(t, server, c.method, c.target, c.body)
		if status != c.status || !strings.Contains(answer, c.part) {
			t.Fatalf("%s: got %d %.500s, want %d with %s", c.name, status, answer, c.status, c.part)
		}
	}
}

// send adds the headers that the client sends with every request.
func send(t *testing.T, server *httptest.Server, method, target, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, server.URL+target, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type":              "application/json",
		"X-RestLi-Protocol-Version": "2.0.0",
		"User-Agent":                "DataHub-Client/1.0 (ingestion; datahub/cli; 1.7.0.17) python-requests/2.32",
		"X-DataHub-Client-Mode":     "INGESTION",
		"X-DataHub-Py-Cli-Version":  "1.7.0.17",
	} {
		r.Header.Set(name, value)
	}
	res, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}
