package rule

import (
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

const incidentsSummary = "incidentsSummary"

// incidentRules maintain the incident summaries of the assets that incidents concern.
func incidentRules() []Rule {
	return []Rule{{
		Name: "summaries of incidents", Aspects: []string{incidentsSummary},
		Causes: func(value model.Object) []urn.URN {
			var incidents []urn.URN
			for _, list := range []string{"activeIncidentDetails", "resolvedIncidentDetails"} {
				for _, details := range jsontree.Children(value, list) {
					incidents = append(incidents, urn.URN(jsontree.Text(details, "urn")))
				}
			}
			return incidents
		},
	}, {
		Name: "incidents of assets", Aspects: []string{"incidentInfo"}, Derive: summarizeIncident,
		Demands: demandOverAssets("incidentInfo"),
		Reads: func(_ urn.URN, value model.Object) []model.Key {
			var keys []model.Key
			for _, asset := range jsontree.Texts(value, "entities") {
				keys = append(keys, model.Key{URN: urn.URN(asset), Aspect: incidentsSummary})
			}
			return keys
		},
	}}
}

// summarizeIncident adds an incident to the summaries of the assets it concerns, and removes it
// from those it no longer concerns.
func summarizeIncident(tx Effects, c *Change) error {
	concerned := map[string]bool{}
	if c.After != nil {
		details := incidentDetails(c.URN, c.After)
		for _, asset := range jsontree.Texts(c.After, "entities") {
			concerned[asset] = true
			if c.Awaited != "" && string(c.Awaited) != asset {
				continue
			}
			if err := putIncident(tx, c.URN, urn.URN(asset), details); err != nil {
				return err
			}
		}
	}
	for _, asset := range jsontree.Texts(c.Before, "entities") {
		if concerned[asset] {
			continue
		}
		if err := putIncident(tx, c.URN, urn.URN(asset), nil); err != nil {
			return err
		}
	}
	return nil
}

func incidentDetails(incident urn.URN, info model.Object) model.Object {
	state := jsontree.Child(info, "status")
	kind := jsontree.Text(info, "type")
	if custom := jsontree.Text(info, "customType"); kind == "CUSTOM" && custom != "" {
		kind = custom
	}
	details := model.Object{"urn": string(incident), "type": kind, "createdAt": jsontree.Child(info, "created")["time"]}
	if jsontree.Text(state, "state") == "RESOLVED" {
		details["resolvedAt"] = jsontree.Child(state, "lastUpdated")["time"]
	}
	if p, stated := info["priority"]; stated {
		details["priority"] = p
	}
	return details
}

// putIncident puts an incident into the active or resolved list of an asset's summary; nil details
// remove it from both.
func putIncident(tx Effects, incident, asset urn.URN, details model.Object) error {
	summary, err := tx.Value(asset, incidentsSummary)
	if err != nil || summary == nil && details == nil {
		return err
	}
	next := jsontree.With(summary, nil)
	for _, list := range []string{"activeIncidentDetails", "resolvedIncidentDetails"} {
		kept := []any{}
		for _, d := range jsontree.Children(summary, list) {
			if jsontree.Text(d, "urn") != string(incident) {
				kept = append(kept, d)
			}
		}
		if _, resolved := details["resolvedAt"]; details != nil && resolved == (list == "resolvedIncidentDetails") {
			kept = append(kept, details)
		}
		next[list] = kept
	}
	if summary != nil && jsontree.Equal(summary, next) {
		return nil
	}
	return tx.Put(asset, incidentsSummary, next)
}
