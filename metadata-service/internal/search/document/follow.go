package document

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/set"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Some entities are read by whoever reads another one: a column with its dataset, a
// query with all that it asks, a document that stands for an asset of another system
// with that asset. The index holds their names, and a search asks about them by a
// search.Reference.
const (
	// ColumnOf holds what a column belongs to.
	ColumnOf = "_columnOf"
	// Subjects holds what a query asks, datasets in place of their columns.
	Subjects = "_subjects"
	// StandsFor holds the asset that a document stands for.
	StandsFor = "_standsFor"
)

// Entity types that follow others, and the aspects that tell which.
const (
	columnType     = model.ColumnType
	queryType      = "query"
	documentType   = "document"
	subjectsAspect = "querySubjects"
	subTypesAspect = "subTypes"
	documentAspect = "documentInfo"
)

// Documents that stand for an asset of another system.
const (
	bridgePrefix = "bridge-"
	bridgeType   = "Bridge Document"
	bridgeSource = "bridge_source_entity"
)

// SubjectsOf is what a query asks, by its aspect querySubjects. A column stands for what
// it belongs to.
func SubjectsOf(querySubjects model.Object) []urn.URN {
	var list set.Set[urn.URN]
	for _, s := range jsontree.Children(querySubjects, "subjects") {
		u := urn.URN(jsontree.Text(s, "entity"))
		if parent := model.ParentOfColumn(u); parent != "" {
			u = parent
		}
		list.Add(u)
	}
	return list.List()
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

// followed adds the names of the entities that this one is read with.
func (m *documentMaker) followed(s *Source) error {
	switch m.doc.Type {
	case columnType:
		if parent := model.ParentOfColumn(s.URN); parent != "" {
			m.doc.Fields[ColumnOf] = []search.Value{{Text: string(parent)}}
		}
	case queryType:
		asked, err := aspectOf(s, subjectsAspect)
		if err != nil {
			return err
		}
		// All of them have to be readable, so a list that is cut off would open too much.
		list := SubjectsOf(asked)
		if len(list) == 0 || len(list) > search.MaxListValues {
			return nil
		}
		values := make([]search.Value, len(list))
		for i, u := range list {
			values[i].Text = string(u)
		}
		m.doc.Fields[Subjects] = values
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
	}
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
