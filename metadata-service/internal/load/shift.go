package load

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/cartulary/cartulary/pkg/fault"
)

// timeMember knows the names under which aspects keep epoch milliseconds. A
// time that lies in the past by nature counts when the newest is looked for.
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

// A number outside of these bounds (years 2001 to 2286, 13 digits) is no time
// but a placeholder such as 0, which means "not known", and stays where it is.
const (
	firstMoment = 1_000_000_000_000
	lastMoment  = 9_999_999_999_999
)

const dayMillis = 24 * 60 * 60 * 1000

// wholeDays is how far times move so that newest lies less than a day before
// now. Whole days keep daily figures at midnight, and loading a second time on
// the same day writes the same times again rather than a second series.
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

// newest is the latest time of the past found in the item, 0 for none.
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

// rewrite returns an aspect value with times moved and type names in the
// server's spelling; when neither is needed, the bytes stay as they are.
func rewrite(raw json.RawMessage, shift int64) (json.RawMessage, error) {
	if shift == 0 && !bytes.Contains(raw, []byte(clientSegment)) {
		return raw, nil
	}
	return rewriteTree(raw, treeEditor{time: moveBy(shift), rename: true})
}

// rewriteSnapshot also drops members that are null: records of that form state every optional member.
func rewriteSnapshot(raw json.RawMessage, shift int64) (json.RawMessage, error) {
	return rewriteTree(raw, treeEditor{time: moveBy(shift), rename: true, dropNull: true})
}

func moveBy(shift int64) func(bool, int64) int64 {
	return func(_ bool, t int64) int64 { return t + shift }
}

// clientSegment is the part of a type name that client libraries add and servers do not know.
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

// decodeTree keeps numbers as text, so that none loses digits.
func decodeTree(raw json.RawMessage) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var tree any
	if err := dec.Decode(&tree); err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "value is not valid JSON")
	}
	return tree, nil
}

// treeEditor is what walk does to each member of each object.
type treeEditor struct {
	time     func(past bool, t int64) int64
	rename   bool
	dropNull bool
}

// walk edits a tree, partly in place, and returns the result. Its depth is bound by the JSON
// decoder, which refuses deeper nesting than a goroutine's stack can take.
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
