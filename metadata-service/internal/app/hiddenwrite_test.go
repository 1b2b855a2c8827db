//go:build unix

package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
)

// TestConditionsAndPatchesTellNothingOfHiddenEntities writes aspects whose right depends on the
// change, as a user without rights: the stored data of a hidden entity must give the same response
// as an absent one.
func TestConditionsAndPatchesTellNothingOfHiddenEntities(t *testing.T) {
	t.Parallel()
	c := newConcealment(t, func(*app.Config) {})
	hidden, dataset := "urn:li:incident:"+mark+"s", string(c.hidden["dataset"])
	value := func(of string) string {
		return fmt.Sprintf(`{"type":"OPERATIONAL","title":"t","entities":[%q],"status":{"state":"ACTIVE","lastUpdated":{"time":1,"actor":"urn:li:corpuser:ann"}},"created":{"time":1,"actor":"urn:li:corpuser:ann"}}`, of)
	}
	put(t, c.app, hidden, "incidentInfo", value(dataset))
	patch := func(operations string) [3]string {
		return [3]string{http.MethodPatch, "/openapi/v3/entity/incident/URN/incidentInfo", `{"patch":` + operations + `,"forceGenericPatch":true}`}
	}
	conditional := func(headers string) [3]string {
		return [3]string{http.MethodPost, "/openapi/v3/entity/incident?async=false", `[{"urn":"URN","incidentInfo":{"value":` + value(string(c.seen["dataset"])) + `,"headers":` + headers + `}}]`}
	}
	create := func(change string) [3]string {
		return [3]string{http.MethodPost, "/aspects?action=ingestProposal", fmt.Sprintf(`{"proposal":{"entityType":"incident","entityUrn":"URN","changeType":%q,"aspectName":"incidentInfo","aspect":{"contentType":"application/json","value":%q}}}`, change, value(string(c.seen["dataset"])))}
	}
	for name, pair := range map[string][2][3]string{
		"the dataset is tested":  {patch(fmt.Sprintf(`[{"op":"test","path":"/entities/0","value":%q}]`, dataset)), patch(`[{"op":"test","path":"/entities/0","value":"urn:li:dataset:(urn:li:dataPlatform:hive,wrong,PROD)"}]`)},
		"the title is tested":    {patch(`[{"op":"test","path":"/title","value":"t"}]`), patch(`[{"op":"test","path":"/title","value":"u"}]`)},
		"the version is tested":  {conditional(`{"If-Version-Match":"1"}`), conditional(`{"If-Version-Match":"7"}`)},
		"the aspect is created":  {create("CREATE"), create("CREATE")},
		"the entity is created":  {create("CREATE_ENTITY"), create("CREATE_ENTITY")},
		"the title is replaced":  {patch(`[{"op":"replace","path":"/title","value":"x"}]`), patch(`[{"op":"replace","path":"/title","value":"x"}]`)},
		"the version is any one": {conditional(`{"If-Version-Match":"-1"}`), conditional(`{"If-Version-Match":"-1"}`)},
	} {
		asked := func(request [3]string, u string) answer {
			got := ask(t, c.app, c.viewer, request[0], strings.ReplaceAll(request[1], "URN", u), strings.ReplaceAll(request[2], "URN", u))
			if got.status == http.StatusOK {
				t.Errorf("%s is accepted: %s", name, got.body)
			}
			got.body = comparable(strings.ReplaceAll(got.body, u, "it"))
			return got
		}
		first := asked(pair[0], hidden)
		for _, other := range []answer{asked(pair[1], hidden), asked(pair[0], hidden[:len(hidden)-1]+"a")} {
			if name == "the version is tested" {
				other.body, first.body = "", "" // it quotes the requested version
			}
			if other != first {
				t.Errorf("%s:\n%d %s\n%d %s", name, first.status, first.body, other.status, other.body)
			}
		}
	}
}

