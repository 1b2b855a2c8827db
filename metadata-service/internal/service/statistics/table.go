package statistics

import (
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Limits of a table.
const (
	MaxMetrics        = 50
	MaxGroupings      = 10
	MaxTableDocuments = 1_000_000
	maxTableBytes     = 32 << 20  // of texts in cells
	maxDistinct       = 1_000_000 // values counted by CARDINALITY, over all cells
)

// Aggregation reduces the values of a group to one.
type Aggregation string

const (
	Latest      Aggregation = "LATEST" // the value of the latest document, even if it is absent
	Total       Aggregation = "SUM"
	Cardinality Aggregation = "CARDINALITY" // number of distinct values
)

// Metric is a column of numbers or texts. Field is a stat of the aspect, a stat or the key of one
// of its lists such as userCounts.count, or a field of every document: urn, timestampMillis, runId,
// messageId, eventGranularity, partitionSpec.partition.
type Metric struct {
	Field string
	By    Aggregation
}

// Grouping groups documents by the value of a field.
type Grouping struct {
	Field string
	// Date groups times by windows of Multiple Units, in the calendar of a time zone.
	Date           bool
	Unit, TimeZone string
	Multiple       int64
}

// TableQuery requests aggregates of the documents of a time series, by group.
type TableQuery struct {
	EntityType, Aspect string // in any case
	Metrics            []Metric
	Groupings          []Grouping // none for a single group
	Filter             timeseries.Filter
}

// Table is the result. All cells are texts.
type Table struct {
	EntityType, Aspect string // in the spelling of the model
	Names, Types       []string
	Rows               [][]string
}

// Null is the text of a cell without a value.
const Null = "NULL"

// Table aggregates documents. It returns a row for each existing combination of groups, ordered by
// the groups. If the innermost group is a window of a day or longer, it adds rows for windows
// without data. It requires the privilege to read time series of the entity type. Too many
// documents, groups or values are fault.TooLarge.
//
// Each element of a list is a separate document, with only the fields of that list, so all fields
// of a query must belong to the same list, or all to the aspect itself.
func (s *Service) Table(ctx context.Context, q TableQuery) (Table, error) {
	of, err := s.documents.Series(q.EntityType, q.Aspect)
	if err != nil {
		return Table{}, fault.Wrap(err, fault.Malformed, "entityName %.50q and aspectName %.50q name no time series: %s", q.EntityType, q.Aspect, fault.Message(err))
	}
	t, err := newTabulation(of.Aspect, &q)
	if err != nil {
		return Table{}, err
	}
	read := catalog.TimeseriesQuery{EntityType: of.Entity.Name, Aspect: of.Aspect.Name, Filter: q.Filter, Exploded: t.collection != "", Summed: true}
	pushDown(&read)
	if err := s.visitDocuments(ctx, read, MaxTableDocuments, t.add); err != nil {
		return Table{}, err
	}
	out := Table{EntityType: of.Entity.Name, Aspect: of.Aspect.Name, Names: t.names(), Types: t.types()}
	out.Rows, err = t.rows()
	return out, err
}

// field is the meaning of a name in a query.
type field struct {
	name       string
	collection string // list of the aspect that contains it, empty for none
	shared     bool   // all documents have it
	kind       string // type of the stat: KEYWORD, DATETIME, INT, LONG, FLOAT or DOUBLE
}

// numeric reports whether values can be added up.
func (f field) numeric() bool {
	return slices.Contains([]string{"INT", "LONG", "FLOAT", "DOUBLE"}, f.kind)
}

// column returns the name of the type in the result.
func (f field) column() string {
	switch {
	case f.kind == "DATETIME":
		return "long"
	case f.numeric():
		return strings.ToLower(f.kind)
	}
	return "string"
}

func fieldOf(aspect *model.AspectSpec, at, name string) (field, error) {
	plain := strings.TrimSuffix(name, ".keyword")
	switch plain {
	case "urn", "runId", "messageId", "eventGranularity", "partitionSpec.partition", "isExploded":
		return field{name: plain, shared: true, kind: "KEYWORD"}, nil
	case "timestampMillis", "@timestamp":
		return field{name: "timestampMillis", shared: true, kind: "DATETIME"}, nil
	}
	for _, stat := range aspect.Stats {
		if stat.Name == plain {
			return field{name: plain, kind: stat.Type}, nil
		}
	}
	for _, c := range aspect.Collections {
		stat, ok := strings.CutPrefix(plain, c.Name+".")
		if !ok {
			continue
		}
		if stat == c.Key {
			return field{name: plain, collection: c.Name, kind: "KEYWORD"}, nil
		}
		for _, s := range c.Stats {
			if s.Name == stat {
				return field{name: plain, collection: c.Name, kind: s.Type}, nil
			}
		}
	}
	return field{}, fault.New(fault.Malformed, "%s: %s has no time-series field %.100q; it has %s", at, aspect.Name, name, strings.Join(fieldNames(aspect), ", "))
}

// fieldNames returns the names of the fields of an aspect for error messages.
func fieldNames(aspect *model.AspectSpec) []string {
	names := []string{"urn", "timestampMillis"}
	for _, stat := range aspect.Stats {
		names = append(names, stat.Name)
	}
	for _, c := range aspect.Collections {
		names = append(names, c.Name+"."+c.Key)
		for _, stat := range c.Stats {
			names = append(names, c.Name+"."+stat.Name)
		}
	}
	return names
}

// of returns the value in a document, or nil.
func (f field) of(d *timeseries.Document) any {
	if value, ok := d.Fixed(f.name); ok {
		return value
	}
	return d.Columns[f.name]
}

func textOf(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return Null
}

type grouping struct {
	field
	window *window
}

type metric struct {
	field
	by Aggregation
}

// tableBuilder is a table under construction.
type tableBuilder struct {
	collection string // list whose elements are read, "" for the aspect itself
	key        string // column that each of its elements has
	groupings  []grouping
	metrics    []metric
	groups     map[string]*group
	bytes      int
	distinct   int
	seed       maphash.Seed
}

type group struct {
	keys  []any // string, int64 or float64
	cells []cell
}

// cell is the state of one aggregation.
type cell struct {
	seen     bool
	latest   string
	sum      int64
	float    float64
	isFloat  bool
	distinct map[uint64]struct{}
}

func newTabulation(aspect *model.AspectSpec, q *TableQuery) (*tableBuilder, error) {
	switch {
	case len(q.Metrics) == 0 || len(q.Metrics) > MaxMetrics:
		return nil, fault.New(fault.Malformed, "metrics: must be 1 to %d, are %d", MaxMetrics, len(q.Metrics))
	case len(q.Groupings) > MaxGroupings:
		return nil, fault.New(fault.Malformed, "buckets: must be at most %d, are %d", MaxGroupings, len(q.Groupings))
	}
	t := &tableBuilder{groups: map[string]*group{}, seed: maphash.MakeSeed()}
	var used []usedField
	for i, g := range q.Groupings {
		at := fmt.Sprintf("buckets[%d]", i)
		f, err := fieldOf(aspect, at+".key", g.Field)
		if err != nil {
			return nil, err
		}
		made := grouping{field: f}
		if g.Date {
			if f.kind != "DATETIME" {
				return nil, fault.New(fault.Malformed, "%s.key: %s is no time; a DATE_GROUPING_BUCKET needs one, such as timestampMillis", at, f.name)
			}
			w, err := newWindow(at+".timeWindowSize", g.Unit, g.Multiple, g.TimeZone)
			if err != nil {
				return nil, err
			}
			made.window = &w
		}
		t.groupings = append(t.groupings, made)
		used = append(used, usedField{at + ".key", f})
	}
	for i, m := range q.Metrics {
		at := fmt.Sprintf("metrics[%d]", i)
		f, err := fieldOf(aspect, at+".fieldPath", m.Field)
		switch {
		case err != nil:
			return nil, err
		case !slices.Contains([]Aggregation{Latest, Total, Cardinality}, m.By):
			return nil, fault.New(fault.Malformed, "%s.aggregationType: must be LATEST, SUM or CARDINALITY, is %.50q", at, m.By)
		case m.By == Total && !f.numeric():
			return nil, fault.New(fault.Malformed, "%s: %s is no number and cannot be summed up", at, f.name)
		}
		t.metrics = append(t.metrics, metric{f, m.By})
		used = append(used, usedField{at + ".fieldPath", f})
	}
	for _, all := range q.Filter {
		for _, c := range all {
			f, err := fieldOf(aspect, "filter", c.Field)
			if err != nil {
				return nil, err
			}
			used = append(used, usedField{"filter", f})
		}
	}
	if err := t.findCollection(used); err != nil {
		return nil, err
	}
	for _, c := range aspect.Collections {
		if c.Name == t.collection {
			t.key = c.Name + "." + c.Key
		}
	}
	return t, nil
}

type usedField struct {
	at string
	field
}

// findCollection determines the list that contains all fields.
func (t *tableBuilder) findCollection(used []usedField) error {
	var first *usedField
	for i := range used {
		switch u := &used[i]; {
		case u.shared:
		case first == nil:
			first, t.collection = u, u.collection
		case u.collection != first.collection:
			return fault.New(fault.Malformed, "%s: %s and %s cannot be requested together, because each element of a list is a separate document; request them one by one",
				u.at, u.name, first.name)
		}
	}
	return nil
}

// pushDown passes conditions to the driver that it can evaluate by its keys. Filters with several
// alternatives are matched document by document.
func pushDown(q *catalog.TimeseriesQuery) {
	if len(q.Filter) != 1 {
		return
	}
	for _, c := range q.Filter[0] {
		if c.Negated || len(c.Values) == 0 {
			continue
		}
		switch c.Field {
		case "urn", "urn.keyword":
			if c.Operator == timeseries.Equal && q.Among == nil {
				for _, u := range c.Values {
					q.Among = append(q.Among, urn.URN(u))
				}
			}
		case "timestampMillis", "@timestamp":
			narrowTime(q, c)
		}
	}
}

func narrowTime(q *catalog.TimeseriesQuery, c timeseries.Condition) {
	at, err := strconv.ParseInt(c.Values[0], 10, 64)
	if err != nil {
		return
	}
	switch c.Operator {
	case timeseries.GreaterThan, timeseries.GreaterOrEqual:
		if q.From == nil || at > *q.From {
			q.From = &at
		}
	case timeseries.LessThan, timeseries.LessOrEqual:
		if q.To == nil || at < *q.To {
			q.To = &at
		}
	}
}

// add adds a document. Documents must be ordered newest first.
func (t *tableBuilder) add(d *timeseries.Document) error {
	if t.key != "" && d.Columns[t.key] == nil {
		return nil // of another list
	}
	keys := make([]any, len(t.groupings))
	var name []byte
	for i, g := range t.groupings {
		value := g.of(d)
		if value == nil {
			return nil
		}
		if at, ok := value.(int64); ok && g.window != nil {
			value = g.window.start(at)
		}
		keys[i] = value
		text := textOf(value)
		name = append(append(strconv.AppendInt(name, int64(len(text)), 10), ':'), text...)
	}
	g := t.groups[string(name)]
	if g == nil {
		if len(t.groups) == MaxWindows {
			return fault.New(fault.TooLarge, "buckets: there are more than %d groups; narrow the filter or group by fewer fields", MaxWindows)
		}
		g = &group{keys: keys, cells: make([]cell, len(t.metrics))}
		t.groups[string(name)] = g
		t.bytes += len(name)
	}
	for i, m := range t.metrics {
		t.addTo(&g.cells[i], m, m.of(d))
	}
	switch {
	case t.bytes > maxTableBytes:
		return fault.New(fault.TooLarge, "the table has more than %d MB of text; narrow the filter", maxTableBytes>>20)
	case t.distinct > maxDistinct:
		return fault.New(fault.TooLarge, "CARDINALITY meets more than %d values that differ; narrow the filter", maxDistinct)
	}
	return nil
}

func (t *tableBuilder) addTo(c *cell, m metric, value any) {
	switch m.by {
	case Latest:
		if !c.seen {
			c.latest = textOf(value)
			t.bytes += len(c.latest)
		}
		c.seen = true
	case Total:
		c.add(value)
	case Cardinality:
		if value == nil {
			return
		}
		if c.distinct == nil {
			c.distinct = map[uint64]struct{}{}
		}
		before := len(c.distinct)
		c.distinct[maphash.String(t.seed, textOf(value))] = struct{}{}
		t.distinct += len(c.distinct) - before
	}
}

// add keeps integer sums as long as they fit into an int64, and continues with floating point
// beyond.
func (c *cell) add(value any) {
	switch n := value.(type) {
	case int64:
		if sum, fits := addInt64(c.sum, n); fits && !c.isFloat {
			c.sum = sum
		} else {
			c.float, c.sum, c.isFloat = c.float+float64(c.sum)+float64(n), 0, true
		}
	case float64:
		c.float, c.sum, c.isFloat = c.float+float64(c.sum)+n, 0, true
	default:
		return
	}
	c.seen = true
}

func (c *cell) text(by Aggregation) string {
	switch {
	case by == Cardinality:
		return strconv.Itoa(len(c.distinct))
	case !c.seen:
		return Null
	case by == Latest:
		return c.latest
	case c.isFloat:
		return textOf(c.float)
	}
	return textOf(c.sum)
}

func (t *tableBuilder) names() []string {
	var out []string
	for _, g := range t.groupings {
		out = append(out, g.name)
	}
	for _, m := range t.metrics {
		out = append(out, strings.ToLower(string(m.by))+"_"+m.name)
	}
	return out
}

func (t *tableBuilder) types() []string {
	var out []string
	for _, g := range t.groupings {
		out = append(out, g.column())
	}
	for _, m := range t.metrics {
		switch m.by {
		case Total:
			out = append(out, "double")
		case Cardinality:
			out = append(out, "long")
		default:
			out = append(out, m.column())
		}
	}
	return out
}

// rows returns the rows ordered by group.
func (t *tableBuilder) rows() ([][]string, error) {
	groups := make([]*group, 0, len(t.groups))
	for _, g := range t.groups {
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b *group) int { return compareKeys(a.keys, b.keys) })
	if n := len(t.groupings); n > 0 && t.groupings[n-1].window != nil && t.groupings[n-1].window.countable() {
		return t.fillGaps(groups, *t.groupings[n-1].window)
	}
	rows := make([][]string, len(groups))
	for i, g := range groups {
		rows[i] = t.row(g)
	}
	return rows, nil
}

