// Package relevance_test guards the ranking of hits: judged queries over the demo catalog, among
// thousands of generated assets with similar names.
package relevance_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/memory"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/search/sample"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// floor is the minimum of the mean NDCG@10. It may only increase.
const floor = 0.98

// strangers is the number of generated assets in addition to those of the demo.
const strangers = 5000

// depth is the number of judged hits.
const depth = 10

type judgement struct {
	query  string
	grades map[urn.URN]int
	only   bool // only graded assets may be found
}

func TestTheOrderOfHitsIsJudged(t *testing.T) {
	t.Parallel()
	index := demoIndex(t)
	judged := judgements(t)
	if len(judged) < 110 {
		t.Fatalf("only %d queries are judged", len(judged))
	}
	type scored struct {
		judgement
		score float64
		hits  []urn.URN
	}
	var all []scored
	sum := 0.0
	for _, j := range judged {
		result, err := index.Search(t.Context(), search.Query{
			Types: document.SearchTypes(), Text: j.query, Size: depth, Filter: search.Filter{{{Field: "removed", Values: []string{"true"}, Negated: true}}},
		})
		if err != nil {
			t.Fatalf("%q: %v", j.query, err)
		}
		s := scored{judgement: j}
		for _, h := range result.Hits {
			s.hits = append(s.hits, h.URN)
		}
		if noise := slices.DeleteFunc(slices.Clone(s.hits), func(u urn.URN) bool { return j.grades[u] > 0 }); j.only && len(noise) > 0 {
			t.Errorf("%q also finds %q", j.query, noise)
		}
		s.score = ndcg(s.hits, j.grades)
		sum += s.score
		all = append(all, s)
	}
	mean := sum / float64(len(judged))
	t.Logf("mean NDCG@%d of %d queries is %.4f", depth, len(judged), mean)
	slices.SortFunc(all, func(a, b scored) int { return cmp.Compare(a.score, b.score) })
	for _, s := range all[:10] {
		t.Logf("%.3f %q finds %q", s.score, s.query, s.hits)
	}
	if mean < floor {
		t.Errorf("mean NDCG@%d is %.4f, the floor %.4f", depth, mean, floor)
	}
}

// ndcg compares the discounted gain of the hits with that of the best order.
func ndcg(hits []urn.URN, grades map[urn.URN]int) float64 {
	gain := func(grade, place int) float64 { return (math.Exp2(float64(grade)) - 1) / math.Log2(float64(place)+2) }
	got := 0.0
	for i, u := range hits {
		got += gain(grades[u], i)
	}
	var ideal []int
	for _, grade := range grades {
		ideal = append(ideal, grade)
	}
	slices.SortFunc(ideal, func(a, b int) int { return b - a })
	best := 0.0
	for i, grade := range ideal[:min(len(ideal), depth)] {
		best += gain(grade, i)
	}
	return got / best
}

