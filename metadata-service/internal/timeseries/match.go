package timeseries

import (
	"math"
	"strings"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Matcher decides whether a query selects a time-series document. Drivers find candidates in their
// own ways and leave the decision to it, so that all drivers agree. It checks URNs, From, To,
// RunID, IDs and Filter; Exploded, order, After and Limit belong to the listing and are the
// driver's task.
//
// A condition holds if any value of the field matches any value of the condition. Negated inverts
// the result, so that a negated condition holds for an absent field.
//
//   - A number in the document is compared by its value, "5" and "5.0" are both 5; a condition
//     value that is not a number never equals it and has no order to it.
//   - A text is compared byte by byte, "10" is less than "9". A boolean is the text "true" or
//     "false".
//   - Contain, StartWith, EndWith and IEqual compare the text of a number.
//   - Exists is also true for an object; a null, an empty list and an empty text in the fixed
//     fields are absent.
//   - A condition without values matches nothing, so it holds only if negated.
//
// A Matcher is immutable and safe for concurrent use.
type Matcher struct {
	urns     map[urn.URN]struct{}
	ids      map[string]struct{}
	from, to int64
	runID    string
	filter   [][]predicate
}

// Matcher compiles the query. The error is of kind fault.Invalid and names the invalid condition.
func (q *Query) Matcher() (*Matcher, error) {
	m := &Matcher{
		urns:  setOf(q.URNs),
		ids:   setOf(q.IDs),
		from:  math.MinInt64,
		to:    math.MaxInt64,
		runID: q.RunID,
	}
	if q.From != nil {
		m.from = *q.From
	}
	if q.To != nil {
		m.to = *q.To
	}
	conditions := 0
	for _, alternative := range q.Filter {
		if conditions += len(alternative); conditions > MaxConditions {
			return nil, fault.New(fault.Invalid, "the filter has more than %d conditions; narrow it", MaxConditions)
		}
		all := make([]predicate, 0, len(alternative))
		for _, c := range alternative {
			p, err := newPredicate(c)
			if err != nil {
				return nil, err
			}
			all = append(all, p)
		}
		m.filter = append(m.filter, all)
	}
	return m, nil
}

func setOf[T comparable](list []T) map[T]struct{} {
	if len(list) == 0 {
		return nil
	}
	set := make(map[T]struct{}, len(list))
	for _, v := range list {
		set[v] = struct{}{}
	}
	return set
}

// ByKey reports whether Match depends only on the URN, time and id of a document, which drivers
// have in their keys.
func (m *Matcher) ByKey() bool { return m.runID == "" && len(m.filter) == 0 }

// MatchKey checks URN, time and id only. If it returns false, the document does not match.
func (m *Matcher) MatchKey(u urn.URN, time int64, id string) bool {
	if time < m.from || time > m.to {
		return false
	}
	if m.urns != nil {
		if _, ok := m.urns[u]; !ok {
			return false
		}
	}
	if m.ids != nil {
		if _, ok := m.ids[id]; !ok {
			return false
		}
	}
	return true
}

// Match reports whether the query selects a document.
func (m *Matcher) Match(d *Document) bool {
	if !m.MatchKey(d.URN, d.Time, d.ID) {
		return false
	}
	if m.runID != "" && m.runID != d.RunID {
		return false
	}
	if len(m.filter) == 0 {
		return true
	}
	r := row{doc: d}
	for _, alternative := range m.filter {
		if allHold(alternative, &r) {
			return true
		}
	}
	return false
}

func allHold(all []predicate, r *row) bool {
	for i := range all {
		if !all[i].holds(r) {
			return false
		}
	}
	return true
}

// predicate is a compiled condition.
type predicate struct {
	field   string
	test    func(value any) bool // for one value
	null    bool                 // IsNull: holds if no value passes
	negated bool
}

func newPredicate(c Condition) (predicate, error) {
	field := strings.TrimSuffix(c.Field, ".keyword")
	if field == "" {
		return predicate{}, fault.New(fault.Invalid, "a filter condition names no field")
	}
	p := predicate{field: field, negated: c.Negated}
	switch c.Operator {
	case Equal, "":
		p.test = newEquality(c.Values).test
	case IEqual:
		p.test = anyText(c.Values, strings.EqualFold)
	case Contain:
		p.test = anyText(lowerAll(c.Values), caseInsensitive(strings.Contains))
	case StartWith:
		p.test = anyText(lowerAll(c.Values), caseInsensitive(strings.HasPrefix))
	case EndWith:
		p.test = anyText(lowerAll(c.Values), caseInsensitive(strings.HasSuffix))
	case GreaterThan, GreaterOrEqual, LessThan, LessOrEqual:
		if len(c.Values) == 0 {
			return predicate{}, fault.New(fault.Invalid, "filter on field %q: operator %s needs a value", c.Field, c.Operator)
		}
		p.test = ordering(c.Operator, newOperand(c.Values[0]))
	case Exists:
		p.test = func(any) bool { return true }
	case IsNull:
		p.test, p.null = func(any) bool { return true }, true
	default:
		return predicate{}, fault.New(fault.Invalid, "filter on field %q: unknown operator %q", c.Field, c.Operator)
	}
	return p, nil
}

func (p *predicate) holds(r *row) bool {
	found := r.any(p.field, p.test)
	return found != p.null != p.negated
}
