package cli_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
	"github.com/cartulary/cartulary/pkg/command"
)

func TestAnExportComesIntoAnotherCatalogByImportAndADryRunSaysSoBefore(t *testing.T) {
	t.Parallel()
	folder := shortDir(t)
	from, to := filepath.Join(folder, "from"), filepath.Join(folder, "to")
	running(t, from)
	file := filepath.Join(folder, "catalog.json")
	if code, _, notes := call(t, "export", "--data-dir", from, "--out", file, "--entity-type", "dataset,tag"); code != command.OK {
		t.Fatal(notes)
	}
	s := apptest.Start(t, to, func(c *app.Config) { c.Auth.Enabled = false })
	imported := func(want int, says string, args ...string) {
		t.Helper()
		code, stdout, notes := call(t, append([]string{"import", "--server", s.URL}, args...)...)
		if code != want || !strings.Contains(stdout+notes, says) {
			t.Errorf("%v: got %d, %q, %q, want %d and %q", args, code, stdout, notes, want, says)
		}
	}
	imported(command.OK, "nothing was written; aspects to create 4, to change 0, the same 0, to delete 0, documents of time series 1, refused 0", "--dry-run", file)
	if status, _ := s.Call(http.MethodGet, "/entitiesV2/urn%3Ali%3Adataset%3A(urn%3Ali%3AdataPlatform%3Ahive%2Cexported%2CPROD)", ""); status != http.StatusOK {
		t.Errorf("the catalog answers %d", status)
	}
	imported(command.OK, "to create 4", "--dry-run", file) // as nothing has been written
	imported(command.OK, "entities 1, aspects", file)
	imported(command.OK, "aspects to create 0, to change 0, the same", "--dry-run", file)
	code, again, notes := call(t, "export", "--data-dir", to, "--out", "-", "--entity-type", "dataset,tag")
	if code != command.OK {
		t.Fatal(notes)
	}
	if got, want := strings.Count(again, "\n{"), strings.Count(exported(t, file), "\n{"); got != want || !strings.Contains(again, `"rowCount":5`) {
		t.Errorf("there are %d items, and %d were exported", got, want)
	}

	odd := filepath.Join(folder, "odd.json")
	const dataset = `{"entityType":"dataset","entityUrn":"urn:li:dataset:(urn:li:dataPlatform:hive,exported,PROD)",`
	text := `[` + strings.Join([]string{
		dataset + `"changeType":"UPSERT","aspectName":"datasetProperties","aspect":{"json":{"name":"other"}}}`,
		dataset + `"changeType":"UPSERT","aspectName":"datasetProperties","aspect":{"json":{"name":7.5,"tags":"none"}}}`,
		dataset + `"changeType":"UPSERT","aspectName":"tagProperties","aspect":{"json":{"name":"x"}}}`,
		dataset + `"changeType":"PATCH","aspectName":"datasetProperties","aspect":{"json":[{"op":"add","path":"/description","value":"d"}]}}`,
		dataset + `"changeType":"DELETE","aspectName":"datasetProperties"}`,
		dataset + `"changeType":"DELETE","aspectName":"ownership"}`,
		`{"entityType":"corpuser","entityUrn":"urn:li:corpuser:jo","changeType":"UPSERT","aspectName":"corpUserCredentials","aspect":{"json":{}}}`,
		`{"proposedSnapshot":{"com.linkedin.pegasus2avro.metadata.snapshot.TagSnapshot":{"urn":"urn:li:tag:a","aspects":[{"com.linkedin.pegasus2avro.tag.TagProperties":{"name":"a","description":null}}]}}}`,
	}, ",") + `]`
	if err := os.WriteFile(odd, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	imported(command.Failed, "aspects to create 1, to change 2, the same 1, to delete 1, documents of time series 0, refused 3", "--dry-run", "--continue-on-error", odd)
	imported(command.Failed, "item 2 (datasetProperties of urn:li:dataset:(urn:li:dataPlatform:hive,exported,PROD))", "--dry-run", odd)
	imported(command.Failed, "item 3 (tagProperties of urn:li:dataset:(urn:li:dataPlatform:hive,exported,PROD)): Unknown aspect tagProperties for entity dataset", "--dry-run", "--continue-on-error", odd)
	imported(command.Failed, "refused 3", "--continue-on-error", odd)
}

// Items that the user may not read cannot be compared; the result reports each of them.
func TestADryRunTellsWhichItemsItsUserMayNotRead(t *testing.T) {
	t.Parallel()
	folder := shortDir(t)
	s := apptest.Start(t, filepath.Join(folder, "data"))
	const mine, theirs = "urn:li:dataset:(urn:li:dataPlatform:hive,mine,PROD)", "urn:li:dataset:(urn:li:dataPlatform:hive,theirs,PROD)"
	s.JSON(http.MethodPost, "/openapi/v3/entity/datahubpolicy?async=false", `[{"urn":"urn:li:dataHubPolicy:mine","dataHubPolicyInfo":{"value":{"displayName":"mine","description":"","type":"METADATA","state":"ACTIVE",
		"privileges":["EDIT_ENTITY"],"actors":{"users":["urn:li:corpuser:jo"]},"resources":{"filter":{"criteria":[{"field":"URN","values":["`+mine+`"]}]}}}}}]`, nil)
	for _, id := range []string{"view-entity-page-all"} {
		s.JSON(http.MethodPost, "/entities?action=delete", `{"urn":"urn:li:dataHubPolicy:`+id+`"}`, nil)
	}
	item := func(dataset, description string) string {
		return `{"entityType":"dataset","entityUrn":"` + dataset + `","changeType":"UPSERT","aspectName":"datasetProperties","aspect":{"json":{"description":"` + description + `"}}}`
	}
	file := filepath.Join(folder, "sets.json")
	if err := os.WriteFile(file, []byte("["+strings.Join([]string{item(mine, "a"), item(theirs, "b"), item(mine, "c"), item(theirs, "d")}, ",")+"]"), 0o600); err != nil {
		t.Fatal(err)
	}
	jo := s.As("urn:li:corpuser:jo")
	dry := func(args ...string) (int, string) {
		code, stdout, notes := call(t, append([]string{"import", "--server", s.URL, "--token", jo.Token(), "--dry-run", file}, args...)...)
		return code, stdout + notes
	}
	const first = "sets.json: item 2 (datasetProperties of " + theirs + "): compare with the catalog: server answered 403: "
	if code, said := dry(); code != command.Failed || !strings.Contains(said, first) || strings.Contains(said, "item 4") {
		t.Errorf("got %d, %s", code, said)
	}
	code, said := dry("--continue-on-error")
	if code != command.Failed || !strings.Contains(said, "aspects to create 2, to change 0, the same 0, to delete 0, documents of time series 0, refused 2") ||
		!strings.Contains(said, "refused: "+filepath.Join(folder, first)) || !strings.Contains(said, "sets.json: item 4 (datasetProperties of "+theirs+"): ") {
		t.Errorf("got %d, %s", code, said)
	}
}
