// Package logical stores logical models: datasets of a logical platform, which physical datasets
// implement. The link from a physical dataset or column is stored on the physical side.
package logical

import (
	"cmp"
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Entity types that can have a logical parent.
const (
	Dataset = "dataset"
	Column  = model.ColumnType
)

const (
	platformType    = "dataPlatform"
	defaultPlatform = "logical"
	defaultEnv      = "PROD"
	schemaAspect    = "schemaMetadata"
	properties      = "datasetProperties"
	parentAspect    = "logicalParent"
	instanceOf      = "PhysicalInstanceOf" // relationship of a parent link
	noun            = "dataset"
	maxColumns      = 20_000
	maxPairs        = 5000
	maxPath         = 4000 // bytes of a field path
	columnTypeSpace = "com.linkedin.schema."
)

// Service stores logical models. It is safe for concurrent use.
type Service struct{ edit *edit.Editor }

// New returns a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// Field is a column of a logical model.
type Field struct {
	Path   string
	Type   string // record of the model without its namespace, such as StringType
	Native string // display name of the type
}

// Draft describes a logical model to create.
type Draft struct {
	Name     string // in the URN
	Title    string // display name; Name when empty
	Env      string // PROD when empty
	Platform string // name or URN; the platform named logical when empty
	Fields   []Field
}

// Create creates a logical model with the actor as owner. It requires auth.CreateLogicalModels. The
// platform must be marked as logical.
func (s *Service) Create(ctx context.Context, d Draft) (urn.URN, error) {
	decided, err := s.edit.Require(ctx, auth.CreateLogicalModels)
	if err != nil {
		return "", err
	}
	if err := edit.Text("name", d.Name, edit.MaxName, true); err != nil {
		return "", err
	}
	if err := edit.Text("displayName", d.Title, edit.MaxName, false); err != nil {
		return "", err
	}
	if err := checkFields(d.Fields); err != nil {
		return "", err
	}
	platform, err := s.platform(d.Platform)
	if err != nil {
		return "", err
	}
	u, err := s.edit.Parse("name", string(urn.Make(Dataset, string(platform), d.Name, cmp.Or(d.Env, defaultEnv))), Dataset)
	if err != nil {
		return "", err
	}
	if err := s.mustBeLogical(ctx, "platform", platform); err != nil {
		return "", err
	}
	if err := s.edit.MustBeFree(ctx, "Logical Model", u); err != nil {
		return "", err
	}
	stamp := s.edit.Stamp(ctx)
	changes := append([]edit.Change{
		edit.Set(u, properties, jsontree.Object{"name": cmp.Or(d.Title, d.Name), "created": stamp, "lastModified": stamp}),
		edit.Set(u, schemaAspect, jsontree.Object{
			"schemaName": d.Name, "platform": string(platform), "version": 0, "hash": "", "created": stamp, "lastModified": stamp,
			"platformSchema": jsontree.Object{columnTypeSpace + "OtherSchema": jsontree.Object{"rawSchema": ""}},
			"fields":         fields(nil, d.Fields),
		}),
	}, s.edit.Creator(ctx, u)...)
	return u, s.edit.Create(ctx, decided, "Logical Model", u, changes...)
}

func (s *Service) platform(text string) (urn.URN, error) {
	if text = cmp.Or(text, defaultPlatform); !urn.Looks(text) {
		text = string(urn.Make(platformType, text))
	}
	return s.edit.Parse("platform", text, platformType)
}

func (s *Service) mustBeLogical(ctx context.Context, name string, platform urn.URN) error {
	info, err := s.edit.Stored(ctx, platform, "dataPlatformInfo")
	if err != nil {
		return err
	}
	if logical, _ := info["logical"].(bool); !logical {
		return fault.New(fault.Malformed, "%s: %s is no platform of logical models", name, platform)
	}
	return nil
}

func checkFields(list []Field) error {
	if len(list) > maxColumns {
		return fault.New(fault.TooLarge, "columns: %d entries, at most %d are allowed", len(list), maxColumns)
	}
	seen := make(map[string]bool, len(list))
	for _, f := range list {
		if err := edit.Text("columns.fieldPath", f.Path, maxPath, true); err != nil {
			return err
		}
		if seen[f.Path] {
			return fault.New(fault.Malformed, "columns: %q is there twice", f.Path)
		}
		seen[f.Path] = true
	}
	return nil
}

// fields returns the columns of a schema in their new order. Remaining columns keep their stored
// members, except for a changed type.
func fields(stored []jsontree.Object, list []Field) []any {
	before := make(map[string]jsontree.Object, len(stored))
	for _, f := range stored {
		before[jsontree.Text(f, "fieldPath")] = f
	}
	out := make([]any, len(list))
	for i, f := range list {
		next := before[f.Path]
		if next == nil {
			next = jsontree.Object{"fieldPath": f.Path, "nullable": false, "recursive": false, "isPartOfKey": false}
		}
		kind := columnTypeSpace + f.Type
		if _, same := jsontree.Child(jsontree.Child(next, "type"), "type")[kind]; !same {
			next["type"] = jsontree.Object{"type": jsontree.Object{kind: jsontree.Object{}}}
			next["nativeDataType"] = f.Native
		}
		out[i] = next
	}
	return out
}

// SetFields replaces the columns of an existing logical model. It requires auth.EditEntity on it.
func (s *Service) SetFields(ctx context.Context, u urn.URN, list []Field) error {
	decided, err := s.edit.Decide(ctx, auth.Over(u, auth.EditEntity).ToWrite(schemaAspect))
	if err != nil {
		return err
	}
	if err := checkFields(list); err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, noun, u); err != nil {
		return err
	}
	platform := urn.URN(u.Parts()[0])
	if err := s.mustBeLogical(ctx, "urn", platform); err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: schemaAspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		stamp := s.edit.Stamp(ctx)
		if value == nil {
			value = jsontree.Object{
				"schemaName": u.Parts()[1], "platform": string(platform), "version": 0, "hash": "", "created": stamp,
				"platformSchema": jsontree.Object{columnTypeSpace + "OtherSchema": jsontree.Object{"rawSchema": ""}},
			}
		}
		value["fields"] = fields(jsontree.Children(value, "fields"), list)
		value["lastModified"] = stamp
		removeMissingKeys(value, list)
		return value, nil
	}})
	return err
}

