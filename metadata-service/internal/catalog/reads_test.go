package catalog_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// readCounter counts the reads that transactions make in a store, by method.
type readCounter struct {
	store.Store
	calls map[string]int
}

func (c *readCounter) Unwrap() store.Store { return c.Store }

func (c *readCounter) Update(ctx context.Context, fn func(store.Tx) error) (store.Commit, error) {
	return c.Store.Update(ctx, func(tx store.Tx) error {
		c.calls = map[string]int{}
		return fn(countedTx{tx, c.calls})
	})
}

// total returns the number of reads in the last transaction.
func (c *readCounter) total() int {
	n := 0
	for _, calls := range c.calls {
		n += calls
	}
	return n
}

// worst lists the reads of the last transaction, the most frequent first.
func (c *readCounter) worst() string {
	names := slices.SortedFunc(maps.Keys(c.calls), func(a, b string) int { return c.calls[b] - c.calls[a] })
	var lines []string
	for _, name := range names[:min(10, len(names))] {
		lines = append(lines, fmt.Sprintf("%5d %s", c.calls[name], name))
	}
	return strings.Join(lines, "\n")
}

type countedTx struct {
	store.Tx
	calls map[string]int
}

func (t countedTx) Get(ctx context.Context, keys ...store.Key) ([]*model.Record, error) {
	name := "Get of many"
	if len(keys) == 1 {
		name = "Get " + keys[0].Aspect + " of " + keys[0].URN.Type()
	}
	t.calls[name]++
	return t.Tx.Get(ctx, keys...)
}

func (t countedTx) Row(ctx context.Context, key store.Key, row int64) (*model.Record, error) {
	t.calls["Row "+key.Aspect]++
	return t.Tx.Row(ctx, key, row)
}

func (t countedTx) Rows(ctx context.Context, key store.Key) ([]int64, error) {
	t.calls["Rows "+key.Aspect]++
	return t.Tx.Rows(ctx, key)
}

func (t countedTx) Aspects(ctx context.Context, urns []urn.URN, names ...string) ([][]model.Record, error) {
	t.calls["Aspects"]++
	return t.Tx.Aspects(ctx, urns, names...)
}

func (t countedTx) Scan(ctx context.Context, q store.Scan) ([]urn.URN, error) {
	t.calls["Scan"]++
	return t.Tx.Scan(ctx, q)
}

func (t countedTx) RunKeys(ctx context.Context, run string, after store.Key, limit int) ([]store.Key, error) {
	t.calls["RunKeys"]++
	return t.Tx.RunKeys(ctx, run, after, limit)
}

func (t countedTx) Edges(ctx context.Context, q store.EdgeQuery) ([]model.Edge, error) {
	t.calls["Edges"]++
	return t.Tx.Edges(ctx, q)
}

func (t countedTx) Lookup(ctx context.Context, term store.Term, after urn.URN, limit int) ([]urn.URN, error) {
	t.calls["Lookup "+term.Index]++
	return t.Tx.Lookup(ctx, term, after, limit)
}

// maxBatchReads bounds the reads of a batch, regardless of its number of items: the rows of the
// items, the defaults of new entities, read-only mode, entities that derived changes wait for, and
// a reserve.
const maxBatchReads = 8

