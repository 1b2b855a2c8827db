package document

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Aspects with fields beyond their annotations.
const (
	domainsAspect    = "domains"
	containerAspect  = "container"
	ownershipAspect  = "ownership"
	propertiesAspect = "structuredProperties"
	termsAspect      = "glossaryTerms"
	resultsAspect    = "testResults"
)

// Memberships of users in groups.
const (
	membershipAspect       = "groupMembership"
	nativeMembershipAspect = "nativeGroupMembership"
)

// related adds the fields that depend on an aspect together with other entities. The fields of the
// aspects themselves have already been added.
func (m *documentMaker) related(ctx context.Context, b *Builder, plan *entityPlan, rec *model.Record) error {
	var err error
	switch rec.Aspect {
	case domainsAspect:
		err = m.ancestors(ctx, b, AncestorDomains, m.doc.Fields["domains"])
	case containerAspect:
		err = m.ancestors(ctx, b, AncestorContainers, m.doc.Fields["container"])
	case termsAspect:
		err = m.ancestors(ctx, b, AncestorTerms, m.doc.Fields["glossaryTerms"])
	case ownershipAspect:
		m.owners()
	case membershipAspect, nativeMembershipAspect:
		err = m.groups(rec)
	case propertiesAspect:
		err = m.properties(ctx, b, rec)
	case resultsAspect:
		err = m.verdicts(rec)
	}
	// A domain is also in its ancestor domains, and a term or node is also below its ancestor
	// nodes.
	if err == nil && rec.Aspect == plan.parent.Aspect {
		switch plan.name {
		case "domain":
			err = m.ancestors(ctx, b, AncestorDomains, m.doc.Fields["parentDomain"])
		case "glossaryTerm", "glossaryNode":
			err = m.ancestors(ctx, b, AncestorTerms, m.doc.Fields["parentNode"])
		}
	}
	for i := range plan.refs[rec.Aspect] {
		if err == nil {
			err = m.reference(ctx, b, rec, &plan.refs[rec.Aspect][i])
		}
	}
	return err
}

func (m *documentMaker) ancestors(ctx context.Context, b *Builder, field string, of []search.Value) error {
	var list []string
	var err error
	for _, v := range of {
		if list, err = b.lookups.ancestors(ctx, list, urn.URN(v.Text)); err != nil {
			return err
		}
	}
	if len(list) > 0 {
		m.doc.Fields[field] = texts(list)
	}
	return nil
}

