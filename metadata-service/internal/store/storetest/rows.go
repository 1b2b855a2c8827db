package storetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

var rowCases = []testCase{
	{"an empty store has nothing", emptyStore},
	{"a record comes back as it was put", recordsComeBack},
	{"no field of a record or an entry is lost", everyFieldKept},
	{"get keeps the order asked and leaves gaps nil", getKeepsOrder},
	{"aspects are ordered by name and can be selected", aspectsByName},
	{"sizes are told without the values", sizesTold},
	{"history rows are listed in ascending order", historyInOrder},
	{"a row put again is replaced", rowReplaced},
	{"removing rows leaves the others", removeLeavesOthers},
	{"history is removed up to a number, the run index with it", historyRemovedByRange},
	{"history is removed by age, from the oldest on", historyRemovedByAge},
	{"an entity that was gone comes back", entityComesBack},
	{"records handed out and taken in are independent", recordsIndependent},
	{"values of a megabyte and long URNs are kept", largeValues},
	{"what passes a limit is refused", limitsRefused},
}

// sizesTold compares sizes with values that are much longer than the data stored with them.
func sizesTold(f *fixture) {
	const kilobytes, beside = 100 << 10, 1 << 10
	u, absent := dataset(1), dataset(2)
	for row, times := range []int64{1, 2, 3} {
		rec := record(u, "status", `"`+strings.Repeat("x", int(times)*kilobytes)+`"`)
		rec.Row = int64(row)
		f.put(rec)
	}
	f.put(record(u, "ownership", `"`+strings.Repeat("x", 4*kilobytes)+`"`))
	key := store.Key{URN: u, Aspect: "status"}
	about := func(what string, got, want []int64) {
		same := len(got) == len(want)
		for i := 0; same && i < len(want); i++ {
			same = got[i] >= want[i] && got[i] <= want[i]+beside
		}
		if !same {
			f.Errorf("%s: got %d, want %d or a little more", what, got, want)
		}
	}
	rows, err := f.RowSizes(f.Context(), key, 2, 0, 1, 9)
	f.ok(err)
	about("rows", rows, []int64{3 * kilobytes, kilobytes, 2 * kilobytes, 0})
	f.same("size of a row that is not there", rows[3], int64(0))
	all, err := f.AspectSizes(f.Context(), []urn.URN{u, absent})
	f.ok(err)
	about("all aspects", all, []int64{5 * kilobytes, 0})
	named, err := f.AspectSizes(f.Context(), []urn.URN{absent, u}, "ownership", "ownership", "siblings")
	f.ok(err)
	about("one aspect", named, []int64{0, 4 * kilobytes})
}

func emptyStore(f *fixture) {
	u := dataset(1)
	records, err := f.Get(f.Context(), store.Key{URN: u, Aspect: "status"})
	f.ok(err)
	f.same("get", records, []*model.Record{nil})
	lists, err := f.Aspects(f.Context(), []urn.URN{u})
	f.ok(err)
	if len(lists) != 1 || len(lists[0]) != 0 {
		f.Errorf("aspects of an absent entity: got %v, want one empty list", lists)
	}
	rows, err := f.Rows(f.Context(), store.Key{URN: u, Aspect: "status"})
	f.ok(err)
	f.same("rows", rows, []int64{})
	f.same("row", f.row(store.Key{URN: u, Aspect: "status"}, 3), (*model.Record)(nil))
	f.same("scan", f.scan(store.Scan{}), []urn.URN{})
	f.same("count", f.count(""), 0)
	f.same("runs", f.runs(), []store.Run{})
	f.same("run keys", f.runKeys("r", store.Key{}, 0), []store.Key{})
	f.same("entries", f.entries(0, 10), []store.Entry{})
}

