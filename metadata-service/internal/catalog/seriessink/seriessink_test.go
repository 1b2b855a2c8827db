package seriessink_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/seriessink"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/series"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	usage = "datasetUsageStatistics"
	day   = 24 * 3600 * 1000
)

func table(n int) urn.URN {
	return urn.URN(fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,t%d,PROD)", n))
}

// feed hands entries to a sink as the log does.
type feed struct {
	t        testing.TB
	sink     *seriessink.Sink
	indices  timeseries.Store
	sequence uint64
	page     []store.Entry
}

func newFeed(t testing.TB, indices timeseries.Store) *feed {
	t.Helper()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	return &feed{t: t, sink: seriessink.New(registry, indices), indices: indices}
}

func onDisk(t testing.TB) timeseries.Store {
	t.Helper()
	indices, err := series.Open(t.TempDir(), series.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := indices.Close(); err != nil {
			t.Error(err)
		}
	})
	return indices
}

func (f *feed) add(kind store.EntryKind, u urn.URN, value any) {
	f.t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		f.t.Fatal(err)
	}
	f.sequence++
	f.page = append(f.page, store.Entry{Sequence: f.sequence, Kind: kind, URN: u, Aspect: usage, Value: text})
}

// write adds a time-series document with the usage by some users.
func (f *feed) write(u urn.URN, at int64, message string, users ...string) {
	f.t.Helper()
	counts := make([]string, len(users))
	for i, user := range users {
		counts[i] = fmt.Sprintf(`{"user":"urn:li:corpuser:%s","count":%d}`, user, i)
	}
	f.add(store.Document, u, catalog.LoggedDocument{Value: json.RawMessage(
		fmt.Sprintf(`{"timestampMillis":%d,"messageId":%q,"userCounts":[%s]}`, at, message, strings.Join(counts, ",")))})
}

func (f *feed) apply() {
	f.t.Helper()
	if err := f.sink.Apply(context.Background(), f.page); err != nil {
		f.t.Fatal(err)
	}
	f.page = nil
}

func (f *feed) find(q timeseries.Query) []timeseries.Document {
	f.t.Helper()
	docs, err := f.indices.Find(context.Background(), timeseries.IndexName("dataset", usage), q)
	if err != nil {
		f.t.Fatal(err)
	}
	return docs
}

// users returns the users of the exploded documents.
func (f *feed) users() string {
	f.t.Helper()
	var users []string
	for _, d := range f.find(timeseries.Query{Exploded: true}) {
		user, _ := d.Columns["userCounts.user"].(string)
		users = append(users, strings.TrimPrefix(user, "urn:li:corpuser:"))
	}
	slices.Sort(users)
	return strings.Join(users, " ")
}

func names(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint("user", i)
	}
	return list
}

// Stored documents with the same dataset and time must not be read for each new one.
func TestDocumentsOfOneTimeCostNoMoreThanOthers(t *testing.T) {
	const few, many = 40, 160
	cost := func(documents int, at func(i int) int64, times int) float64 {
		f := newFeed(t, onDisk(t))
		users := names(10)
		write := func() {
			for i := range documents {
				f.write(table(0), at(i), fmt.Sprint(i), users...)
			}
			f.apply()
		}
		for range times - 1 {
			write()
		}
		return testing.AllocsPerRun(1, write)
	}
	same := func(int) int64 { return day }
	for name, times := range map[string]int{"new": 1, "written again": 2} {
		if ratio := cost(many, same, times) / cost(few, same, times); ratio > 1.5*many/few {
			t.Errorf("%s: %d documents of one time take %.1f times as much as %d", name, many, ratio, few)
		}
	}
	apart := func(i int) int64 { return int64(i) * day }
	if ratio := cost(many, same, 2) / cost(many, apart, 2); ratio > 1.5 {
		t.Errorf("documents of one time take %.1f times as much as those of as many times", ratio)
	}
}

