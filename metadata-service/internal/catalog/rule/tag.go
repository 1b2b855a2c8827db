package rule

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/set"
	"github.com/cartulary/cartulary/pkg/urn"
)

// tagRules require the right to attach the tags that a write adds or removes, because policies may
// restrict the tags that may be attached. They also apply to services, which decide before they
// have determined the tags that a replacement removes. A test requires that every relationship of
// the model with tags has a rule.
func tagRules() []Rule {
	demanding := func(name, aspect string, privileges []auth.Privilege, paths ...string) Rule {
		return Rule{
			Name: name, Aspects: []string{aspect}, DemandedOf: ByService,
			Demands: demandTags(func(value model.Object) tagsByElement { return tagsAt(value, paths) }, privileges),
		}
	}
	entity, column := []auth.Privilege{auth.EditEntity, auth.EditTags}, []auth.Privilege{auth.EditEntity, auth.EditColumnTags}
	return []Rule{
		demanding("rights over tags", "globalTags", entity, ""),
		demanding("rights over tags of columns", "editableSchemaMetadata", column, "/editableSchemaFieldInfo/*/globalTags"),
		demanding("rights over tags of a schema", "schemaMetadata", column, "/fields/*/globalTags"),
		demanding("rights over tags of inputs", "inputFields", column, "/fields/*/schemaField/globalTags"),
		demanding("rights over tags of a signature", "apiSignature", column, "/inputFields/*/globalTags", "/outputFields/*/globalTags"),
		demanding("rights over tags of an asserted schema", "assertionInfo", column, "/schemaAssertion/schema/fields/*/globalTags"),
		demanding("rights over tags of a business attribute", "businessAttributeInfo", entity, "/globalTags"),
	}
}

// tagsByElement are the tags of an entity by path and, for lists such as columns, by element.
type tagsByElement map[string][]urn.URN

func demandTags(in func(model.Object) tagsByElement, privileges []auth.Privilege) func(Tx, *Change) ([]Demand, error) {
	return func(_ Tx, c *Change) ([]Demand, error) {
		before, after := in(c.Before), in(c.After)
		var all set.Set[urn.URN]
		for _, either := range []tagsByElement{before, after} {
			for element := range either {
				for _, tag := range symmetricDifference(before[element], after[element]) {
					all.Add(tag)
				}
			}
		}
		changed := all.List()
		if slices.Sort(changed); len(changed) == 0 {
			return nil, nil
		}
		oneOf := slices.Clone(privileges)
		if c.After == nil {
			oneOf = append(oneOf, auth.DeleteEntity)
		}
		checks := []auth.Check{{AnyOf: oneOf, Entities: []urn.URN{c.URN}, Tags: changed}}
		// What is about assets, such as an assertion, is also written by the privilege over them.
		if over := assetPrivileges[c.Aspect.Name]; over != "" {
			assets := set.Of(slices.Concat(subjectsIn(c, c.Before), subjectsIn(c, c.After)))
			if list := assets.List(); len(list) > 0 {
				checks = append(checks, auth.Check{AnyOf: []auth.Privilege{over}, Entities: list, Tags: changed})
			}
		}
		return []Demand{{
			OneOf:    checks,
			WaivedBy: []auth.Privilege{auth.ManageTests}, // actions of metadata tests tag any asset
			Refusal:  Refusal{"Unauthorized to modify one or more tag Urns: ", changed},
		}}, nil
	}
}

// tagsAt returns the tags of the values of GlobalTags at some paths. An asterisk stands for the
// elements of a list, which their fieldPath or schemaFieldUrn identifies: an element that has moved
// within its list keeps its tags.
func tagsAt(value model.Object, paths []string) tagsByElement {
	tags := tagsByElement{}
	for _, path := range paths {
		list, within, isList := strings.Cut(path, "/*")
		if !isList {
			tags.add(path, memberAt(value, path))
			continue
		}
		parent, member := list[:strings.LastIndexByte(list, '/')], list[strings.LastIndexByte(list, '/')+1:]
		for _, element := range jsontree.Children(memberAt(value, parent), member) {
			field := memberAt(element, strings.TrimSuffix(within, "/globalTags"))
			tags.add(list+"\x00"+jsontree.Text(element, "schemaFieldUrn")+"\x00"+jsontree.Text(field, "fieldPath"), memberAt(element, within))
		}
	}
	return tags
}

// memberAt returns the object at a path of member names, nil if it is absent.
func memberAt(value model.Object, path string) model.Object {
	for name := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if name != "" {
			value = jsontree.Child(value, name)
		}
	}
	return value
}

func (t tagsByElement) add(element string, globalTags model.Object) {
	for _, tag := range jsontree.Children(globalTags, "tags") {
		t[element] = append(t[element], urn.URN(jsontree.Text(tag, "tag")))
	}
}