// ingested are the kinds of batches that ingestion sends, each of 500 proposals, named after the
// aspects of their datasets. turn distinguishes the values of two batches.
var ingested = map[string]func(i int, turn string) []catalog.Proposal{
	"datasets with what sources say of them": func(i int, turn string) []catalog.Proposal {
		u := benchURN(i)
		return []catalog.Proposal{
			catalogtest.Proposal(u, "datasetProperties", `{"name":"orders","description":"`+turn+`","customProperties":{"a":"1"},"tags":[]}`),
			catalogtest.Proposal(u, "status", `{"removed":false}`),
			catalogtest.Proposal(u, "schemaMetadata", schema("id", "price", turn)),
			catalogtest.Proposal(u, "container", `{"container":"urn:li:container:`+turn+`"}`),
			catalogtest.Proposal(u, "browsePathsV2", fmt.Sprintf(`{"path":[{"id":"urn:li:container:%s","urn":"urn:li:container:%s"}]}`, turn, turn)),
			catalogtest.Proposal(u, "dataPlatformInstance", `{"platform":"urn:li:dataPlatform:hive"}`),
			catalogtest.Proposal(u, "subTypes", `{"typeNames":["Table","`+turn+`"]}`),
		}
	},
	"datasets without places": func(i int, turn string) []catalog.Proposal {
		return []catalog.Proposal{catalogtest.Proposal(benchURN(i), "datasetProperties", `{"description":"`+turn+`"}`)}
	},
	"what people say of datasets": func(i int, turn string) []catalog.Proposal {
		u := benchURN(i)
		return []catalog.Proposal{
			catalogtest.Proposal(u, "ownership", `{"owners":[{"owner":"urn:li:corpuser:`+turn+`","type":"DATAOWNER"}],"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"}}`),
			catalogtest.Proposal(u, "globalTags", `{"tags":[{"tag":"urn:li:tag:`+turn+`"}]}`),
			catalogtest.Proposal(u, "glossaryTerms", `{"terms":[{"urn":"urn:li:glossaryTerm:`+turn+`"}],"auditStamp":{"time":1,"actor":"urn:li:corpuser:jo"}}`),
			catalogtest.Proposal(u, "domains", `{"domains":["urn:li:domain:`+turn+`"]}`),
			catalogtest.Proposal(u, "structuredProperties", `{"properties":[{"propertyUrn":"urn:li:structuredProperty:cost","values":[{"string":"`+turn+`"}]}]}`),
		}
	},
	"lineage": func(i int, turn string) []catalog.Proposal {
		return []catalog.Proposal{catalogtest.Proposal(benchURN(i), "upstreamLineage", fmt.Sprintf(
			`{"upstreams":[{"dataset":%q,"type":"TRANSFORMED"}],"fineGrainedLineages":[{"upstreamType":"NONE","downstreamType":"FIELD","transformOperation":%q}]}`, benchURN(i+1), turn))}
	},
	"lineage to dbt models that nobody wrote": func(i int, turn string) []catalog.Proposal {
		return []catalog.Proposal{catalogtest.Proposal(benchURN(i), "upstreamLineage", fmt.Sprintf(
			`{"upstreams":[{"dataset":"urn:li:dataset:(urn:li:dataPlatform:dbt,m%d.%s,PROD)","type":"TRANSFORMED"}]}`, i, turn))}
	},
	"incidents of datasets that nobody wrote": func(i int, turn string) []catalog.Proposal {
		return []catalog.Proposal{catalogtest.Proposal(urn.URN(fmt.Sprintf("urn:li:incident:%d", i)), "incidentInfo",
			fmt.Sprintf(`{"type":"FRESHNESS","title":%q,"entities":[%q],"status":{"state":"ACTIVE","lastUpdated":{"time":1,"actor":"urn:li:corpuser:jo"}},"created":{"time":1,"actor":"urn:li:corpuser:jo"}}`, turn, benchURN(1_000_000+i)))}
	},
	"containers": func(i int, turn string) []catalog.Proposal {
		u := urn.URN(fmt.Sprintf("urn:li:container:c%d", i))
		return []catalog.Proposal{
			catalogtest.Proposal(u, "containerProperties", `{"name":"`+turn+`"}`),
			catalogtest.Proposal(u, "status", `{"removed":false}`),
			catalogtest.Proposal(u, "container", `{"container":"urn:li:container:`+turn+`"}`),
		}
	},
	"deletions of aspects": func(i int, turn string) []catalog.Proposal {
		u := benchURN(i)
		return []catalog.Proposal{
			catalogtest.Proposal(u, "datasetProperties", `{"description":"`+turn+`"}`),
			catalogtest.Proposal(u, "globalTags", "", model.Delete),
		}
	},
	"patches": func(i int, turn string) []catalog.Proposal {
		return []catalog.Proposal{catalogtest.Proposal(benchURN(i), "globalTags",
			`[{"op":"add","path":"/tags/urn:li:tag:`+turn+`","value":{"tag":"urn:li:tag:`+turn+`"}}]`, model.Patch)}
	},
	"profiles": func(i int, turn string) []catalog.Proposal {
		return []catalog.Proposal{catalogtest.Proposal(benchURN(i), "datasetProfile", fmt.Sprintf(`{"timestampMillis":%d,"rowCount":1,"messageId":%q}`, day+i, turn))}
	},
	"patches of structured properties": func(i int, turn string) []catalog.Proposal {
		return []catalog.Proposal{catalogtest.Proposal(benchURN(i), "structuredProperties",
			`[{"op":"add","path":"/properties/urn:li:structuredProperty:cost","value":{"propertyUrn":"urn:li:structuredProperty:cost","values":[{"string":"`+turn+`"}]}}]`, model.Patch)}
	},
	"dbt models after their tables": func(i int, turn string) []catalog.Proposal {
		model := urn.URN(fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:dbt,m%d,PROD)", i))
		return []catalog.Proposal{
			catalogtest.Proposal(benchURN(i), "datasetProperties", `{"description":"`+turn+`"}`),
			catalogtest.Proposal(model, "subTypes", `{"typeNames":["Source","`+turn+`"]}`),
			catalogtest.Proposal(model, "upstreamLineage", fmt.Sprintf(`{"upstreams":[{"dataset":%q,"type":"COPY"}]}`, benchURN(i))),
		}
	},
	"results of assertions": func(i int, turn string) []catalog.Proposal {
		u := urn.URN(fmt.Sprintf("urn:li:assertion:a%d", i))
		return []catalog.Proposal{catalogtest.Proposal(u, "assertionRunEvent", fmt.Sprintf(
			`{"timestampMillis":%d,"runId":%q,"asserteeUrn":%q,"assertionUrn":%q,"status":"COMPLETE","result":{"type":"SUCCESS"}}`, day+len(turn), turn, benchURN(i), u))}
	},
	"data jobs": func(i int, turn string) []catalog.Proposal {
		u := urn.URN(fmt.Sprintf("urn:li:dataJob:(urn:li:dataFlow:(airflow,f%d,PROD),task)", i))
		return []catalog.Proposal{
			catalogtest.Proposal(u, "dataJobInfo", `{"name":"`+turn+`","type":{"string":"SQL"}}`),
			catalogtest.Proposal(u, "dataJobInputOutput", fmt.Sprintf(`{"inputDatasets":[%q],"outputDatasets":[%q],"inputDatajobs":["urn:li:dataJob:(urn:li:dataFlow:(airflow,%s,PROD),task)"]}`, benchURN(i), benchURN(i+1), turn)),
		}
	},
}