// TestAnAnswerToAWriteShowsWhatMayBeRead repeats a report of another user, which is accepted and
// changes nothing.
func TestAnAnswerToAWriteShowsWhatMayBeRead(t *testing.T) {
	t.Parallel()
	a := open(t, settings(t.TempDir()))
	defer func() { shut(t, a) }()
	_, plain := provision(t, a, viewerURN)
	const source, request = "urn:li:dataHubIngestionSource:cli-abc", "urn:li:dataHubExecutionRequest:r1"
	put(t, a, source, "dataHubIngestionSourceInfo", `{"name":"s","type":"mysql","config":{"recipe":"{\"password\":\"zzhidden\"}","executorId":"__datahub_cli_"}}`)
	put(t, a, request, "dataHubExecutionRequestResult", `{"status":"SUCCESS","report":"zzhidden"}`)
	for _, r := range [][3]string{
		{http.MethodPatch, "/openapi/v3/entity/datahubexecutionrequest/" + request + "/dataHubExecutionRequestResult", `{"patch":[],"forceGenericPatch":true}`},
		{http.MethodPatch, "/openapi/v3/entity/datahubingestionsource/" + source + "/dataHubIngestionSourceInfo", `{"patch":[],"forceGenericPatch":true}`},
		{http.MethodPatch, "/openapi/v3/entity/datahubingestionsource/" + source + "/dataHubIngestionSourceInfo", `{"patch":[{"op":"copy","from":"/config/recipe","path":"/name"}],"forceGenericPatch":true}`},
		{http.MethodPost, "/openapi/v3/entity/datahubingestionsource?async=false", `[{"urn":"` + source + `","dataHubIngestionSourceInfo":{"value":{"name":"x","type":"mysql","config":{"recipe":"{}","executorId":"__datahub_cli_"}}}}]`},
	} {
		if got := ask(t, a, plain, r[0], r[1], r[2]); strings.Contains(got.body, mark) {
			t.Errorf("%s %s: %d %s", r[0], r[1], got.status, got.body)
		}
	}
	if got := mustAsk(t, a, asTheSystem, http.MethodGet, "/openapi/v3/entity/datahubingestionsource/"+source, ""); strings.Count(got, mark) != 1 || !strings.Contains(got, `"name":"s"`) {
		t.Errorf("the source became %s", got)
	}
}

// TestReferencesAreTakenOutOfWhatMayBeEdited removes a tag from everything that names it, as a user
// who may delete the tag.
func TestReferencesAreTakenOutOfWhatMayBeEdited(t *testing.T) {
	t.Parallel()
	c := newConcealment(t, func(*app.Config) {})
	tag, tags := string(c.seen["tag"]), ""
	put(t, c.app, tag, "tagProperties", `{"name":"t"}`)
	put(t, c.app, "urn:li:dataHubPolicy:deletes", "dataHubPolicyInfo", fmt.Sprintf(`{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE",
		"privileges":["DELETE_ENTITY"],"actors":{"users":[%q]},"resources":{"filter":{"criteria":[{"field":"URN","values":[%q],"condition":"EQUALS"}]}}}`, viewerURN, tag))
	put(t, c.app, "urn:li:dataHubPolicy:edits", "dataHubPolicyInfo", fmt.Sprintf(`{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE",
		"privileges":["EDIT_ENTITY"],"actors":{"users":[%q]},"resources":{"filter":{"criteria":[{"field":"URN","values":[%q],"condition":"EQUALS"}]}}}`, viewerURN, c.seen["chart"]))
	put(t, c.app, "urn:li:dataHubPolicy:deletesAsset", "dataHubPolicyInfo", fmt.Sprintf(`{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE",
		"privileges":["DELETE_ENTITY"],"actors":{"users":[%q]},"resources":{"filter":{"criteria":[{"field":"URN","values":[%q],"condition":"EQUALS"}]}}}`, viewerURN, c.seen["dataset"]))
	put(t, c.app, string(c.seen["dataset"]), "datasetProperties", `{"name":"d"}`)
	put(t, c.app, "urn:li:incident:about", "incidentInfo", fmt.Sprintf(`{"type":"OPERATIONAL","title":"t","entities":[%q],"status":{"state":"ACTIVE","lastUpdated":{"time":1,"actor":"urn:li:corpuser:x"}},"created":{"time":1,"actor":"urn:li:corpuser:x"}}`, c.seen["dataset"]))
	put(t, c.app, "urn:li:assertion:about", "assertionInfo", fmt.Sprintf(`{"type":"CUSTOM","customAssertion":{"type":"t","entity":%q}}`, c.seen["dataset"]))
	mustAsk(t, c.app, c.viewer, http.MethodPost, "/entities?action=deleteReferences", fmt.Sprintf(`{"urn":%q,"dryRun":false}`, c.seen["dataset"]))
	for _, about := range []string{"urn:li:incident:about", "urn:li:assertion:about"} {
		if text := mustAsk(t, c.app, asTheSystem, http.MethodGet, "/entitiesV2/"+about, ""); !strings.Contains(text, string(c.seen["dataset"])) {
			t.Errorf("%s does not name the dataset any more: %s", about, text)
		}
	}
	tagged := map[string]bool{string(c.hidden["dataset"]): true, string(c.seen["dataset"]): true, string(c.seen["chart"]): false}
	for u := range tagged {
		put(t, c.app, u, "globalTags", fmt.Sprintf(`{"tags":[{"tag":%q}]}`, tag))
	}
	for _, dry := range []bool{true, false} {
		got := ask(t, c.app, c.viewer, http.MethodPost, "/entities?action=deleteReferences", fmt.Sprintf(`{"urn":%q,"dryRun":%t}`, tag, dry))
		if got.status != http.StatusOK || strings.Contains(got.body, mark) || !strings.Contains(got.body, `"total":2`) {
			t.Errorf("dry %t: %d %s", dry, got.status, got.body)
		}
	}
	has := func(u string) bool {
		tags = mustAsk(t, c.app, asTheSystem, http.MethodGet, "/entitiesV2/"+u, "")
		return strings.Contains(tags, tag)
	}
	for u, want := range tagged {
		if has(u) != want {
			t.Errorf("%s has the tag: %v, want %v", u, !want, want)
		}
	}
	mustAsk(t, c.app, asTheSystem, http.MethodDelete, "/openapi/v3/entity/tag/"+tag, "")
	if got := ask(t, c.app, c.viewer, http.MethodPost, "/entities?action=deleteReferences", fmt.Sprintf(`{"urn":%q,"dryRun":false}`, tag)); got.status != http.StatusOK {
		t.Errorf("%d %s", got.status, got.body)
	}
	for u := range tagged {
		if has(u) {
			t.Errorf("%s names a tag that is gone: %s", u, tags)
		}
	}
}

