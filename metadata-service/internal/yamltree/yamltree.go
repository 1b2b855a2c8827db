// Package yamltree decodes YAML from outside into trees of package jsontree, with
// the cost bounded by the length of the text.
//
// The YAML library compares each key of a mapping with all others, and lists each pair
// of equal ones in its error, so a few hundred kilobytes can take minutes or all
// memory. Here the library only parses; keys, aliases, merges and
// scalars are resolved by this package, within limits.
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
	MaxDepth      = jsontree.MaxDepth // of mappings and sequences in each other
	MaxStructure  = 100_000           // characters that can begin a value, such as commas, dashes and line ends
	MaxValues     = 100_000           // with all aliases written out
	maxDirectives = 10                // lines that begin with %
)

// valuesPerCheck is how many values are converted between two looks at the context.
const valuesPerCheck = 1000

// Error says why a text was refused. Its kind is fault.Malformed.
type Error struct {
	Path    string // of the value, as "rules.and[2]"; empty for the text as a whole
	Message string
	whole   bool // it concerns the text as a whole, wherever it was found
}

func (e *Error) Error() string {
	if e.Path == "" {
		return e.Message
	}
	return e.Path + ": " + e.Message
}

// FaultKind makes it malformed input to pkg/fault.
func (e *Error) FaultKind() fault.Kind { return fault.Malformed }

// PublicMessage is the whole error: all of it concerns the caller's input.
func (e *Error) PublicMessage() string { return e.Error() }

// Decode reads the first document of a text. Names of members are texts, dates become
// texts, and infinities are refused. Errors are an *Error, or that of ctx.
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
	c := converter{ctx: ctx, open: map[*yaml.Node]bool{}}
	return c.value(document.Content[0], 0)
}

// checkStructure bounds the size of the library's tree before the library runs: a value takes
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

// converter turns nodes into a tree.
type converter struct {
	ctx    context.Context // of the call, which the converter does not outlive
	values int
	open   map[*yaml.Node]bool // aliased nodes that are being converted
}

func (c *converter) value(n *yaml.Node, depth int) (any, error) {
	if c.values++; c.values > MaxValues {
		return nil, &Error{Message: fmt.Sprintf("has more than %d values with all aliases written out", MaxValues), whole: true}
	}
	if c.values%valuesPerCheck == 0 && c.ctx.Err() != nil {
		return nil, c.ctx.Err()
	}
	if depth > MaxDepth {
		return nil, &Error{Message: fmt.Sprintf("nests deeper than %d levels", MaxDepth), whole: true}
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
	if c.open[n.Alias] {
		return nil, &Error{Message: fmt.Sprintf("the anchor %s holds itself", n.Value)}
	}
	c.open[n.Alias] = true
	defer delete(c.open, n.Alias)
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

// nameOf gives the text of a key; ok is false for one that is not a text.
func nameOf(key *yaml.Node) (name string, ok bool) {
	if key.Kind == yaml.AliasNode {
		key = key.Alias
	}
	return key.Value, key.Kind == yaml.ScalarNode && key.ShortTag() == "!!str"
}

// merge adds the members of a mapping, or of those in a list, that are not there yet.
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

// scalar gives the value that the library resolves a scalar to, in the form of jsontree.
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
		if !utf8.ValidString(v) { // of !!binary
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

// within puts a segment in front of the path of an error. Paths are made of errors alone,
// since names may be long and values many.
func within(segment string, err error) error {
	e, ok := err.(*Error)
	if !ok || e.whole {
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