func judgements(t *testing.T) []judgement {
	t.Helper()
	file, err := os.Open("testdata/judged.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var list []judgement
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		text, answers, ok := strings.Cut(lines.Text(), "\t")
		if !ok {
			t.Fatalf("%q has no answers", lines.Text())
		}
		answers, only, _ := strings.Cut(answers, "\t")
		j := judgement{query: text, grades: map[urn.URN]int{}, only: only == "only"}
		for answer := range strings.FieldsSeq(answers) {
			grade, name, _ := strings.Cut(answer, ":")
			n, err := strconv.Atoi(grade)
			if err != nil {
				t.Fatalf("%q: %v", answer, err)
			}
			j.grades[urn.URN("urn:li:"+name)] = n
		}
		list = append(list, j)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// alike returns names of tables that differ in short words.
func alike(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("testdata/alike.txt")
	if err != nil {
		t.Fatal(err)
	}
	names := slices.Collect(strings.Lines(string(text)))[1:]
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	return names
}

// demoIndex returns an index of the demo catalog, the strangers, and similar names.
func demoIndex(t *testing.T) *roaring.Index {
	t.Helper()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	rows := memory.NewStore()
	urns := load(t, registry, rows)
	var around []search.Change
	for i := range strangers {
		d := sample.Document(i)
		around = append(around, search.Change{URN: d.URN, Document: d})
	}
	for _, name := range alike(t) {
		u := urn.URN("urn:li:dataset:(urn:li:dataPlatform:hive,garden." + name + ",PROD)")
		around = append(around, search.Change{URN: u, Document: &search.Document{URN: u, Type: "dataset", Fields: map[string][]search.Value{"name": {{Text: name}}}}})
	}
	return indexOf(t, registry, rows, urns, around)
}

// indexOf returns an index of some entities and further changes.
func indexOf(t *testing.T, registry *model.Registry, rows *memory.Store, urns []urn.URN, changes []search.Change) *roaring.Index {
	t.Helper()
	index, err := roaring.Open(roaring.Config{Schemas: document.Schemas(registry)})
	if err != nil {
		t.Fatal(err)
	}
	records, err := rows.Aspects(t.Context(), urns)
	if err != nil {
		t.Fatal(err)
	}
	sources := make([]document.Source, len(urns))
	for i, u := range urns {
		sources[i] = document.Source{URN: u, Records: records[i]}
	}
	docs, err := document.NewBuilder(registry, rows).Build(t.Context(), sources)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		if d != nil {
			changes = append(changes, search.Change{URN: d.URN, Document: d})
		}
	}
	if err := index.Apply(t.Context(), 1, changes); err != nil {
		t.Fatal(err)
	}
	return index
}

// load writes the aspects of the demo's files, and the keys of its entities.
func load(t *testing.T, registry *model.Registry, rows *memory.Store) []urn.URN {
	t.Helper()
	files, err := filepath.Glob("../../../../deploy/demo/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("the demo has no files", err)
	}
	var urns []urn.URN
	queries := map[urn.URN]int64{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var proposals []struct {
			URN    string `json:"entityUrn"`
			Aspect string `json:"aspectName"`
			Change string `json:"changeType"`
			Value  struct {
				JSON json.RawMessage `json:"json"`
			} `json:"aspect"`
		}
		if err := json.Unmarshal(text, &proposals); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, p := range proposals {
			u, entity, err := registry.Resolve(p.URN)
			if err != nil {
				t.Fatal(err)
			}
			aspect, ok := entity.Aspect(p.Aspect)
			if p.Aspect == "datasetUsageStatistics" {
				value, err := jsontree.DecodeObject(p.Value.JSON)
				if err != nil {
					t.Fatal(err)
				}
				queries[u] += jsontree.Int(value, "totalSqlQueries")
			}
			if !ok || aspect.Timeseries || p.Change != "UPSERT" || len(p.Value.JSON) == 0 {
				continue
			}
			put(t, rows, u, entity.Key, jsontree.Encode(entity.KeyValue(u)))
			canonical, _, _, err := registry.ConformText(aspect, p.Value.JSON)
			if err != nil {
				t.Fatalf("%s of %s: %v", p.Aspect, u, err)
			}
			put(t, rows, u, aspect, canonical)
			urns = append(urns, u)
		}
	}
	popularise(t, registry, rows, queries)
	slices.Sort(urns)
	return slices.Compact(urns)
}

// popularise gives datasets multipliers from 1 to 1.5 by the number of their queries.
func popularise(t *testing.T, registry *model.Registry, rows *memory.Store, queries map[urn.URN]int64) {
	t.Helper()
	if len(queries) < 2 {
		t.Fatalf("the demo tells of %d datasets how they are used", len(queries))
	}
	spec, ok := registry.Aspect("usageFeatures")
	if !ok {
		t.Fatal("the model has no usageFeatures")
	}
	least := slices.SortedFunc(maps.Keys(queries), func(a, b urn.URN) int { return cmp.Compare(queries[a], queries[b]) })
	for i, u := range least {
		multiplier := 1 + math.Round(5*float64(i)/float64(len(least)-1))/10
		put(t, rows, u, spec, jsontree.Encode(jsontree.Object{"combinedSearchRankingMultiplier": multiplier, "queryCountLast30Days": queries[u]}))
	}
}

// TestOfWhatFitsAlikeTheMostUsedComesFirst indexes three tables with similar names, and a view with
// the word in its description only.
func TestOfWhatFitsAlikeTheMostUsedComesFirst(t *testing.T) {
	t.Parallel()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	rows := memory.NewStore()
	dataset := func(name string) urn.URN {
		return urn.URN("urn:li:dataset:(urn:li:dataPlatform:hive," + name + ",PROD)")
	}
	write := func(u urn.URN, aspect, value string) {
		spec, _ := registry.Aspect(aspect)
		canonical, _, _, err := registry.ConformText(spec, []byte(value))
		if err != nil {
			t.Fatal(err)
		}
		put(t, rows, u, spec, canonical)
	}
	for name, features := range map[string]string{
		"sales.kangaroo1": `{"combinedSearchRankingMultiplier":1.0,"queryCountLast30Days":1}`,
		"sales.kangaroo2": `{"combinedSearchRankingMultiplier":1.3,"queryCountLast30Days":500}`,
		"sales.kangaroo3": `{"combinedSearchRankingMultiplier":1.5,"queryCountLast30Days":90}`,
		"sales.wallaby":   `{"combinedSearchRankingMultiplier":1.5,"queryCountLast30Days":1000}`,
		"sales.wombat":    `{"combinedSearchRankingMultiplier":1000000,"queryCountLast30Days":2}`, // not a computed multiplier
	} {
		_, entity, err := registry.Resolve(string(dataset(name)))
		if err != nil {
			t.Fatal(err)
		}
		put(t, rows, dataset(name), entity.Key, jsontree.Encode(entity.KeyValue(dataset(name))))
		_, word, _ := strings.Cut(name, ".")
		write(dataset(name), "datasetProperties", `{"name":"`+word+`","description":"a kangaroo and others"}`)
		write(dataset(name), "usageFeatures", features)
	}
	index := indexOf(t, registry, rows, []urn.URN{
		dataset("sales.kangaroo1"), dataset("sales.kangaroo2"), dataset("sales.kangaroo3"), dataset("sales.wallaby"), dataset("sales.wombat"),
	}, nil)
	find := func(q search.Query) (names []string) {
		t.Helper()
		q.Types, q.Size = []string{"dataset"}, 10
		result, err := index.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range result.Hits {
			names = append(names, strings.TrimPrefix(h.URN.Parts()[1], "sales."))
		}
		return names
	}
	for q, want := range map[*search.Query][]string{
		{Text: "kangaroo*"}: {"kangaroo3", "kangaroo2", "kangaroo1", "wallaby", "wombat"},
		{Text: "*", Sort: []search.Sort{{Field: "queryCountLast30Days", Descending: true}}}: {"wallaby", "kangaroo2", "kangaroo3", "wombat", "kangaroo1"},
	} {
		if got := find(*q); !slices.Equal(got, want) {
			t.Errorf("%q sorted by %v: got %q, want %q", q.Text, q.Sort, got, want)
		}
	}
}

func put(t *testing.T, rows *memory.Store, u urn.URN, aspect *model.AspectSpec, value json.RawMessage) {
	t.Helper()
	_, err := rows.Update(context.Background(), func(tx store.Tx) error {
		_, err := store.Put(t.Context(), tx, nil, store.Write{Key: store.Key{URN: u, Aspect: aspect.Name}, Value: value, Actor: model.SystemActor, Now: 1})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