func recordsComeBack(f *fixture) {
	for i, change := range recordVariants {
		rec := record(dataset(i), "status", `{"removed":false}`)
		change(&rec)
		f.put(rec)
		f.same("row", f.row(rec.Key(), rec.Row), &rec)
		f.update(func(tx store.Tx) {
			got, err := tx.Row(f.Context(), rec.Key(), rec.Row)
			f.same("error", err, nil)
			f.same("row in a transaction", got, &rec)
		})
	}
}

// recordVariants cover the cases that a driver may store in a shorter form.
var recordVariants = []func(rec *model.Record){
	func(*model.Record) {},
	func(rec *model.Record) { rec.Row = 7 },
	func(rec *model.Record) { rec.Row = math.MaxInt64 },
	func(rec *model.Record) { rec.Value = nil },
	func(rec *model.Record) { rec.CreatedBy, rec.CreatedOn = "", 0 },
	func(rec *model.Record) { rec.CreatedOn = -1 },
	func(rec *model.Record) { rec.CreatedFor = "urn:li:corpuser:other" },
	func(rec *model.Record) { rec.CreatedBy = urn.URN("urn:li:corpuser:" + strings.Repeat("x", 3000)) },
	func(rec *model.Record) { rec.Sequence = math.MaxUint64 },
	func(rec *model.Record) { rec.System = model.SystemMetadata{} },
	func(rec *model.Record) { rec.System.LastObserved = 12 },
	func(rec *model.Record) { rec.System.LastObserved = math.MinInt64 },
	func(rec *model.Record) { rec.System.RunID = strings.Repeat("r", store.MaxRunBytes) },
	func(rec *model.Record) { rec.System.LastRunID = "run-before" },
	func(rec *model.Record) { rec.System.LastRunID = strings.Repeat("b", 5000) },
	func(rec *model.Record) { rec.System.PipelineName = "nightly" },
	func(rec *model.Record) { rec.System.RegistryName = "unknownRegistry" },
	func(rec *model.Record) { rec.System.RegistryVersion = "0.0.0.0-dev" },
	func(rec *model.Record) { rec.System.Version = "" },
	func(rec *model.Record) { rec.System.Version = "007" },
	func(rec *model.Record) { rec.System.Version = "0" },
	func(rec *model.Record) { rec.System.Version = "+1" },
	func(rec *model.Record) { rec.System.Version = "18446744073709551615" },
	func(rec *model.Record) { rec.System.SchemaVersion = 0 },
	func(rec *model.Record) { rec.System.SchemaVersion = -3 },
	func(rec *model.Record) { rec.System.AspectCreated = nil },
	func(rec *model.Record) { rec.System.AspectModified = &model.AuditStamp{} },
	func(rec *model.Record) {
		rec.System.AspectModified = &model.AuditStamp{Time: 9, Actor: "urn:li:corpuser:a", Impersonator: "urn:li:corpuser:b"}
	},
	func(rec *model.Record) { rec.System.Properties = nil },
	func(rec *model.Record) { rec.System.Properties[model.PropertyTraceID] = strings.Repeat("AB", 16) },
	func(rec *model.Record) { rec.System.Properties[model.PropertyTraceID] = "" },
	func(rec *model.Record) { rec.System.Properties[model.PropertyNoOp] = "true" },
	func(rec *model.Record) { rec.System.Properties[model.PropertyNoOp] = "false" },
	func(rec *model.Record) {
		rec.System.Properties = map[string]string{"": "", "clientId": "acryl-datahub", "clientVersion": strings.Repeat("9", 100), "k": "v"}
	},
	func(rec *model.Record) { rec.Aspect = strings.Repeat("a", store.MaxAspectBytes) },
	func(rec *model.Record) { rec.URN = "not a URN at all: \x00\xff" },
}

