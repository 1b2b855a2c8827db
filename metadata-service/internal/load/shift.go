package load

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/cartulary/cartulary/pkg/fault"
)

// timeMember reports whether aspects store epoch milliseconds under a name (known), and whether
// such times are always in the past and therefore count for the newest time (past).
func timeMember(name string) (known, past bool) {
	switch name {
	case "timestampMillis", "time", "lastUpdatedTimestamp", "lastUpdated", "lastObserved",
		"created", "createdAt", "createdOn", "date", "lastModified", "lastRefreshed", "lastExecutedAt",
		"lastViewedAt", "startedAt", "startTimeMillis", "startTimeMs", "requestedAt":
		return true, true
	case "decommissionTime":
		return true, false
	}
	return false, false
}

// A number outside of these bounds (years 2001 to 2286, 13 digits) is not a time but a placeholder
// such as 0, which means "unknown". It is not moved.
const (
	firstMoment = 1_000_000_000_000
	lastMoment  = 9_999_999_999_999
)

const dayMillis = 24 * 60 * 60 * 1000

// wholeDays returns the amount by which times are moved so that newest is less than a day before
// now. A multiple of days keeps daily figures at midnight, and a second load on the same day writes
// the same times again instead of a second series.
func wholeDays(newest int64, now time.Time) int64 {
	if newest == 0 {
		return 0
	}
	gap := now.UnixMilli() - newest
	days := gap / dayMillis
	if gap%dayMillis < 0 {
		days--
	}
	return days * dayMillis
}

// newest returns the latest past time in the item, 0 for none.
func (it item) newest() (int64, error) {
	var latest int64
	note := func(past bool, t int64) int64 {
		if past {
			latest = max(latest, t)
		}
		return t
	}
	for _, raw := range append([]json.RawMessage{it.aspect.data}, it.aspects...) {
		if raw == nil {
			continue
		}
		tree, err := decodeTree(raw)
		if err != nil {
			return 0, err
		}
		walk(tree, treeEditor{time: note})
	}
	return latest, nil
}

// rewrite returns an aspect value with moved times and with type names in the server's spelling. If
// neither is needed, it returns the bytes unchanged.
func rewrite(raw json.RawMessage, shift int64) (json.RawMessage, error) {
	if shift == 0 && !bytes.Contains(raw, []byte(clientSegment)) {
		return raw, nil
	}
	return rewriteTree(raw, treeEditor{time: moveBy(shift), rename: true})
}

// rewriteSnapshot also drops null members: snapshot records contain every optional member.
func rewriteSnapshot(raw json.RawMessage, shift int64) (json.RawMessage, error) {
	return rewriteTree(raw, treeEditor{time: moveBy(shift), rename: true, dropNull: true})
}

func moveBy(shift int64) func(bool, int64) int64 {
	return func(_ bool, t int64) int64 { return t + shift }
}

// clientSegment is the part of a type name that client libraries add and servers do not accept.
const clientSegment = "com.linkedin.pegasus2avro."

func plainName(name string) string {
	if rest, found := strings.CutPrefix(name, clientSegment); found {
		return "com.linkedin." + rest
	}
	return name
}

func rewriteTree(raw json.RawMessage, e treeEditor) (json.RawMessage, error) {
	tree, err := decodeTree(raw)
	if err != nil {
		return nil, err
	}
	return encode(walk(tree, e))
}

// decodeTree keeps numbers as text, so that no digits are lost.
func decodeTree(raw json.RawMessage) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var tree any
	if err := dec.Decode(&tree); err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "value is not valid JSON")
	}
	return tree, nil
}

// treeEditor configures the changes that walk makes to the members of objects.
type treeEditor struct {
	time     func(past bool, t int64) int64
	rename   bool
	dropNull bool
}

// walk edits a tree, partly in place, and returns the result. The JSON decoder limits the depth: it
// rejects nesting that would exceed the stack of a goroutine.
func walk(node any, e treeEditor) any {
	switch node := node.(type) {
	case []any:
		for i, child := range node {
			node[i] = walk(child, e)
		}
	case map[string]any:
		out := make(map[string]any, len(node))
		for name, child := range node {
			if child == nil && e.dropNull {
				continue
			}
			if e.rename {
				name = plainName(name)
			}
			out[name] = e.member(name, child)
		}
		return out
	}
	return node
}

func (e treeEditor) member(name string, child any) any {
	known, past := timeMember(name)
	number, isNumber := child.(json.Number)
	if !known || !isNumber {
		return walk(child, e)
	}
	t, err := number.Int64()
	if err != nil || t < firstMoment || t > lastMoment {
		return number
	}
	return json.Number(strconv.FormatInt(e.time(past, t), 10))
}
