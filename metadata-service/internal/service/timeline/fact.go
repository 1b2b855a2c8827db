package timeline

import (
	"fmt"

	"github.com/cartulary/cartulary/pkg/urn"
)

// fact is one statement of a version of an aspect.
type fact struct {
	category     Category
	key          string  // identifies the fact within its category
	subject      urn.URN // entity that the fact describes
	modifier     string
	value        string // differs between versions if the fact was modified
	noun         string // noun phrase for the fact in a sentence
	displayValue string // value in a sentence, empty when it is long
	parameters   []Parameter
}

func (f *fact) id() string { return string(f.category) + "\x00" + f.key }

// maxParameter is the maximum length in bytes of a parameter value.
const maxParameter = 4096

// changes returns the events between two lists of facts: added and modified facts in the order of
// after, then removed facts in the order of before.
func changes(before, after []fact) []Event {
	old := make(map[string]*fact, len(before))
	for i := range before {
		old[before[i].id()] = &before[i]
	}
	var out []Event
	kept := make(map[string]bool, len(after))
	for i := range after {
		f := &after[i]
		kept[f.id()] = true
		switch was := old[f.id()]; {
		case was == nil:
			out = append(out, f.event(Add, Minor, "Added "+f.noun))
		case was.value != f.value:
			out = append(out, f.event(Modify, Patch, f.changed(was)))
		}
	}
	for i := range before {
		f := &before[i]
		if kept[f.id()] {
			continue
		}
		out = append(out, f.event(Remove, Minor, "Removed "+f.noun))
	}
	return out
}

func (f *fact) changed(was *fact) string {
	if f.displayValue == "" || was.displayValue == "" {
		return "Changed " + f.noun
	}
	return fmt.Sprintf("Changed %s from %s to %s", f.noun, was.displayValue, f.displayValue)
}

func (f *fact) event(o Operation, g Grade, sentence string) Event {
	return Event{
		URN: f.subject, Category: f.category, Operation: o, Modifier: f.modifier, Parameters: f.parameters, Grade: g, Description: sentence + ".",
	}
}

// parameters pairs names with values. It omits empty values and truncates long ones.
func parameters(pairs ...string) []Parameter {
	out := make([]Parameter, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out = append(out, Parameter{pairs[i], truncate(pairs[i+1], maxParameter)})
		}
	}
	return out
}

// truncate truncates a text to at most limit bytes, at a character boundary, and appends an
// ellipsis.
func truncate(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	end := 0
	for i := range text {
		if i > limit {
			break
		}
		end = i
	}
	return text[:end] + "…"
}