// everyFieldKept fills all fields, including those added after a driver was written.
func everyFieldKept(f *fixture) {
	var rec model.Record
	fill(reflect.ValueOf(&rec).Elem(), new(int64))
	f.put(rec)
	f.same("record", f.row(rec.Key(), rec.Row), &rec)

	var entry store.Entry
	fill(reflect.ValueOf(&entry).Elem(), new(int64))
	entry.Kind = store.Document
	f.update(func(tx store.Tx) {
		sequence, err := tx.Append(f.Context(), entry)
		if err != nil {
			f.Error(err)
		}
		entry.Sequence = sequence
	})
	f.same("entry", f.entries(0, 10), []store.Entry{entry})
}

// fill sets v and all its parts to non-zero values that differ from each other.
func fill(v reflect.Value, n *int64) {
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprint("text", *n))
	case reflect.Int64:
		v.SetInt(*n)
	case reflect.Uint64:
		v.SetUint(uint64(*n))
	case reflect.Slice: // bytes
		v.SetBytes(fmt.Append(nil, *n))
	case reflect.Map: // texts
		v.Set(reflect.ValueOf(map[string]string{fmt.Sprint("key", *n): fmt.Sprint("value", *n)}))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	default:
		panic(fmt.Sprintf("the suite cannot fill a %s", v.Type()))
	}
}

func getKeepsOrder(f *fixture) {
	a, b := record(dataset(1), "status", `{"a":1}`), record(dataset(2), "ownership", `{"b":2}`)
	f.put(a, b)
	gone := store.Key{URN: a.URN, Aspect: "ownership"}
	records, err := f.Get(f.Context(), b.Key(), gone, a.Key(), b.Key())
	f.ok(err)
	f.same("records", records, []*model.Record{&b, nil, &a, &b})
	none, err := f.Get(f.Context())
	f.ok(err)
	f.same("get of nothing", none, []*model.Record{})
}

func aspectsByName(f *fixture) {
	u := dataset(1)
	z, a, m := record(u, "zeta", `1`), record(u, "alpha", `2`), record(u, "mid", `3`)
	f.put(z, a, m, historic(a, 1))
	lists, err := f.Aspects(f.Context(), []urn.URN{dataset(9), u})
	f.ok(err)
	f.same("absent", lists[0], []model.Record{})
	f.same("all", lists[1], []model.Record{a, m, z})
	lists, err = f.Aspects(f.Context(), []urn.URN{u, u}, "zeta", "none", "alpha", "zeta")
	f.ok(err)
	f.same("selected", lists, [][]model.Record{{a, z}, {a, z}})
}

func historyInOrder(f *fixture) {
	rec := record(dataset(1), "status", `{}`)
	f.put(historic(rec, 10), historic(rec, 2), rec, historic(rec, 300), record(dataset(1), "statusX", `{}`))
	rows, err := f.Rows(f.Context(), rec.Key())
	f.ok(err)
	f.same("rows", rows, []int64{2, 10, 300})
	want := historic(rec, 10)
	f.same("row 10", f.row(rec.Key(), 10), &want)
	f.same("row 11", f.row(rec.Key(), 11), (*model.Record)(nil))
	f.same("row -1", f.row(rec.Key(), -1), (*model.Record)(nil))
}

func rowReplaced(f *fixture) {
	rec := record(dataset(1), "status", `{"a":1}`)
	f.put(rec)
	rec.Value, rec.System.Version = json.RawMessage(`{"a":2}`), "2"
	f.put(rec)
	f.same("row", f.row(rec.Key(), 0), &rec)
	f.same("count", f.count("dataset"), 1)
	f.same("runs", f.runs(), []store.Run{{ID: model.DefaultRunID, Time: rec.System.LastObserved, Rows: 1}})
}

