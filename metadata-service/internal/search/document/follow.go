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

// Some entities are readable for actors that may read other ones: a column with its dataset, a
// query with all assets that it reads, an incident, assertion or contract with all assets that it
// is about, and a document that stands for an asset of another system with that asset. The index
// holds the URNs of these, and a search refers to them by a search.Reference.
const (
	// ColumnOf holds the entity that a column belongs to.
	ColumnOf = "_columnOf"
	// Subjects holds the assets that a query or another entity is about, datasets in place of their
	// columns. An entity with more subjects than a field may have values holds its own URN.
	Subjects = "_subjects"
	// StandsFor holds the asset that a document stands for.
	StandsFor = "_standsFor"
)

// Entity types that follow others, and the aspects that name those.
const (
	columnType     = model.ColumnType
	documentType   = "document"
	subTypesAspect = "subTypes"
	documentAspect = "documentInfo"
	statusAspect   = "status"
	removedField   = "removed" // in the aspect and in search documents
)

// Documents that stand for an asset of another system.
const (
	bridgePrefix = "bridge-"
	bridgeType   = "Bridge Document"
	bridgeSource = "bridge_source_entity"
)

// SubjectsAspect returns the aspect in which the entities of a type name the assets that they are
// about. It is empty for types without subjects.
func SubjectsAspect(entityType string) string { return model.SubjectsOf(entityType).Aspect }

// SubjectsOf returns the assets that an entity of a type is about according to one of the aspects
// of model.SubjectsOf, without duplicates and in the order of the aspect. value is the stored
// aspect, empty for an absent one. A column is replaced by the entity that it belongs to. The error
// is that of an invalid JSON value.
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

// MayStandForAsset reports whether the id of a document has the form of one that stands for an
// asset of another system.
func MayStandForAsset(document urn.URN) bool {
	return document.Type() == documentType && strings.HasPrefix(document.Key(), bridgePrefix)
}

// SourceOf returns the asset that a document stands for, from its aspects subTypes and
// documentInfo. It is empty for other documents.
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

// addFollowed adds the URNs of the entities that this one follows, and marks a column as
// soft-deleted while its dataset is.
func (m *documentMaker) addFollowed(ctx context.Context, b *Builder, s *Source) error {
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
		return m.addSubjects(s)
	}
	return nil
}

// addSubjects adds the URNs of the assets that the entity is about.
func (m *documentMaker) addSubjects(s *Source) error {
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
		// All of them must be readable, so a truncated list would grant too much.
		list = []urn.URN{s.URN}
	}
	values := make([]search.Value, len(list))
	for i, u := range list {
		values[i].Text = string(u)
	}
	m.doc.Fields[Subjects] = values
	return nil
}

// aspectOf returns an aspect of a source, nil if it is absent.
func aspectOf(s *Source, name string) (model.Object, error) {
	for i := range s.Records {
		if s.Records[i].Aspect == name {
			return jsontree.DecodeObject(s.Records[i].Value)
		}
	}
	return nil, nil
}