func TestABatchAsksTheStoreAHandfulOfTimes(t *testing.T) {
	t.Parallel()
	for name, of := range ingested {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			drivers := catalogtest.OnDisk(t)
			counter := &readCounter{Store: drivers.Store}
			drivers.Store = counter
			f := catalogtest.New(t, drivers)
			f.Put("urn:li:dataType:datahub.string", "dataTypeInfo", `{"qualifiedName":"datahub.string"}`)
			f.Put("urn:li:entityType:datahub.dataset", "entityTypeInfo", `{"qualifiedName":"datahub.dataset"}`)
			f.Put("urn:li:structuredProperty:cost", "propertyDefinition", `{"qualifiedName":"cost","valueType":"urn:li:dataType:datahub.string","entityTypes":["urn:li:entityType:datahub.dataset"]}`)
			for _, turn := range []string{"first", "second", "second"} {
				f.Put("urn:li:domain:"+urn.URN(turn), "domainProperties", `{"name":"`+turn+`"}`)
				var batch []catalog.Proposal
				for i := 0; len(batch) < 500; i++ {
					batch = append(batch, of(i, turn)...)
				}
				f.Must(batch[:500]...)
				if n := counter.total(); n > maxBatchReads {
					t.Errorf("a batch of the %s time asks %d times, want at most %d:\n%s", turn, n, maxBatchReads, counter.worst())
				}
			}
		})
	}
}