func removeLeavesOthers(f *fixture) {
	rec := record(dataset(1), "status", `{}`)
	other := record(dataset(1), "ownership", `{}`)
	f.put(rec, historic(rec, 1), historic(rec, 2), other)
	f.update(func(tx store.Tx) {
		for _, row := range []int64{0, 1, 1, 99, -1} {
			if err := tx.Remove(f.Context(), rec.Key(), row); err != nil {
				f.Errorf("remove row %d: %v", row, err)
			}
		}
		if err := tx.Remove(f.Context(), store.Key{URN: dataset(5), Aspect: "status"}, 0); err != nil {
			f.Errorf("remove of an absent row: %v", err)
		}
	})
	f.same("latest", f.row(rec.Key(), 0), (*model.Record)(nil))
	rows, err := f.Rows(f.Context(), rec.Key())
	f.ok(err)
	f.same("history", rows, []int64{2})
	f.same("other", f.row(other.Key(), 0), &other)
	f.same("count", f.count(""), 1)
}

// historyRemovedByRange covers committed records, writes of the transaction and the run index.
func historyRemovedByRange(f *fixture) {
	rec := record(dataset(1), "status", `{}`)
	other := historic(record(dataset(1), "ownership", `{}`), 1)
	f.put(rec, historic(inRun(dataset(1), "status", "r", 1), 1), historic(rec, 2), historic(rec, 300), other)
	f.update(func(tx store.Tx) {
		f.putIn(tx, historic(rec, 3), historic(rec, 301))
		for _, c := range []struct {
			upTo int64
			gone int
		}{{-1, 0}, {0, 0}, {3, 3}, {3, 0}, {300, 1}} {
			gone, err := tx.RemoveHistory(f.Context(), rec.Key(), c.upTo)
			f.same(fmt.Sprint("gone up to ", c.upTo), []any{gone, err}, []any{c.gone, nil})
		}
		gone, err := tx.RemoveHistory(f.Context(), store.Key{URN: dataset(9), Aspect: "none"}, 5)
		f.same("gone of nothing", []any{gone, err}, []any{0, nil})
		rows, err := tx.Rows(f.Context(), rec.Key())
		f.same("rows inside", []any{rows, err}, []any{[]int64{301}, nil})
	})
	rows, err := f.Rows(f.Context(), rec.Key())
	f.same("rows", []any{rows, err}, []any{[]int64{301}, nil})
	f.same("latest", f.row(rec.Key(), 0), &rec)
	f.same("other", f.row(other.Key(), 1), &other)
	f.same("run", f.runKeys("r", store.Key{}, 0), []store.Key{})
	f.same("count", f.count(""), 1)
}

// historyRemovedByAge checks that removal stops at the first record that is recent enough,
// regardless of the following ones.
func historyRemovedByAge(f *fixture) {
	at := func(row, created int64) model.Record {
		rec := historic(record(dataset(1), "status", `{}`), row)
		rec.CreatedOn = created
		return rec
	}
	latest := record(dataset(1), "status", `{}`)
	latest.CreatedOn = 1
	f.put(latest, at(1, 10), at(2, 20), at(3, 30), at(4, 5), at(5, 40))
	f.update(func(tx store.Tx) {
		for _, c := range []struct {
			before int64
			gone   int
		}{{10, 0}, {30, 2}, {30, 0}} {
			gone, err := tx.RemoveOlder(f.Context(), latest.Key(), c.before)
			f.same(fmt.Sprint("gone before ", c.before), []any{gone, err}, []any{c.gone, nil})
		}
	})
	rows, err := f.Rows(f.Context(), latest.Key())
	f.same("rows", []any{rows, err}, []any{[]int64{3, 4, 5}, nil})
	f.same("latest", f.row(latest.Key(), 0), &latest)
}

func entityComesBack(f *fixture) {
	rec := record(dataset(1), "status", `{"a":1}`)
	old := historic(rec, 1)
	f.put(rec, old)
	remove := func(tx store.Tx) {
		if err := tx.Remove(f.Context(), rec.Key(), 0); err != nil {
			f.Error(err)
		}
	}
	f.update(remove)
	f.same("scan without a latest row", f.scan(store.Scan{}), []urn.URN{})
	f.same("count without a latest row", f.count("dataset"), 0)
	f.same("history without a latest row", f.row(rec.Key(), 1), &old)
	f.put(rec)
	f.update(func(tx store.Tx) { remove(tx); f.putIn(tx, rec) })
	f.same("scan", f.scan(store.Scan{}), []urn.URN{rec.URN})
	f.same("count", f.count("dataset"), 1)
	f.same("row", f.row(rec.Key(), 0), &rec)
}

