package document

import "strings"

// phrase is the kind and text of a finding in the wording of the reference server, which clients
// expect. {1} and so on are placeholders for the quoted names in the rule's own message, in
// order.
type phrase struct{ kind, text string }

// reword converts the message of a rule into its kind and text.
func reword(rule, message string) (kind, text string) {
	p, known := phraseFor(rule, message)
	if !known {
		return strings.TrimSuffix(rule, "Rule"), message
	}
	names := append(quotedNames(message), "", "", "")
	return p.kind, strings.NewReplacer("{1}", names[0], "{2}", names[1], "{3}", names[2]).Replace(p.text)
}

func phraseFor(rule, message string) (phrase, bool) {
	switch rule {
	case "FieldsOnCorrectTypeWithoutSuggestions":
		return phrase{"FieldUndefined", "Field '{1}' in type '{2}' is undefined"}, true
	case "FragmentsOnCompositeTypes":
		if strings.HasPrefix(message, "Fragment \"") {
			return phrase{"FragmentTypeConditionInvalid", "Fragment '{1}': the type condition '{2}' must be an object, interface or union"}, true
		}
		return phrase{"InlineFragmentTypeConditionInvalid", "Inline fragment: the type condition '{1}' must be an object, interface or union"}, true
	case "KnownArgumentNamesWithoutSuggestions":
		if strings.Contains(message, "on directive") {
			return phrase{"UnknownArgument", "Unknown directive argument '{1}'"}, true
		}
		return phrase{"UnknownArgument", "Unknown field argument '{1}'"}, true
	case "KnownDirectives":
		if strings.HasPrefix(message, "Unknown") {
			return phrase{"UnknownDirective", "Unknown directive '{1}'"}, true
		}
		return phrase{"MisplacedDirective", "Directive '{1}' not allowed here"}, true
	case "KnownFragmentNames":
		return phrase{"UndefinedFragment", "Undefined fragment '{1}'"}, true
	case "KnownRootType":
		return phrase{"UnknownOperation", "The schema has no operations of type '{1}'"}, true
	case "KnownTypeNamesWithoutSuggestions":
		return phrase{"UnknownType", "Unknown type '{1}'"}, true
	case "LoneAnonymousOperation":
		return phrase{"LoneAnonymousOperationViolation", "Anonymous operation with other operations"}, true
	case "MaxIntrospectionDepth":
		return phrase{"IntrospectionTooDeep", "Introspection nests lists of fields, interfaces or types too deep"}, true
	case "NoFragmentCycles":
		return phrase{"FragmentCycle", "Fragment cycles not allowed: fragment '{1}' spreads itself"}, true
	}
	return phraseForUse(rule, message)
}

func phraseForUse(rule, message string) (phrase, bool) {
	switch rule {
	case "NoUndefinedVariables":
		return phrase{"UndefinedVariable", "Undefined variable '{1}'"}, true
	case "NoUnusedFragments":
		return phrase{"UnusedFragment", "Unused fragment '{1}'"}, true
	case "NoUnusedVariables":
		return phrase{"UnusedVariable", "Unused variable '{1}'"}, true
	case "PossibleFragmentSpreads":
		if strings.HasPrefix(message, "Fragment \"") {
			return phrase{"InvalidFragmentType", "Fragment '{1}' cannot be spread here as objects of type '{2}' can never be of type '{3}'"}, true
		}
		return phrase{"InvalidFragmentType", "Fragment cannot be spread here as objects of type '{1}' can never be of type '{2}'"}, true
	case "ProvidedRequiredArguments":
		if strings.HasPrefix(message, "Directive") {
			return phrase{"MissingDirectiveArgument", "Missing directive argument '{2}'"}, true
		}
		return phrase{"MissingFieldArgument", "Missing field argument '{2}'"}, true
	case "ScalarLeafsWithoutSuggestions":
		if strings.Contains(message, "must not have") {
			return phrase{"SubselectionNotAllowed", "Subselection not allowed on leaf type '{2}' of field '{1}'"}, true
		}
		return phrase{"SubselectionRequired", "Subselection required for type '{2}' of field '{1}'"}, true
	case "UniqueArgumentNames":
		return phrase{"DuplicateArgumentNames", "There can be only one argument named '{1}'"}, true
	case "UniqueDirectivesPerLocation":
		return phrase{"DuplicateDirectiveName", "The directive '{1}' can be used only once at one place"}, true
	case "UniqueFragmentNames":
		return phrase{"DuplicateFragmentName", "There can be only one fragment named '{1}'"}, true
	case "UniqueInputFieldNames":
		return phrase{"DuplicateInputFieldName", "There can be only one input field named '{1}'"}, true
	case "UniqueOperationNames":
		return phrase{"DuplicateOperationName", "There can be only one operation named '{1}'"}, true
	case "UniqueVariableNames":
		return phrase{"DuplicateVariableName", "There can be only one variable named '{1}'"}, true
	case "VariablesAreInputTypes":
		return phrase{"NonInputTypeOnVariable", "Input variable '{1}' type '{2}' is not an input type"}, true
	case "VariablesInAllowedPosition":
		if strings.Contains(message, "OneOf") {
			return phrase{"VariableTypeMismatch", "Variable '{1}' of type '{2}' must not be nullable in '{3}', which takes exactly one field"}, true
		}
		return phrase{"VariableTypeMismatch", "Variable '{1}' of type '{2}' used in position expecting type '{3}'"}, true
	}
	return phrase{}, false
}

// quotedNames lists the names in double quotes, without their prefix $ or @.
func quotedNames(message string) []string {
	var names []string
	parts := strings.Split(message, `"`)
	for i := 1; i < len(parts); i += 2 {
		names = append(names, strings.TrimLeft(parts[i], "$@"))
	}
	return names
}
