package rule_test

import (
	"fmt"
	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	ownSource  urn.URN = "urn:li:dataHubIngestionSource:cli-5d41402a"
	ownRequest urn.URN = "urn:li:dataHubExecutionRequest:r1"
	mia        urn.URN = "urn:li:corpuser:mia"
)

// reportedSource returns the report of a pipeline about itself, with an executor and further
// members.
func reportedSource(executor, more string) catalog.Proposal {
	return catalogtest.Proposal(ownSource, "dataHubIngestionSourceInfo",
		fmt.Sprintf(`{"name":"p","type":"mysql","config":{"recipe":"{}","executorId":%q}%s}`, executor, more))
}

func reportedRun(executor, origin, source, actor string) catalog.Proposal {
	members := ""
	if actor != "" {
		members = fmt.Sprintf(`,"actorUrn":%q`, actor)
	}
	from := ""
	if source != "" {
		from = fmt.Sprintf(`,"ingestionSource":%q`, source)
	}
	return catalogtest.Proposal(ownRequest, "dataHubExecutionRequestInput",
		fmt.Sprintf(`{"task":"t","args":{},"executorId":%q,"requestedAt":1,"source":{"type":%q%s}%s}`, executor, origin, from, members))
}

func reportedResult(status string) catalog.Proposal {
	return catalogtest.Proposal(ownRequest, "dataHubExecutionRequestResult", fmt.Sprintf(`{"status":%q}`, status))
}

// Data that an executor would run is no report, even if its writer declares it as one.
func TestPipelinesReportTheirSourceAndNothingElse(t *testing.T) {
	const cli = "__datahub_cli_"
	const schedule = `,"schedule":{"interval":"* * * * *","timezone":"UTC"}`
	scheduled := reportedSource("default", schedule)
	runRules(t, []ruleCase{
		{name: "a report passes", as: jo, write: reportedSource(cli, "")},
		{name: "with a schedule it is none", as: jo, write: reportedSource(cli, schedule), kind: fault.Forbidden, refused: "/schedule must be absent"},
		{name: "nor with an executor", as: jo, write: reportedSource("default", ""), kind: fault.Forbidden, refused: "/config/executorId must be __datahub_cli_"},
		{name: "nor without one", as: jo, write: reportedSource("", ""), kind: fault.Forbidden, refused: "/config/executorId"},
		{name: "nor as a source of the system", as: jo, write: reportedSource(cli, `,"source":{"type":"SYSTEM"}`), kind: fault.Forbidden, refused: "/source must be absent"},
		{name: "a source that somebody manages stays", as: jo, before: []catalog.Proposal{scheduled}, write: reportedSource(cli, ""), kind: fault.Forbidden, refused: "somebody manages it"},
		{name: "a report may be written again", as: jo, before: []catalog.Proposal{reportedSource(cli, "")}, write: reportedSource(cli, `,"platform":"urn:li:dataPlatform:mysql"`)},
		{name: "who manages ingestion writes any", write: scheduled},
		{
			name: "the refusal names the privilege", as: jo, write: reportedSource("default", ""), kind: fault.Forbidden,
			refused: "unauthorized without the privilege MANAGE_INGESTION",
		},
	})
}

func TestPipelinesReportTheirRunsAndNothingElse(t *testing.T) {
	const cli, origin = "__datahub_cli_", "CLI_INGESTION_SOURCE"
	good := reportedRun(cli, origin, string(ownSource), string(jo))
	runRules(t, []ruleCase{
		{name: "a report passes", as: jo, write: good},
		{name: "source and actor may be left out", as: jo, write: reportedRun(cli, origin, "", "")},
		{name: "with an executor it is none", as: jo, write: reportedRun("default", origin, string(ownSource), string(jo)), kind: fault.Forbidden, refused: "/executorId must be __datahub_cli_"},
		{name: "nor from a schedule", as: jo, write: reportedRun(cli, "SCHEDULED_INGESTION_SOURCE", string(ownSource), string(jo)), kind: fault.Forbidden, refused: "/source/type must be CLI_INGESTION_SOURCE"},
		{name: "nor of a source that is managed", as: jo, write: reportedRun(cli, origin, "urn:li:dataHubIngestionSource:warehouse", string(jo)), kind: fault.Forbidden, refused: "an id that begins with cli-"},
		{name: "nor in the name of another", as: jo, write: reportedRun(cli, origin, string(ownSource), string(mia)), kind: fault.Forbidden, refused: "/actorUrn must be urn:li:corpuser:jo"},
		{name: "what the system asked for stays", as: jo, before: []catalog.Proposal{reportedRun("default", "MANUAL_INGESTION_SOURCE", "", "")}, write: good, kind: fault.Forbidden, refused: "somebody else reported this run first"},
		{name: "who manages ingestion writes any", write: reportedRun("default", "MANUAL_INGESTION_SOURCE", "", string(mia))},
	})
}