func recordsIndependent(f *fixture) {
	rec := record(dataset(1), "status", `{"a":1}`)
	want := record(dataset(1), "status", `{"a":1}`)
	f.update(func(tx store.Tx) {
		f.putIn(tx, rec)
		copy(rec.Value, "garbage")
		rec.System.Properties["x"] = "y"
		rec.System.AspectCreated.Time = 0
	})
	got := f.row(want.Key(), 0)
	f.same("after the writer changed its copy", got, &want)
	got.System.Properties["x"] = "y"
	got.System.AspectCreated.Time = 0
	f.same("after a reader changed its copy", f.row(want.Key(), 0), &want)
}

func largeValues(f *fixture) {
	text, err := json.Marshal(strings.Repeat("0123456789abcdef", 1<<16))
	f.ok(err)
	long := urn.URN("urn:li:dataset:" + strings.Repeat("n", store.MaxURNBytes-len("urn:li:dataset:")-1))
	a, b, c := record(long+"a", "status", string(text)), record(long+"b", "status", `{}`), record(dataset(1), "status", string(text))
	f.put(a, b, c)
	f.update(func(tx store.Tx) {
		for range 3 {
			_, err := tx.Append(f.Context(), store.Entry{Kind: store.Document, URN: a.URN, Aspect: "profile", Value: text})
			f.same("append", err, nil)
		}
	})
	got := f.row(a.Key(), 0)
	if !bytes.Equal(got.Value, text) {
		f.Errorf("value of %d bytes came back with %d", len(text), len(got.Value))
	}
	f.same("small neighbour", f.row(b.Key(), 0), &b)
	f.same("scan", f.scan(store.Scan{After: long}), []urn.URN{a.URN, b.URN, c.URN})
	f.same("run keys", f.runKeys(model.DefaultRunID, a.Key(), 0), []store.Key{b.Key(), c.Key()})
	for _, entry := range f.entries(0, 10) {
		if entry.URN != a.URN || !bytes.Equal(entry.Value, text) {
			f.Errorf("entry %d lost its document", entry.Sequence)
		}
	}
}

func limitsRefused(f *fixture) {
	good := record(dataset(1), "status", `{}`)
	for name, change := range map[string]func(rec *model.Record){
		"empty urn":       func(rec *model.Record) { rec.URN = "" },
		"long urn":        func(rec *model.Record) { rec.URN = urn.URN(strings.Repeat("u", store.MaxURNBytes+1)) },
		"empty aspect":    func(rec *model.Record) { rec.Aspect = "" },
		"long aspect":     func(rec *model.Record) { rec.Aspect = strings.Repeat("a", store.MaxAspectBytes+1) },
		"long run":        func(rec *model.Record) { rec.System.RunID = strings.Repeat("r", store.MaxRunBytes+1) },
		"negative row":    func(rec *model.Record) { rec.Row = -1 },
		"very long value": func(rec *model.Record) { rec.Value = make([]byte, store.MaxValueBytes+1) },
	} {
		rec := good
		change(&rec)
		_, err := f.Update(f.Context(), func(tx store.Tx) error { return tx.Put(f.Context(), rec) })
		if !errors.Is(err, fault.Invalid) && !errors.Is(err, fault.TooLarge) {
			f.Errorf("%s: got error %v, want invalid or too large", name, err)
		}
	}
	f.same("count", f.count(""), 0)
	_, err := f.Update(f.Context(), func(tx store.Tx) error {
		_, err := tx.Append(f.Context(), store.Entry{Kind: "surprise"})
		return err
	})
	if err == nil {
		f.Error("an entry of an unknown kind was accepted")
	}
}