func TestAValueTakesThePlaceOfTheOneBefore(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(testing.TB) timeseries.Store{
		"bolt": onDisk, "memory": func(testing.TB) timeseries.Store { return memory.NewTimeseries() },
	} {
		for _, pages := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%t", name, pages), func(t *testing.T) {
				t.Parallel()
				f := newFeed(t, open(t))
				next := func() {
					if pages {
						f.apply()
					}
				}
				want := func(users string, documents int) {
					t.Helper()
					f.apply()
					if got := f.users(); got != users {
						t.Errorf("users %q, want %q", got, users)
					}
					if got := len(f.find(timeseries.Query{})); got != documents {
						t.Errorf("%d documents, want %d", got, documents)
					}
				}
				f.write(table(0), day, "m", "a", "b")
				next()
				f.write(table(0), day, "other", "c")
				next()
				f.write(table(0), day, "m", "b", "d")
				want("b c d", 2)
				f.write(table(0), day, "m", "e")
				next()
				f.write(table(0), day, "m")
				want("c", 2)

				f.write(table(0), day, "m", "f")
				next()
				f.add(store.DocumentsErased, table(0), catalog.LoggedErasure{})
				next()
				f.write(table(0), day, "m", "g")
				want("g", 1)
				f.write(table(0), day, "m", "h", "i")
				next()
				f.add(store.DocumentsErased, table(0), catalog.LoggedErasure{})
				want("", 0)
			})
		}
	}
}

func TestElementsGoWithADocumentThatIsErasedByItsID(t *testing.T) {
	t.Parallel()
	for name, inOnePage := range map[string]bool{"of an earlier page": false, "of the same page": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			probe := newFeed(t, memory.NewTimeseries())
			probe.write(table(0), day, "m", "a", "b")
			probe.apply()
			id := probe.find(timeseries.Query{})[0].ID

			f := newFeed(t, onDisk(t))
			f.write(table(0), day, "m", "a", "b")
			f.write(table(0), day, "other", "c")
			if !inOnePage {
				f.apply()
			}
			f.add(store.DocumentsErased, table(0), catalog.LoggedErasure{IDs: []string{id}})
			f.apply()
			if got := f.users(); got != "c" {
				t.Errorf("users %q are left, want c", got)
			}
		})
	}
}

// An index may hold a value of an earlier model, which had other limits.
func TestAValueThatDoesNotExplodeAnyMoreIsReplacedWithItsElements(t *testing.T) {
	t.Parallel()
	f := newFeed(t, onDisk(t))
	f.write(table(0), day, "m", "a", "b")
	f.apply()
	plain, elements := f.find(timeseries.Query{})[0], f.find(timeseries.Query{Exploded: true})
	plain.Event = json.RawMessage(`{"timestampMillis":"a day"}`)
	f.sequence++
	batch := timeseries.Batch{Sequence: f.sequence, Ops: []timeseries.Op{{Upsert: &plain}, {Upsert: &elements[0]}, {Upsert: &elements[1]}}}
	if err := f.indices.Apply(t.Context(), timeseries.IndexName("dataset", usage), batch); err != nil {
		t.Fatal(err)
	}
	f.write(table(0), day, "m", "c")
	f.apply()
	if got := f.users(); got != "c" {
		t.Errorf("users %q, want c", got)
	}
}

// BenchmarkApply applies pages of 1,000 documents with 30 users each.
func BenchmarkApply(b *testing.B) {
	users := names(30)
	for name, at := range map[string]func(i int) int64{
		"apart": func(i int) int64 { return int64(i) * 2_654_435_761 % (365 * day) }, "one-time": func(i int) int64 { return int64(i/1000) * day },
	} {
		b.Run(name, func(b *testing.B) {
			f := newFeed(b, onDisk(b))
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				b.StopTimer()
				for i := n * 1000; i < (n+1)*1000; i++ {
					f.write(table(i%5), at(i), fmt.Sprint(i), users...)
				}
				b.StartTimer()
				f.apply()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*1000), "ns/document")
		})
	}
}
