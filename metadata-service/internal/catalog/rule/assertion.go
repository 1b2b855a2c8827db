package rule

import (
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

const assertionRunSummary = "assertionRunSummary"

// assertionRules determine the subject of an assertion and maintain a summary of its last results.
func assertionRules() []Rule {
	return []Rule{
		{Name: "subjects of assertions", Aspects: []string{"assertionInfo"}, Normalize: nameAsserted, Demands: demandOverAssets("assertionInfo")},
		{Name: "rights over datasets of contracts", Aspects: []string{"dataContractProperties"}, Demands: demandOverAssets("dataContractProperties")},
		{
			Name: "results of assertions", Aspects: []string{"assertionRunEvent"}, Derive: summarizeRun,
			Reads: func(u urn.URN, _ model.Object) []model.Key { return []model.Key{{URN: u, Aspect: assertionRunSummary}} },
		},
	}
}

// kindsOfAssertion are the members of an assertion that hold its kind, each with the member that
// names the asset.
var kindsOfAssertion = []struct{ member, entity string }{
	{"datasetAssertion", "dataset"}, {"freshnessAssertion", "entity"}, {"volumeAssertion", "entity"}, {"sqlAssertion", "entity"},
	{"fieldAssertion", "entity"}, {"schemaAssertion", "entity"}, {"customAssertion", "entity"},
}

// nameAsserted sets entityUrn and fieldPath of an assertion from the member of its kind.
func nameAsserted(value model.Object) model.Object {
	for _, kind := range kindsOfAssertion {
		if about := jsontree.Text(jsontree.Child(value, kind.member), kind.entity); about != "" {
			value["entityUrn"] = about
			break
		}
	}
	field := jsontree.Child(value, "fieldAssertion")
	for _, kind := range []string{"fieldValuesAssertion", "fieldMetricAssertion"} {
		if path := jsontree.Text(jsontree.Child(jsontree.Child(field, kind), "field"), "path"); path != "" {
			field["fieldPath"] = path
		}
	}
	return value
}

// resultMembers give for each result the member of the summary with its last time, and the status
// that it means.
var resultMembers = map[string][2]string{
	"SUCCESS": {"lastPassedAtMillis", "PASSING"}, "FAILURE": {"lastFailedAtMillis", "FAILING"},
	"ERROR": {"lastErroredAtMillis", "ERROR"}, "INIT": {"lastInitializedAtMillis", "INIT"},
}

// summarizeRun updates the last results of an assertion. The event is authorized for the entity it
// is written to, so that entity is summarized, regardless of assertionUrn in the event.
func summarizeRun(tx Effects, c *Change) error {
	member, known := resultMembers[jsontree.Text(jsontree.Child(c.After, "result"), "type")]
	if !known {
		return nil
	}
	summary, err := tx.Value(c.URN, assertionRunSummary)
	if err != nil {
		return err
	}
	at := jsontree.Int(c.After, "timestampMillis")
	if at < jsontree.Int(summary, member[0]) {
		return nil
	}
	next := jsontree.With(summary, model.Object{member[0]: jsontree.Number(at)})
	if at >= newestResult(summary) {
		next["assertionStatus"] = member[1]
	}
	if summary != nil && jsontree.Equal(summary, next) {
		return nil
	}
	return tx.Put(c.URN, assertionRunSummary, next)
}

func newestResult(summary model.Object) int64 {
	latest := int64(0)
	for _, member := range resultMembers {
		latest = max(latest, jsontree.Int(summary, member[0]))
	}
	return latest
}
