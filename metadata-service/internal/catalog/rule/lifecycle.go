package rule

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// lifecycleRules apply the definitions of lifecycle stages to the stage of an asset.
func lifecycleRules() []Rule {
	return []Rule{{Name: "lifecycle stages", Aspects: []string{"status"}, Adjust: keepStage, Validate: checkStage, Reads: stageReads}}
}

func stageReads(_ urn.URN, value model.Object) []model.Key {
	stage := jsontree.Text(value, "lifecycleStage")
	if stage == "" {
		return nil
	}
	return []model.Key{{URN: urn.URN(stage), Aspect: "lifecycleStageTypeInfo"}}
}

// keepStage undoes a change of stage that the new stage does not permit from the old one.
func keepStage(tx Tx, c *Change) error {
	from, to := jsontree.Text(c.Before, "lifecycleStage"), jsontree.Text(c.After, "lifecycleStage")
	if to == "" || to == from {
		return nil
	}
	stage, err := tx.Value(urn.URN(to), "lifecycleStageTypeInfo")
	if err != nil || stage == nil {
		return err
	}
	allowed := jsontree.Child(stage, "transitionPolicy")
	if _, restricted := allowed["allowedPreviousStages"]; !restricted || slices.Contains(jsontree.Texts(allowed, "allowedPreviousStages"), from) {
		return nil
	}
	c.After = jsontree.With(c.After, model.Object{"lifecycleStage": c.Before["lifecycleStage"], "lifecycleLastUpdated": c.Before["lifecycleLastUpdated"]})
	return nil
}

// checkStage requires a stage that exists and applies to the entity type.
func checkStage(tx Tx, c *Change) error {
	stage := jsontree.Text(c.After, "lifecycleStage")
	if stage == "" || stage == jsontree.Text(c.Before, "lifecycleStage") {
		return nil
	}
	info, err := tx.Value(urn.URN(stage), "lifecycleStageTypeInfo")
	if err != nil {
		return err
	}
	if info == nil {
		return violation("status", "/lifecycleStage", "must be a lifecycle stage that exists, found %q", stage)
	}
	types := jsontree.Texts(info, "entityTypes")
	if len(types) > 0 && !slices.ContainsFunc(types, func(name string) bool { return strings.EqualFold(name, c.Entity.Name) }) {
		return violation("status", "/lifecycleStage", "%q is for %s, not for %s", stage, strings.Join(types, ", "), c.Entity.Name)
	}
	return nil
}