func TestARunIsReportedByWhoReportedItFirst(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		good := reportedRun("__datahub_cli_", "CLI_INGESTION_SOURCE", "", "")
		f.MustAs(jo, good)
		f.RefuseAs(f.As(mia), fault.Forbidden, "somebody else reported this run first", reportedResult("SUCCESS"))
		f.RefuseAs(f.As(mia), fault.Forbidden, "somebody else reported this run first", reportedRun("__datahub_cli_", "CLI_INGESTION_SOURCE", string(ownSource), ""))
		f.MustAs(jo, reportedResult("RUNNING"))
		f.MustAs(jo, reportedResult("SUCCESS"))
		f.WantValue(ownRequest, "dataHubExecutionRequestResult", `{"status":"SUCCESS"}`)
	})
}

// Pipelines of several people with the same name have the same source. Reports of the others pass,
// since a refusal would also refuse the other metadata that their clients send in the same batch.
func TestASourceSaysWhatWasReportedByWhoReportedItFirst(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const cli, mysql = "__datahub_cli_", `,"platform":"urn:li:dataPlatform:mysql"`
		f.MustAs(jo, reportedSource(cli, ""))
		first := f.Value(ownSource, "dataHubIngestionSourceInfo")
		f.MustAs(mia, reportedSource(cli, mysql))
		f.WantValue(ownSource, "dataHubIngestionSourceInfo", first)
		f.MustAs(mia, catalogtest.Proposal(ownSource, "dataHubIngestionSourceInfo", `{"forceGenericPatch":true,"patch":[{"op":"replace","path":"/name","value":"of mia"}]}`, model.Patch))
		f.WantValue(ownSource, "dataHubIngestionSourceInfo", first)
		f.RefuseAs(f.As(mia), fault.Forbidden, "/config/executorId", reportedSource("default", ""))
		f.MustAs(jo, reportedSource(cli, mysql))
		if f.Value(ownSource, "dataHubIngestionSourceInfo") == first {
			t.Error("the first reporter does not change its source")
		}
	})
}

func TestAResultIsReportedOfWhatIsARunOfOnesOwn(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		// Its input did not arrive.
		f.MustAs(jo, reportedResult("RUNNING"))
		// An actor that manages ingestion turns it into a request for an executor: only the
		// executor may report its result.
		f.Must(reportedRun("default", "MANUAL_INGESTION_SOURCE", "", ""))
		f.RefuseAs(f.As(jo), fault.Forbidden, "reported by the executor that ran it", reportedResult("SUCCESS"))
		f.RefuseAs(f.As(jo), fault.Forbidden, "somebody else made", reportedRun("__datahub_cli_", "CLI_INGESTION_SOURCE", "", ""))
		f.Must(reportedResult("SUCCESS"))
	})
}

// Runs that the service schedules have predictable ids; no actor may report a run of its own under
// them.
func TestNobodyReportsUnderTheIdOfAScheduledRun(t *testing.T) {
	const scheduled urn.URN = "urn:li:dataHubExecutionRequest:scheduled-0123"
	if auth.Reports(scheduled, "dataHubExecutionRequestInput") || auth.Reports(scheduled, "dataHubExecutionRequestKey") || auth.Reports(scheduled, "dataHubExecutionRequestResult") {
		t.Error("a scheduled run is reported")
	}
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		for _, p := range []catalog.Proposal{reportedRun("__datahub_cli_", "CLI_INGESTION_SOURCE", "", ""), reportedResult("SUCCESS")} {
			p.URN = string(scheduled)
			f.RefuseAs(f.As(jo), fault.Forbidden, "", p)
		}
	})
}