// removeMissingKeys removes deleted columns from the primary key.
func removeMissingKeys(schema jsontree.Object, list []Field) {
	keys, ok := schema["primaryKeys"].([]any)
	if !ok {
		return
	}
	there := make(map[any]bool, len(list))
	for _, f := range list {
		there[f.Path] = true
	}
	left := []any{}
	for _, k := range keys {
		if there[k] {
			left = append(left, k)
		}
	}
	schema["primaryKeys"] = left
}

// SetParent sets the logical parent of a dataset or column, in place of the previous one, or
// removes it if parent is empty. It requires auth.EditEntity on both, or for a column on its
// dataset; a removal requires it only on the child. Both must exist.
func (s *Service) SetParent(ctx context.Context, child, parent urn.URN) error {
	ends := []urn.URN{child}
	if parent != "" {
		ends = append(ends, parent)
	}
	var decided auth.Decisions
	for _, u := range ends {
		may, err := s.mayLink(ctx, u)
		if err != nil {
			return err
		}
		decided = append(decided, may...)
	}
	for _, u := range ends {
		if err := s.edit.MustExist(ctx, noun, datasetOf(u)); err != nil {
			return err
		}
	}
	_, err := s.edit.Apply(ctx, decided, s.link(ctx, child, parent))
	return err
}

// mayLink decides whether the actor may link an entity to others. For a column, the privilege on
// its dataset also suffices.
func (s *Service) mayLink(ctx context.Context, u urn.URN) (auth.Decisions, error) {
	over := auth.Over(u, auth.EditEntity).ToWrite(parentAspect)
	if u.Type() != Column {
		return s.edit.Decide(ctx, over)
	}
	return s.edit.DecideOne(ctx, auth.Over(datasetOf(u), auth.EditEntity).ToWrite(parentAspect), over)
}

// datasetOf returns the dataset of a column, or any other entity unchanged.
func datasetOf(u urn.URN) urn.URN {
	if u.Type() == Column {
		return urn.URN(u.Parts()[0])
	}
	return u
}

// link returns the change that sets or, for an empty parent, removes the parent of an entity. It
// keeps an equal link unchanged.
func (s *Service) link(ctx context.Context, child, parent urn.URN) edit.Change {
	return edit.Change{URN: child, Aspect: parentAspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		switch before := parentOf(value); {
		case before == parent:
			return nil, nil
		case parent == "":
			return jsontree.Object{}, nil
		}
		stamp := s.edit.Stamp(ctx)
		return jsontree.Object{"parent": jsontree.Object{"destinationUrn": string(parent), "created": stamp, "lastModified": stamp}}, nil
	}}
}

func parentOf(value jsontree.Object) urn.URN {
	return urn.URN(jsontree.Text(jsontree.Child(value, "parent"), "destinationUrn"))
}