// owners lists the owners, and the owners with their type of ownership. The aspect holds the latter
// as a map from types, with escaped dots, to owners.
func (m *documentMaker) owners() {
	var list []search.Value
	add := func(text string) {
		if v := (search.Value{Text: text}); len(list) < search.MaxListValues && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	for _, v := range m.doc.Fields["owners"] {
		add(v.Text)
	}
	for _, v := range m.doc.Fields["ownerTypes"] {
		if typeURN, owner, ok := strings.Cut(v.Text, "="); ok {
			add(TypedOwner(strings.ReplaceAll(typeURN, "%2E", "."), owner))
		}
	}
	if len(list) > 0 {
		m.doc.Fields[AllOwners] = list
	}
}

// verdicts lists the results of metadata tests, without duplicates, so that an evaluation can find
// unchanged results in the index alone.
func (m *documentMaker) verdicts(rec *model.Record) error {
	results, ok := scanResults(rec.Value)
	if !ok {
		value, err := jsontree.DecodeObject(rec.Value)
		if err != nil {
			return err
		}
		results = decodedResults(value)
	}
	list := make([]search.Value, 0, len(results))
	seen, irregular := make(map[string]bool, len(results)), false
	for _, r := range results {
		v := Verdict(r.passing, r.fingerprint, r.test)
		irregular = irregular || seen[v] || (r.outcome == "SUCCESS") != r.passing || r.outcome != "SUCCESS" && r.outcome != "FAILURE"
		if !seen[v] {
			seen[v] = true
			list = append(list, search.Value{Text: v})
		}
	}
	if irregular || len(list) > search.MaxListValues {
		list = append([]search.Value{{Text: IrregularVerdicts}}, list[:min(len(list), search.MaxListValues-1)]...)
	}
	if len(list) > 0 {
		m.doc.Fields[Verdicts] = list
	}
	return nil
}

// result is the stored result of one test.
type result struct {
	passing                    bool // in the list of passing tests
	test, fingerprint, outcome string
}

func decodedResults(value model.Object) (out []result) {
	for _, member := range []string{"failing", "passing"} {
		for _, r := range jsontree.Children(value, member) {
			out = append(out, result{member == "passing", jsontree.Text(r, "test"), jsontree.Text(r, "testDefinitionMd5"), jsontree.Text(r, "type")})
		}
	}
	return out
}

// scanResults reads results from a text in the form that evaluations write, without decoding it
// into a tree: the members would be most of the objects allocated for a search document. It leaves
// other forms to the decoder.
//
// Texts are canonical: members are ordered by name, without spaces in between, and quotes inside of
// texts are escaped, so the separators that it searches for occur nowhere else.
func scanResults(text []byte) (out []result, ok bool) {
	failing, ok := bytes.CutPrefix(text, []byte(`{"failing":[`))
	if !ok {
		return nil, false
	}
	failing, passing, ok := bytes.Cut(failing, []byte(`],"passing":[`))
	if !ok {
		return nil, false
	}
	passing, ok = bytes.CutSuffix(passing, []byte(`]}`))
	if !ok {
		return nil, false
	}
	n := bytes.Count(text, []byte(`"lastComputed":`))
	out = make([]result, 0, n)
	for _, of := range []struct {
		list    []byte
		passing bool
	}{{failing, false}, {passing, true}} {
		for rest := of.list; len(rest) > 0; {
			r := result{passing: of.passing}
			if rest, ok = r.scan(rest); !ok {
				return nil, false
			}
			out = append(out, r)
		}
	}
	return out, len(out) == n
}

// scan reads one entry of a list, and returns the rest of the list.
func (r *result) scan(list []byte) (rest []byte, ok bool) {
	stamp, rest, ok := bytes.Cut(list, []byte(`},"test":"`))
	if !ok || !bytes.HasPrefix(stamp, []byte(`{"lastComputed":{`)) || bytes.ContainsAny(stamp[len(`{"lastComputed":{`):], `{}`) {
		return nil, false
	}
	for _, part := range []struct {
		into *string
		end  string
	}{{&r.test, `","testDefinitionMd5":"`}, {&r.fingerprint, `","type":"`}, {&r.outcome, `"}`}} {
		value, behind, ok := bytes.Cut(rest, []byte(part.end))
		if !ok || bytes.ContainsAny(value, `"\\`) {
			return nil, false
		}
		*part.into, rest = string(value), behind
	}
	if len(rest) == 0 {
		return nil, true
	}
	return bytes.CutPrefix(rest, []byte(","))
}

// groups adds the groups of a user from either membership aspect.
func (m *documentMaker) groups(rec *model.Record) error {
	value, err := jsontree.DecodeObject(rec.Value)
	if err != nil {
		return err
	}
	for _, g := range append(jsontree.Texts(value, "groups"), jsontree.Texts(value, "nativeGroups")...) {
		m.append(Groups, []search.Value{{Text: g}})
	}
	return nil
}

// properties adds the values of structured properties, with a field for each property.
func (m *documentMaker) properties(ctx context.Context, b *Builder, rec *model.Record) error {
	value, err := jsontree.DecodeObject(rec.Value)
	if err != nil {
		return err
	}
	for _, v := range model.Select(value, "/properties/*") {
		o, ok := v.(model.Object)
		if !ok {
			continue
		}
		name := jsontree.Text(o, "propertyUrn")
		m.append(AssignedProperties, []search.Value{{Text: name}})
		p, err := b.lookups.property(ctx, urn.URN(name))
		if err != nil {
			return err
		}
		if p.Field == "" {
			continue
		}
		if values := p.Values(o); len(values) > 0 {
			m.doc.Fields[p.Field] = values
			if m.doc.Kinds == nil {
				m.doc.Kinds = map[string]search.Kind{}
			}
			m.doc.Kinds[p.Field] = p.Kind
		}
	}
	return nil
}

// Values returns the indexed values of an assignment, which is an element of properties in
// structuredProperties.
func (p Property) Values(assignment model.Object) (values []search.Value) {
	for _, raw := range model.Select(assignment, "/values/*/*") {
		if v, ok := propertyValue(p.Kind, raw); ok && len(values) < search.MaxListValues {
			values = append(values, v)
		}
	}
	return values
}

// IsNumber reports whether values are indexed as numbers, including times.
func (p Property) IsNumber() bool { return isNumber(p.Kind) }

func propertyValue(kind search.Kind, raw any) (search.Value, bool) {
	var text string
	switch raw := raw.(type) {
	case string:
		text = raw
	case interface{ String() string }:
		text = raw.String()
	}
	if !isNumber(kind) {
		return search.Value{Text: text}, text != ""
	}
	if kind == search.DateTime {
		for _, layout := range []string{time.DateOnly, time.RFC3339} {
			if at, err := time.Parse(layout, text); err == nil {
				return search.Value{Number: float64(at.UnixMilli())}, true
			}
		}
	}
	n, err := strconv.ParseFloat(text, 64)
	return search.Value{Number: n}, err == nil
}

// reference copies the fields of the entities that an aspect names.
func (m *documentMaker) reference(ctx context.Context, b *Builder, rec *model.Record, ref *model.SearchReference) error {
	value, err := jsontree.DecodeObject(rec.Value)
	if err != nil {
		return err
	}
	for _, v := range model.Select(value, ref.Path) {
		text, _ := v.(string)
		plan := b.entities[urn.URN(text).Type()]
		if plan == nil {
			continue
		}
		m.append(ref.Field+".urn", []search.Value{{Text: text}})
		records, err := b.lookups.reader.Aspects(ctx, []urn.URN{urn.URN(text)})
		if err != nil {
			return err
		}
		var s scanner
		for i := range records[0] {
			p := plan.aspects[records[0][i].Aspect]
			if p == nil {
				continue
			}
			s.scan(p, records[0][i].Value)
			for f := range p.fields {
				m.append(ref.Field+"."+p.fields[f].name, s.result(f))
			}
		}
	}
	return nil
}

func (m *documentMaker) append(field string, values []search.Value) {
	for _, v := range values {
		if have := m.doc.Fields[field]; len(have) < search.MaxListValues && !slices.Contains(have, v) {
			m.doc.Fields[field] = append(have, v)
		}
	}
}

// Dependents returns the index fields that hold the URN of an entity in search documents which must
// be rebuilt when an aspect of the entity changes. A change of the key aspect counts as a change of
// all aspects.
func (b *Builder) Dependents(u urn.URN, aspect string) []string {
	var fields []string
	if place, ok := model.ParentOf(u.Type()); ok && (aspect == place.Aspect || strings.HasSuffix(aspect, "Key")) {
		switch u.Type() {
		case "domain":
			fields = append(fields, AncestorDomains)
		case "container":
			fields = append(fields, AncestorContainers)
		case "glossaryTerm", "glossaryNode":
			fields = append(fields, AncestorTerms)
		}
	}
	if u.Type() == propertyType && (aspect == definitionAspect || strings.HasSuffix(aspect, "Key")) {
		fields = append(fields, AssignedProperties)
	}
	if aspect == statusAspect && slices.Contains(columnHolders, u.Type()) {
		fields = append(fields, ColumnOf)
	}
	return append(fields, b.referring[u.Type()]...)
}

// columnHolders are the entity types with columns.
var columnHolders = []string{"dataset", "chart", "dashboard", "semanticModel"}

// referringFields lists, by entity type, the fields that hold the URNs of entities with copied
// fields.
func referringFields(entities map[string]*entityPlan) map[string][]string {
	fields := map[string][]string{}
	for _, plan := range entities {
		for _, refs := range plan.refs {
			for i := range refs {
				if field := refs[i].Field + ".urn"; !slices.Contains(fields[refs[i].Entity], field) {
					fields[refs[i].Entity] = append(fields[refs[i].Entity], field)
				}
			}
		}
	}
	return fields
}
