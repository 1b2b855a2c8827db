package rule

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// defaultDelimiter splits dataset names of platforms that define no delimiter.
const defaultDelimiter = "."

const platformInfo = "dataPlatformInfo"

// browseRules give new entities a platform and a place in the browse tree if their source gave
// none.
func browseRules() []Rule {
	return []Rule{
		{
			Name: "platform of new entities", Aspects: []string{"dataPlatformInstance"},
			Default: func(_ Tx, u urn.URN, entity *model.EntitySpec) (model.Object, error) {
				return model.Object{"platform": string(platformOf(u, entity))}, nil
			},
		},
		{
			Name: "browse path of new entities", Aspects: []string{"browsePathsV2"}, Default: browsePath,
			DefaultReads: func(u urn.URN, entity *model.EntitySpec) []model.Key {
				if entity.Name != "dataset" {
					return nil
				}
				keys := []model.Key{{URN: platformOf(u, entity), Aspect: platformInfo}}
				if instance := instanceOf(entity.KeyValue(u), defaultDelimiter); instance != "" {
					keys = append(keys, model.Key{URN: instance, Aspect: "dataPlatformInstanceKey"})
				}
				return keys
			},
		},
		{Name: "tree of containers", Aspects: []string{"container"}, Types: []string{"container"}, Demands: demandContents, DemandsWithEntity: true, DemandedOf: ByRollback},
	}
}

// platformOf returns the platform that a key names: its platform, its tool, or the orchestrator of
// the flow. Entity types with this default have one of them.
func platformOf(u urn.URN, entity *model.EntitySpec) urn.URN {
	key := entity.KeyValue(u)
	if flow, ok := key["flow"].(string); ok {
		key["orchestrator"] = urn.URN(flow).Parts()[0]
	}
	for _, part := range []string{"platform", "dashboardTool", "orchestrator"} {
		if name, ok := key[part].(string); ok {
			if urn.Looks(name) {
				return urn.URN(name)
			}
			return urn.Make("dataPlatform", name)
		}
	}
	return model.UnknownPlatform
}

// browsePath returns the default place of an entity in the browse tree.
func browsePath(tx Tx, u urn.URN, entity *model.EntitySpec) (model.Object, error) {
	entries := []any{}
	key := entity.KeyValue(u)
	switch entity.Name {
	case "dataset":
		var err error
		if entries, err = datasetPath(tx, key); err != nil {
			return nil, err
		}
	case "dataJob":
		entries = append(entries, model.Object{"id": key["flow"], "urn": key["flow"]})
	}
	if len(entries) == 0 {
		entries = append(entries, model.Object{"id": "Default"})
	}
	return model.Object{"path": entries}, nil
}

// datasetPath splits the dataset's name by the delimiter of its platform and omits the last piece.
// If the first piece names an existing platform instance, it becomes the URN of the instance.
func datasetPath(tx Tx, key model.Object) ([]any, error) {
	delimiter, err := delimiterOf(tx, urn.URN(jsontree.Text(key, "platform")))
	if err != nil {
		return nil, err
	}
	pieces := piecesOf(key, delimiter)
	if len(pieces) < 2 {
		return nil, nil
	}
	entries := make([]any, 0, len(pieces)-1)
	for _, piece := range pieces[:len(pieces)-1] {
		entries = append(entries, model.Object{"id": piece})
	}
	instance := instanceOf(key, delimiter)
	there, err := tx.Exists(instance)
	if there {
		entries[0] = model.Object{"id": string(instance), "urn": string(instance)}
	}
	return entries, err
}

func piecesOf(key model.Object, delimiter string) []string {
	pieces := strings.Split(jsontree.Text(key, "name"), delimiter)
	return slices.DeleteFunc(pieces, func(piece string) bool { return piece == "" })
}

// instanceOf returns the platform instance that the first piece of a dataset's name may denote,
// empty if there is only one piece.
func instanceOf(key model.Object, delimiter string) urn.URN {
	pieces := piecesOf(key, delimiter)
	if len(pieces) < 2 {
		return ""
	}
	return urn.Make("dataPlatformInstance", jsontree.Text(key, "platform"), pieces[0])
}

func delimiterOf(tx Tx, platform urn.URN) (string, error) {
	info, err := tx.Value(platform, platformInfo)
	if err != nil {
		return "", err
	}
	if d := jsontree.Text(info, "datasetNameDelimiter"); d != "" {
		return d, nil
	}
	return defaultDelimiter, nil
}
