// Package yamltree decodes YAML from outside into trees of package jsontree. The length of the text
// limits the cost.
//
// The YAML library compares each key of a mapping with all others, and lists each pair of equal
// ones in its error, so that a few hundred kilobytes can take minutes or all memory. Here the
// library only parses; this package resolves keys, aliases, merges and scalars, within limits.
package yamltree

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Limits of a text.
const (
	MaxDepth      = jsontree.MaxDepth // nesting of mappings and sequences
	MaxStructure  = 100_000           // characters that can begin a value, such as commas, dashes and line ends
	MaxValues     = 100_000           // with all aliases expanded
	maxDirectives = 10                // lines that begin with %
)

// valuesPerCheck is the number of values converted between two checks of the context.
const valuesPerCheck = 1000

// Error is the reason why a text was refused. Its kind is fault.Malformed.
type Error struct {
	Path      string // of the value, as "rules.and[2]"; empty for the text as a whole
	Message   string
	wholeText bool // applies to the text as a whole, regardless of the position
}

func (e *Error) Error() string {
	if e.Path == "" {
		return e.Message
	}
	return e.Path + ": " + e.Message
}

// FaultKind gives pkg/fault the kind of the error: malformed input.
func (e *Error) FaultKind() fault.Kind { return fault.Malformed }

// PublicMessage returns the whole error text, since all of it concerns the client's input.
func (e *Error) PublicMessage() string { return e.Error() }

// Decode decodes the first document of a text. Member names must be texts, dates become texts, and
// infinities are refused. For an empty text the result is nil. Errors are an *Error, or that of
// ctx.
func Decode(ctx context.Context, text []byte) (any, error) {
	if err := checkStructure(text); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, &Error{Message: "is not YAML: " + strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	if document.Kind != yaml.DocumentNode { // an empty text
		return nil, nil
	}
	c := converter{ctx: ctx, openAliases: map[*yaml.Node]bool{}}
	return c.value(document.Content[0], 0)
}

// checkStructure limits the size of the library's tree before the library runs: a value takes
// several hundred bytes, and begins at one of these characters.
func checkStructure(text []byte) error {
	structure := 0
	for i, b := range text {
		switch b {
		case '\n', '\r', ',', '[', '{', '&', '*', '!', '#':
			structure++
		case '-', '?', ':':
			if i+1 == len(text) || text[i+1] <= ' ' || text[i+1] >= 0x80 || bytes.IndexByte([]byte(`,[]{}"'`), text[i+1]) >= 0 {
				structure++
			}
		}
	}
	if structure > MaxStructure {
		return &Error{Message: fmt.Sprintf("has more than %d line ends, commas and other marks of YAML", MaxStructure)}
	}
	if bytes.Count(text, []byte("\n%"))+bytes.Count(text, []byte("\r%")) > maxDirectives {
		return &Error{Message: fmt.Sprintf("has more than %d lines that begin with %%", maxDirectives)}
	}
	return nil
}

// converter converts nodes into a tree.
type converter struct {
	ctx         context.Context // context of the call; the converter does not outlive it
	values      int
	openAliases map[*yaml.Node]bool // aliased nodes in conversion
}

func (c *converter) value(n *yaml.Node, depth int) (any, error) {
	if c.values++; c.values > MaxValues {
		return nil, &Error{Message: fmt.Sprintf("has more than %d values with all aliases written out", MaxValues), wholeText: true}
	}
	if c.values%valuesPerCheck == 0 && c.ctx.Err() != nil {
		return nil, c.ctx.Err()
	}
	if depth > MaxDepth {
		return nil, &Error{Message: fmt.Sprintf("nests deeper than %d levels", MaxDepth), wholeText: true}
	}
	switch n.Kind {
	case yaml.AliasNode:
		return c.alias(n, depth)
	case yaml.SequenceNode:
		out := make([]any, len(n.Content))
		for i, e := range n.Content {
			v, err := c.value(e, depth+1)
			if err != nil {
				return nil, within("["+strconv.Itoa(i)+"]", err)
			}
			out[i] = v
		}
		return out, nil
	case yaml.MappingNode:
		return c.mapping(n, depth)
	}
	return scalar(n)
}

func (c *converter) alias(n *yaml.Node, depth int) (any, error) {
	if c.openAliases[n.Alias] {
		return nil, &Error{Message: fmt.Sprintf("the anchor %s holds itself", n.Value)}
	}
	c.openAliases[n.Alias] = true
	defer delete(c.openAliases, n.Alias)
	return c.value(n.Alias, depth)
}

func (c *converter) mapping(n *yaml.Node, depth int) (any, error) {
	out := make(jsontree.Object, len(n.Content)/2)
	lines := make(map[string]int, len(n.Content)/2)
	var merged *yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if isMerge(key) && merged == nil {
			merged = value
			continue
		}
		name, ok := nameOf(key)
		if !ok {
			return nil, &Error{Message: "must have texts as names of its members"}
		}
		if before, twice := lines[name]; twice {
			return nil, &Error{Path: name, Message: fmt.Sprintf("is given twice, in lines %d and %d", before, key.Line)}
		}
		lines[name] = key.Line
		v, err := c.value(value, depth+1)
		if err != nil {
			return nil, within(name, err)
		}
		out[name] = v
	}
	if merged != nil {
		if err := c.merge(out, merged, depth); err != nil {
			return nil, within("<<", err)
		}
	}
	return out, nil
}