// Pair is a column of a logical model with the physical column that implements it.
type Pair struct{ Parent, Child string }

// Link sets the logical model that a dataset implements. With pairs, exactly their columns are
// linked afterwards; with nil, column links to the same model stay. It requires auth.EditEntity on
// both datasets. Datasets and columns must exist.
func (s *Service) Link(ctx context.Context, parent, child urn.URN, pairs []Pair) error {
	if len(pairs) > maxPairs {
		return fault.New(fault.TooLarge, "columnMappings: %d entries, at most %d are allowed", len(pairs), maxPairs)
	}
	decided, err := s.edit.Decide(ctx, auth.OverEach([]urn.URN{child, parent}, auth.EditEntity).ToWrite(parentAspect))
	if err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, noun, parent, child); err != nil {
		return err
	}
	mapped, changes, err := s.columns(ctx, parent, child, pairs)
	if err != nil {
		return err
	}
	others, err := s.removeOtherLinks(ctx, child, mapped, func(to urn.URN) bool { return pairs == nil && datasetOf(to) == parent })
	if err != nil {
		return err
	}
	changes = append(append(changes, others...), s.link(ctx, child, parent))
	_, err = s.edit.Apply(ctx, decided, changes...)
	return err
}

// columns returns the changes that link columns, and the set of these columns.
func (s *Service) columns(ctx context.Context, parent, child urn.URN, pairs []Pair) (map[urn.URN]bool, []edit.Change, error) {
	mapped, changes := make(map[urn.URN]bool, len(pairs)), make([]edit.Change, 0, len(pairs))
	for _, p := range pairs {
		from, err := s.column("columnMappings.childFieldPath", child, p.Child)
		if err != nil {
			return nil, nil, err
		}
		to, err := s.column("columnMappings.parentFieldPath", parent, p.Parent)
		if err != nil {
			return nil, nil, err
		}
		if mapped[from] {
			return nil, nil, fault.New(fault.Malformed, "columnMappings: %q of the child is there twice", p.Child)
		}
		mapped[from] = true
		changes = append(changes, s.link(ctx, from, to))
	}
	return mapped, changes, nil
}

func (s *Service) column(name string, of urn.URN, path string) (urn.URN, error) {
	if err := edit.Text(name, path, maxPath, true); err != nil {
		return "", err
	}
	return s.edit.Parse(name, string(model.ColumnURN(of, path)), Column)
}

// removeOtherLinks returns the changes that remove the links of further columns of a dataset,
// except those to keep. It includes columns that the schema no longer has.
func (s *Service) removeOtherLinks(ctx context.Context, child urn.URN, mapped map[urn.URN]bool, keep func(to urn.URN) bool) ([]edit.Change, error) {
	links, err := s.columnLinks(ctx, child)
	if err != nil {
		return nil, err
	}
	var out []edit.Change
	for i := range links {
		if mapped[links[i].Source] || keep(links[i].Destination) {
			continue
		}
		out = append(out, edit.Change{URN: links[i].Source, Aspect: parentAspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
			if to := parentOf(value); to == "" || keep(to) {
				return nil, nil
			}
			return jsontree.Object{}, nil
		}})
	}
	return out, nil
}

// columnLinks returns the edges from the columns of a dataset to their logical parents, without
// checking privileges. It reads the URNs of columns with stored aspects, and no values.
func (s *Service) columnLinks(ctx context.Context, dataset urn.URN) ([]model.Edge, error) {
	prefix := model.ColumnsPrefix(dataset)
	var out []model.Edge
	for after := urn.URN(""); ; {
		columns, err := s.edit.Catalog.Scan(ctx, store.Scan{Type: Column, Prefix: prefix, After: after})
		if err != nil || len(columns) == 0 {
			return out, err
		}
		links, err := s.edit.Discover.Graph.Edges(ctx, graph.Query{Nodes: columns, Direction: graph.Outgoing, Types: []string{instanceOf}})
		if err != nil {
			return nil, err
		}
		out, after = append(out, links...), columns[len(columns)-1]
	}
}

// Unlink removes the logical parents of a dataset and of all its columns. It requires
// auth.EditEntity on the dataset, which must exist.
func (s *Service) Unlink(ctx context.Context, child urn.URN) error {
	decided, err := s.mayLink(ctx, child)
	if err != nil {
		return err
	}
	if err := s.edit.MustExist(ctx, noun, child); err != nil {
		return err
	}
	changes, err := s.removeOtherLinks(ctx, child, nil, func(urn.URN) bool { return false })
	if err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, append(changes, s.link(ctx, child, ""))...)
	return err
}
