package document

import (
	"fmt"
	"strings"
)

// phrase is how clients of the reference know a finding. The verbs of text take
// the quoted names of the rule's own message, in order.
type phrase struct{ kind, text string }

// reword turns a finding of a rule into its kind and text.
func reword(rule, message string) (kind, text string) {
	p, known := phraseFor(rule, message)
	if !known {
		return strings.TrimSuffix(rule, "Rule"), message
	}
	names := quoted(message)
	for len(names) < strings.Count(p.text, "%s") {
		names = append(names, "")
	}
	args := make([]any, strings.Count(p.text, "%s"))
	for i := range args {
		args[i] = names[i]
	}
	return p.kind, fmt.Sprintf(p.text, args...)
}

func phraseFor(rule, message string) (phrase, bool) {
	switch rule {
	case "FieldsOnCorrectTypeWithoutSuggestions":
		return phrase{"FieldUndefined", "Field '%s' in type '%s' is undefined"}, true
	case "FragmentsOnCompositeTypes":
		if strings.HasPrefix(message, "Fragment \"") {
			return phrase{"FragmentTypeConditionInvalid", "Fragment '%s': the type condition '%s' must be an object, interface or union"}, true
		}
		return phrase{"InlineFragmentTypeConditionInvalid", "Inline fragment: the type condition '%s' must be an object, interface or union"}, true
	case "KnownArgumentNamesWithoutSuggestions":
		if strings.Contains(message, "on directive") {
			return phrase{"UnknownArgument", "Unknown directive argument '%s'"}, true
		}
		return phrase{"UnknownArgument", "Unknown field argument '%s'"}, true
	case "KnownDirectives":
		if strings.HasPrefix(message, "Unknown") {
			return phrase{"UnknownDirective", "Unknown directive '%s'"}, true
		}
		return phrase{"MisplacedDirective", "Directive '%s' not allowed here"}, true
	case "KnownFragmentNames":
		return phrase{"UndefinedFragment", "Undefined fragment '%s'"}, true
	case "KnownRootType":
		return phrase{"UnknownOperation", "The schema has no operations of type '%s'"}, true
	case "KnownTypeNamesWithoutSuggestions":
		return phrase{"UnknownType", "Unknown type '%s'"}, true
	case "LoneAnonymousOperation":
		return phrase{"LoneAnonymousOperationViolation", "Anonymous operation with other operations"}, true
	case "MaxIntrospectionDepth":
		return phrase{"IntrospectionTooDeep", "Introspection nests lists of fields, interfaces or types too deep"}, true
	case "NoFragmentCycles":
		return phrase{"FragmentCycle", "Fragment cycles not allowed: fragment '%s' spreads itself"}, true
	}
	return phraseForUse(rule, message)
}

func phraseForUse(rule, message string) (phrase, bool) {
	switch rule {
	case "NoUndefinedVariables":
		return phrase{"UndefinedVariable", "Undefined variable '%s'"}, true
	case "NoUnusedFragments":
		return phrase{"UnusedFragment", "Unused fragment '%s'"}, true
	case "NoUnusedVariables":
		return phrase{"UnusedVariable", "Unused variable '%s'"}, true
	case "PossibleFragmentSpreads":
		if strings.HasPrefix(message, "Fragment \"") {
			return phrase{"InvalidFragmentType", "Fragment '%s' cannot be spread here as objects of type '%s' can never be of type '%s'"}, true
		}
		return phrase{"InvalidFragmentType", "Fragment cannot be spread here as objects of type '%s' can never be of type '%s'"}, true
	case "ProvidedRequiredArguments":
		if strings.HasPrefix(message, "Directive") {
			return phrase{"MissingDirectiveArgument", "Missing directive argument: directive '%s', argument '%s'"}, true
		}
		return phrase{"MissingFieldArgument", "Missing field argument: field '%s', argument '%s'"}, true
	case "ScalarLeafsWithoutSuggestions":
		if strings.Contains(message, "must not have") {
			return phrase{"SubselectionNotAllowed", "Subselection not allowed on field '%s' of leaf type '%s'"}, true
		}
		return phrase{"SubselectionRequired", "Subselection required for field '%s' of type '%s'"}, true
	case "UniqueArgumentNames":
		return phrase{"DuplicateArgumentNames", "There can be only one argument named '%s'"}, true
	case "UniqueDirectivesPerLocation":
		return phrase{"DuplicateDirectiveName", "The directive '%s' can be used only once at one place"}, true
	case "UniqueFragmentNames":
		return phrase{"DuplicateFragmentName", "There can be only one fragment named '%s'"}, true
	case "UniqueInputFieldNames":
		return phrase{"DuplicateInputFieldName", "There can be only one input field named '%s'"}, true
	case "UniqueOperationNames":
		return phrase{"DuplicateOperationName", "There can be only one operation named '%s'"}, true
	case "UniqueVariableNames":
		return phrase{"DuplicateVariableName", "There can be only one variable named '%s'"}, true
	case "VariablesAreInputTypes":
		return phrase{"NonInputTypeOnVariable", "Input variable '%s' type '%s' is not an input type"}, true
	case "VariablesInAllowedPosition":
		if strings.Contains(message, "OneOf") {
			return phrase{"VariableTypeMismatch", "Variable '%s' of type '%s' must not be nullable in '%s', which takes exactly one field"}, true
		}
		return phrase{"VariableTypeMismatch", "Variable '%s' of type '%s' used in position expecting type '%s'"}, true
	}
	return phrase{}, false
}

// quoted lists what stands in double quotes; names lose the sign of their kind.
func quoted(message string) []string {
	var names []string
	parts := strings.Split(message, `"`)
	for i := 1; i < len(parts); i += 2 {
		names = append(names, strings.TrimLeft(parts[i], "$@"))
	}
	return names
}