// fillGaps returns rows with the missing windows between those with documents, for each outer
// group.
func (t *tableBuilder) fillGaps(groups []*group, w window) ([][]string, error) {
	var rows [][]string
	inner := len(t.groupings) - 1
	for i, g := range groups {
		if i > 0 && compareKeys(groups[i-1].keys[:inner], g.keys[:inner]) == 0 {
			from, to := w.number(groups[i-1].keys[inner].(int64))+1, w.number(g.keys[inner].(int64))
			if to-from > int64(MaxWindows-len(rows)) {
				return nil, tooManyRows()
			}
			for n := from; n < to; n++ {
				rows = append(rows, t.row(&group{keys: append(slices.Clone(g.keys[:inner]), w.begin(n)), cells: make([]cell, len(t.metrics))}))
			}
		}
		if len(rows) == MaxWindows {
			return nil, tooManyRows()
		}
		rows = append(rows, t.row(g))
	}
	return rows, nil
}

func tooManyRows() error {
	return fault.New(fault.TooLarge, "buckets: there are more than %d rows with the windows without data; ask for longer windows or a shorter time", MaxWindows)
}

func (t *tableBuilder) row(g *group) []string {
	row := make([]string, 0, len(g.keys)+len(g.cells))
	for _, key := range g.keys {
		row = append(row, textOf(key))
	}
	for i := range g.cells {
		row = append(row, g.cells[i].text(t.metrics[i].by))
	}
	return row
}

func compareKeys(a, b []any) int {
	for i := range a {
		if c := compareKey(a[i], b[i]); c != 0 {
			return c
		}
	}
	return 0
}

// compareKey compares values of one field, which have the same type.
func compareKey(a, b any) int {
	switch x := a.(type) {
	case string:
		if y, ok := b.(string); ok {
			return cmp.Compare(x, y)
		}
	case int64:
		if y, ok := b.(int64); ok {
			return cmp.Compare(x, y)
		}
	case float64:
		if y, ok := b.(float64); ok {
			return cmp.Compare(x, y)
		}
	}
	return cmp.Compare(textOf(a), textOf(b))
}