func isMerge(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Value == "<<" && (key.Tag == "!" || key.ShortTag() == "!!merge")
}

// nameOf returns the text of a key. ok is false for a key that is not a text.
func nameOf(key *yaml.Node) (name string, ok bool) {
	if key.Kind == yaml.AliasNode {
		key = key.Alias
	}
	return key.Value, key.Kind == yaml.ScalarNode && key.ShortTag() == "!!str"
}

// merge adds the members of a mapping, or of the mappings in a list, that are not there yet.
func (c *converter) merge(into jsontree.Object, n *yaml.Node, depth int) error {
	from, err := c.value(n, depth+1)
	if err != nil {
		return err
	}
	list, ok := from.([]any)
	if !ok {
		list = []any{from}
	}
	for _, e := range list {
		o, ok := e.(jsontree.Object)
		if !ok {
			return &Error{Message: "must be a mapping, or a list of mappings"}
		}
		for name, v := range o {
			if _, there := into[name]; !there {
				into[name] = v
			}
		}
	}
	return nil
}

// scalar returns the value to which the library resolves a scalar, in the form of jsontree.
func scalar(n *yaml.Node) (any, error) {
	if n.ShortTag() == "!!str" {
		return n.Value, nil
	}
	var v any
	if err := n.Decode(&v); err != nil {
		return nil, &Error{Message: strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	switch v := v.(type) {
	case nil, bool:
		return v, nil
	case string:
		if !utf8.ValidString(v) { // from !!binary
			return nil, &Error{Message: "is no text in UTF-8"}
		}
		return v, nil
	case int:
		return json.Number(strconv.Itoa(v)), nil
	case int64:
		return json.Number(strconv.FormatInt(v, 10)), nil
	case uint64:
		return json.Number(strconv.FormatUint(v, 10)), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, &Error{Message: "is no number"}
		}
		return jsontree.Float(v), nil
	case time.Time:
		return v.Format(time.RFC3339Nano), nil
	}
	return nil, &Error{Message: fmt.Sprintf("is of a type that is not read: %s", n.ShortTag())}
}

// within adds a segment to the front of the path of an error. Paths are built only for errors,
// since names may be long and values many.
func within(segment string, err error) error {
	e, ok := err.(*Error)
	if !ok || e.wholeText {
		return err
	}
	path := segment
	switch {
	case e.Path == "":
	case e.Path[0] == '[':
		path += e.Path
	default:
		path += "." + e.Path
	}
	return &Error{Path: path, Message: e.Message}
}