// TestSiblingsAreNotTiedBeyondWhatMayBeWritten names tables of other users as the source of a dbt
// dataset, as its editor; one of the tables already has a sibling.
func TestSiblingsAreNotTiedBeyondWhatMayBeWritten(t *testing.T) {
	t.Parallel()
	c := newConcealment(t, func(*app.Config) {})
	const own = "urn:li:dataset:(urn:li:dataPlatform:dbt,own,PROD)"
	table := func(name string) string { return "urn:li:dataset:(urn:li:dataPlatform:snowflake," + name + ",PROD)" }
	put(t, c.app, "urn:li:dataHubPolicy:edits", "dataHubPolicyInfo", fmt.Sprintf(`{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE",
		"privileges":["EDIT_ENTITY","VIEW_ENTITY_PAGE"],"actors":{"users":[%q]},"resources":{"filter":{"criteria":[{"field":"URN","values":[%q],"condition":"EQUALS"}]}}}`, viewerURN, own))
	put(t, c.app, table("free"), "datasetProperties", `{"name":"free"}`)
	put(t, c.app, table("tied"), "siblings", `{"siblings":["urn:li:dataset:(urn:li:dataPlatform:dbt,another,PROD)"],"primary":false}`)
	put(t, c.app, own, "subTypes", `{"typeNames":["Source"]}`)
	siblings := func(credential, u string) answer {
		return ask(t, c.app, credential, http.MethodGet, "/openapi/v3/entity/dataset/"+u+"/siblings?systemMetadata=false", "")
	}
	for _, source := range []string{"free", "tied", "absent"} {
		before := siblings(asTheSystem, table(source))
		mustAsk(t, c.app, c.viewer, http.MethodPost, "/openapi/v3/entity/dataset?async=false", fmt.Sprintf(`[{"urn":%q,"upstreamLineage":{"value":{"upstreams":[{"dataset":%q,"type":"TRANSFORMED"}]}}}]`, own, table(source)))
		if got := siblings(asTheSystem, own); !strings.Contains(got.body, table(source)) || !strings.Contains(got.body, `"primary":true`) {
			t.Errorf("with the source %s the dataset has the siblings %s", source, got.body)
		}
		if after := siblings(asTheSystem, table(source)); after != before {
			t.Errorf("%s had the siblings %s and has %s", source, before.body, after.body)
		}
		mustAsk(t, c.app, asTheSystem, http.MethodDelete, "/openapi/v3/entity/dataset/"+own+"/siblings", "")
	}
}
