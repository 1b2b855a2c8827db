package catalog

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Names of aspects the write path itself reads or writes.
const (
	browsePaths      = "browsePathsV2"
	platformInstance = "dataPlatformInstance"
	platformInfo     = "dataPlatformInfo"
	status           = "status"
	tombstone        = "$tombstone" // no aspect of the model: marks a URN that never comes back
)

// defaultDelimiter splits dataset names of platforms that state none.
const defaultDelimiter = "."

// ensure makes the entity exist: when the batch touches a URN for the first
// time and its key is not stored, the key and the aspects that come with it are
// written first. They carry the run information of the item.
func (t *txn) ensure(it *item) error {
	if _, seen := t.fresh[it.urn]; seen {
		return nil
	}
	key := store.Key{URN: it.urn, Aspect: it.entity.Key.Name}
	rec, err := store.Latest(t.ctx, t.tx, key)
	if err != nil {
		return err
	}
	t.fresh[it.urn] = rec == nil
	if rec != nil {
		return nil
	}
	if err := t.addDefault(it, it.entity.Key, it.entity.KeyValue(it.urn)); err != nil {
		return err
	}
	return t.complete(it)
}

// complete writes what comes with an entity besides its key, as far as it lacks it.
func (t *txn) complete(it *item) error {
	for _, name := range it.entity.ServerDefaults {
		if err := t.addServerDefault(it, name); err != nil {
			return err
		}
	}
	if it.entity.Name != "dataset" {
		return nil
	}
	lowered := withLowerName(it.urn)
	if lowered == "" {
		return nil
	}
	return t.addAbsent(it, aliases, func() (model.Object, error) { return model.Object{lowercasedURN: string(lowered)}, nil })
}

// checkNotBuried refuses entities that left a tombstone.
func (t *txn) checkNotBuried(u urn.URN, entity *model.EntitySpec) error {
	if !entity.Key.Managed {
		return nil
	}
	buried, err := store.Latest(t.ctx, t.tx, store.Key{URN: u, Aspect: tombstone})
	if err == nil && buried != nil {
		return fault.New(fault.Invalid, "%s was revoked for good and cannot be written again", u)
	}
	return err
}

func (t *txn) addServerDefault(it *item, name string) error {
	switch name {
	case browsePaths:
		return t.addAbsent(it, name, func() (model.Object, error) { return t.browsePath(it) })
	case platformInstance:
		return t.addAbsent(it, name, func() (model.Object, error) {
			return model.Object{"platform": string(platformOf(it))}, nil
		})
	}
	return fault.New(fault.Internal, "registry: %s asks for the default aspect %s, which has no rule", it.entity.Name, name)
}

// addAbsent adds an aspect unless the batch brings it or it is stored.
func (t *txn) addAbsent(it *item, name string, value func() (model.Object, error)) error {
	spec, ok := it.entity.Aspect(name)
	key := store.Key{URN: it.urn, Aspect: name}
	if !ok || t.carried[key] {
		return nil
	}
	if rec, err := store.Latest(t.ctx, t.tx, key); err != nil || rec != nil {
		return err
	}
	v, err := value()
	if err != nil {
		return err
	}
	return t.addDefault(it, spec, v)
}

func (t *txn) addDefault(it *item, spec *model.AspectSpec, value model.Object) error {
	stored, err := store.Put(t.ctx, t.tx, nil, withEdges(store.Write{
		Key: store.Key{URN: it.urn, Aspect: spec.Name}, Value: jsontree.Encode(value), SchemaVersion: spec.SchemaVersion,
		System: inherited(it.system), Actor: t.actor, Now: t.now, TraceID: t.options.TraceID,
	}, spec, value))
	if err != nil {
		return err
	}
	t.report(&item{index: -1, urn: it.urn, spec: spec}, Inserted, stored.New)
	return nil
}

// platformOf is the platform a key names: its platform, its tool, or the
// orchestrator of the flow. Entity types with this default have one of them.
func platformOf(it *item) urn.URN {
	key := it.entity.KeyValue(it.urn)
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

// browsePath is the place of an entity in the browse tree when its source gave none.
func (t *txn) browsePath(it *item) (model.Object, error) {
	entries := []any{}
	key := it.entity.KeyValue(it.urn)
	switch it.entity.Name {
	case "dataset":
		var err error
		if entries, err = t.datasetPath(key); err != nil {
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

// datasetPath splits the dataset's name as its platform does, without the last
// piece. A first piece that names a platform instance becomes its URN.
func (t *txn) datasetPath(key model.Object) ([]any, error) {
	platform, _ := key["platform"].(string)
	name, _ := key["name"].(string)
	delimiter, err := t.delimiter(urn.URN(platform))
	if err != nil {
		return nil, err
	}
	pieces := slices.DeleteFunc(strings.Split(name, delimiter), func(piece string) bool { return piece == "" })
	if len(pieces) < 2 {
		return nil, nil
	}
	entries := make([]any, 0, len(pieces)-1)
	for _, piece := range pieces[:len(pieces)-1] {
		entries = append(entries, model.Object{"id": piece})
	}
	instance := urn.Make("dataPlatformInstance", platform, pieces[0])
	there, err := t.exists(instance)
	if there {
		entries[0] = model.Object{"id": string(instance), "urn": string(instance)}
	}
	return entries, err
}

func (t *txn) delimiter(platform urn.URN) (string, error) {
	info, err := t.read(platform, platformInfo)
	if err != nil {
		return "", err
	}
	if d, ok := info["datasetNameDelimiter"].(string); ok && d != "" {
		return d, nil
	}
	return defaultDelimiter, nil
}
