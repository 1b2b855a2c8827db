package document

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// specification lists the rules of the parser's library that are used unchanged. The variants
// without suggestions do not search the schema for similar names. Values and overlapping fields
// have rules of this package: for values, because coercion is lenient; for overlapping fields,
// because comparing all pairs is expensive on hostile documents.
func specification() []core.Rule {
	return []core.Rule{
		rules.FieldsOnCorrectTypeRuleWithoutSuggestions,
		rules.FragmentsOnCompositeTypesRule,
		rules.KnownArgumentNamesRuleWithoutSuggestions,
		rules.KnownDirectivesRule,
		rules.KnownFragmentNamesRule,
		rules.KnownRootTypeRule,
		rules.KnownTypeNamesRuleWithoutSuggestions,
		rules.LoneAnonymousOperationRule,
		rules.MaxIntrospectionDepth,
		rules.NoFragmentCyclesRule,
		rules.NoUndefinedVariablesRule,
		rules.NoUnusedFragmentsRule,
		rules.NoUnusedVariablesRule,
		rules.PossibleFragmentSpreadsRule,
		rules.ProvidedRequiredArgumentsRule,
		rules.ScalarLeafsRuleWithoutSuggestions,
		rules.UniqueArgumentNamesRule,
		rules.UniqueDirectivesPerLocationRule,
		rules.UniqueFragmentNamesRule,
		rules.UniqueInputFieldNamesRule,
		rules.UniqueOperationNamesRule,
		rules.UniqueVariableNamesRule,
		rules.VariablesAreInputTypesRule,
		rules.VariablesInAllowedPositionRule,
	}
}

// findings collects the reports of the rules without duplicates: the rules visit a fragment from
// every definition that spreads it.
type findings struct {
	doc   *ast.QueryDocument
	paths map[Location]string
	seen  map[string]bool
	list  Errors
}

func (f *findings) full() bool { return len(f.list) >= maxErrors }

// add records a finding of a kind such as WrongType.
func (f *findings) add(kind, text string, at []Location) {
	if f.full() {
		return
	}
	if f.paths == nil {
		f.paths = pathsByPlace(f.doc)
	}
	where := ""
	if len(at) > 0 {
		where = f.paths[at[0]]
	}
	if where != "" {
		kind += "@[" + where + "]"
	}
	message := "Validation error (" + kind + ") : " + text
	key := fmt.Sprint(message, at)
	if f.seen[key] {
		return
	}
	f.seen[key] = true
	f.list = append(f.list, Error{Message: message, Locations: at, Classification: ValidationError})
}

// validate annotates doc with the definitions it refers to, and returns its violations of the
// specification.
func (s *Stage) validate(doc *ast.QueryDocument) Errors {
	found := &findings{doc: doc, seen: map[string]bool{}}
	observers := &core.Events{}
	for _, rule := range s.rules {
		rule.RuleFunc(observers, func(options ...core.ErrorOption) {
			if found.full() {
				return
			}
			var e gqlerror.Error
			for _, option := range options {
				option(&e)
			}
			var at []Location
			for _, l := range e.Locations {
				at = append(at, Location{Line: l.Line, Column: l.Column})
			}
			kind, text := reword(rule.Name, e.Message)
			found.add(kind, text, at)
		})
	}
	s.observeValues(observers, found)
	core.Walk(s.schema.schema, doc, observers)
	if len(found.list) > 0 {
		return found.list
	}
	return checkOverlap(doc, s.schema, found)
}

// observeValues checks literals by the same lenient rules that apply to variables.
func (s *Stage) observeValues(observers *core.Events, found *findings) {
	check := func(subject string, t *ast.Type, v *ast.Value) {
		def := s.schema.schema.Types[t.Name()]
		if def == nil || !def.IsInputType() {
			return
		}
		_, p := s.schema.coerce(t, valueOfLiteral(v, func(string) any { return unknownVariable{} }))
		if p != nil {
			found.add("WrongType", p.sentence(subject+" with value '"+truncate(v.String())+"'"), locate(v.Position))
		}
	}
	arguments := func(defs ast.ArgumentDefinitionList, args ast.ArgumentList) {
		for _, arg := range args {
			if def := defs.ForName(arg.Name); def != nil {
				check("argument '"+arg.Name+"'", def.Type, arg.Value)
			}
		}
	}
	observers.OnField(func(_ *core.Walker, f *ast.Field) {
		if f.Definition != nil {
			arguments(f.Definition.Arguments, f.Arguments)
		}
	})
	observers.OnDirective(func(_ *core.Walker, d *ast.Directive) {
		if d.Definition != nil {
			arguments(d.Definition.Arguments, d.Arguments)
		}
	})
	observers.OnVariable(func(_ *core.Walker, v *ast.VariableDefinition) {
		if v.DefaultValue != nil {
			check("default of variable '"+v.Variable+"'", v.Type, v.DefaultValue)
		}
	})
}

// pathsByPlace maps each location that rules report to the path of response fields that leads
// there, from the enclosing operation or fragment.
func pathsByPlace(doc *ast.QueryDocument) map[Location]string {
	paths := map[Location]string{}
	for _, op := range doc.Operations {
		recordPaths(paths, "", op.SelectionSet)
	}
	for _, f := range doc.Fragments {
		recordPath(paths, f.Name, f.Position)
		recordDirectives(paths, f.Name, f.Directives)
		recordPaths(paths, f.Name, f.SelectionSet)
	}
	return paths
}

func recordPaths(paths map[Location]string, path string, set ast.SelectionSet) {
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.Field:
			below := sel.Alias
			if path != "" {
				below = path + "/" + sel.Alias
			}
			recordPath(paths, below, sel.Position)
			recordArguments(paths, below, sel.Arguments)
			recordDirectives(paths, below, sel.Directives)
			recordPaths(paths, below, sel.SelectionSet)
		case *ast.InlineFragment:
			recordPath(paths, path, sel.Position)
			recordDirectives(paths, path, sel.Directives)
			recordPaths(paths, path, sel.SelectionSet)
		case *ast.FragmentSpread:
			recordPath(paths, path, sel.Position)
			recordDirectives(paths, path, sel.Directives)
		}
	}
}

func recordPath(paths map[Location]string, path string, at *ast.Position) {
	if at != nil {
		paths[Location{Line: at.Line, Column: at.Column}] = path
	}
}

func recordDirectives(paths map[Location]string, path string, directives ast.DirectiveList) {
	for _, d := range directives {
		recordPath(paths, path, d.Position)
		recordArguments(paths, path, d.Arguments)
	}
}

func recordArguments(paths map[Location]string, path string, args ast.ArgumentList) {
	for _, a := range args {
		recordPath(paths, path, a.Position)
		recordValue(paths, path, a.Value)
	}
}

func recordValue(paths map[Location]string, path string, v *ast.Value) {
	recordPath(paths, path, v.Position)
	for _, child := range v.Children {
		recordPath(paths, path, child.Position)
		recordValue(paths, path, child.Value)
	}
}
