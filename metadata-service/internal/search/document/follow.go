package document

import (
	"context"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/set"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Some entities are read by whoever reads another one: a column with its dataset, a
// query with all that it asks, an incident, assertion or contract with all that it is
// about, a document that stands for an asset of another system with that asset. The index
// holds their names, and a search asks about them by a search.Reference.
const (
	// ColumnOf holds what a column belongs to.
	ColumnOf = "_columnOf"
	// Subjects holds what a query asks and what another entity is about, datasets in place of
	// their columns. An entity with more subjects than a field has values holds its own URN.
	Subjects = "_subjects"
	// StandsFor holds the asset that a document stands for.
	StandsFor = "_standsFor"
)

// Entity types that follow others, and the aspects that tell which.
const (
	columnType     = model.ColumnType
	documentType   = "document"
	subTypesAspect = "subTypes"
	documentAspect = "documentInfo"
	statusAspect   = "status"
	removedField   = "removed" // of the aspect and of documents
)

// Documents that stand for an asset of another system.
const (
	bridgePrefix = "bridge-"
	bridgeType   = "Bridge Document"
	bridgeSource = "bridge_source_entity"
)

// SubjectsAspect is the aspect in which the entities of a type name the assets that they are
// about, empty for types that are about none.
func SubjectsAspect(entityType string) string { return model.SubjectsOf(entityType).Aspect }

// SubjectsOf is what an entity of a type is about by one of the aspects that model.SubjectsOf lists, each once in the
// order of the aspect; value is that aspect as it is stored, empty for one that is absent. A
// column stands for what it belongs to. Errors are of the value, which is no JSON.
func SubjectsOf(entityType, aspect string, value []byte) ([]urn.URN, error) {
	if len(value) == 0 {
		return nil, nil
	}
	var found []string
	var err error
	for _, place := range model.SubjectsOf(entityType).PlacesIn(aspect) {
		if found, err = jsontree.AppendTextsAt(found, value, place...); err != nil {
			return nil, err
		}
	}
	var list set.Set[urn.URN]
	for _, text := range found {
		u := urn.URN(text)
		if parent := model.ParentOfColumn(u); parent != "" {
			u = parent
		}
		list.Add(u)
	}
	return list.List(), nil
}

// MayStandForAsset tells whether a document is named like one that stands for an asset
// of another system.
func MayStandForAsset(document urn.URN) bool {
	return document.Type() == documentType && strings.HasPrefix(document.Key(), bridgePrefix)
}

// SourceOf is the asset that a document stands for, by its aspects subTypes and
// documentInfo; empty for other documents.
func SourceOf(document urn.URN, subTypes, documentInfo model.Object) urn.URN {
	if !MayStandForAsset(document) || !slices.Contains(jsontree.Texts(subTypes, "typeNames"), bridgeType) {
		return ""
	}
	source, err := urn.Parse(jsontree.Text(jsontree.Child(documentInfo, "customProperties"), bridgeSource))
	if err != nil || source.Type() == documentType {
		return ""
	}
	return source
}

// followed adds the names of the entities that this one is read with, and marks a column as
// soft-deleted while the entity is that it belongs to.
func (m *documentMaker) followed(ctx context.Context, b *Builder, s *Source) error {
	switch m.doc.Type {
	case columnType:
		if parent := model.ParentOfColumn(s.URN); parent != "" {
			m.doc.Fields[ColumnOf] = []search.Value{{Text: string(parent)}}
			removed, err := b.lookups.isRemoved(ctx, parent)
			if err != nil {
				return err
			}
			if removed {
				m.doc.Fields[removedField] = []search.Value{{Text: "true"}}
			}
		}
	case documentType:
		if !MayStandForAsset(s.URN) {
			return nil
		}
		types, err := aspectOf(s, subTypesAspect)
		if err != nil {
			return err
		}
		info, err := aspectOf(s, documentAspect)
		if err != nil {
			return err
		}
		if source := SourceOf(s.URN, types, info); source != "" {
			m.doc.Fields[StandsFor] = []search.Value{{Text: string(source)}}
		}
	default:
		return m.about(s)
	}
	return nil
}

// about adds the names of the assets that the entity is about.
func (m *documentMaker) about(s *Source) error {
	var found set.Set[urn.URN]
	for _, aspect := range model.SubjectsOf(m.doc.Type).Aspects() {
		i := slices.IndexFunc(s.Records, func(r model.Record) bool { return r.Aspect == aspect })
		if i < 0 {
			continue
		}
		named, err := SubjectsOf(m.doc.Type, aspect, s.Records[i].Value)
		if err != nil {
			return err
		}
		for _, u := range named {
			found.Add(u)
		}
	}
	list := found.List()
	if len(list) == 0 {
		return nil
	}
	if len(list) > search.MaxListValues {
		// All of them have to be readable, so a list that is cut off would open too much.
		list = []urn.URN{s.URN}
	}
	values := make([]search.Value, len(list))
	for i, u := range list {
		values[i].Text = string(u)
	}
	m.doc.Fields[Subjects] = values
	return nil
}

// aspectOf is an aspect of a source, nil when it is absent.
func aspectOf(s *Source, name string) (model.Object, error) {
	for i := range s.Records {
		if s.Records[i].Aspect == name {
			return jsontree.DecodeObject(s.Records[i].Value)
		}
	}
	return nil, nil
}
