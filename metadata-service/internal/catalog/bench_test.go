package catalog_test

import (
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/pkg/urn"
)

const batchSize = 100

func benchURN(i int) urn.URN {
	return urn.URN(fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,sales.region%d.orders%d,PROD)", i%10, i))
}

// benchBatch is 100 aspects of 25 datasets, as ingestion sends them.
func benchBatch(from int, turn string) []catalog.Proposal {
	batch := make([]catalog.Proposal, 0, batchSize)
	for i := from; len(batch) < batchSize; i++ {
		u := benchURN(i)
		batch = append(batch,
			proposal(u, "datasetProperties", `{"name":"orders","description":"`+turn+`","customProperties":{"a":"1","b":"2"},"tags":[]}`),
			proposal(u, "status", `{"removed":false}`),
			proposal(u, "schemaMetadata", schema("id", "customer", "price", turn)),
			proposal(u, "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"DATAOWNER"}],"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"}}`),
		)
	}
	return batch
}

func benchWrite(b *testing.B, aspects int, next func(i int) []catalog.Proposal) {
	b.Helper()
	f := newFixture(b, onDisk(b))
	ctx := f.as(root)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := f.Write(ctx, next(i), catalog.WriteOptions{}); err != nil {
			b.Fatal(err)
		}
		i++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*aspects), "ns/aspect")
}

func BenchmarkWriteSingle(b *testing.B) {
	benchWrite(b, 1, func(i int) []catalog.Proposal {
		return []catalog.Proposal{proposal(dataset, "datasetProperties", fmt.Sprintf(`{"description":"%d"}`, i))}
	})
}

func BenchmarkWriteBatchOfNew(b *testing.B) {
	benchWrite(b, batchSize, func(i int) []catalog.Proposal { return benchBatch(i*batchSize, "new") })
}

func BenchmarkWriteBatchOfChanges(b *testing.B) {
	benchWrite(b, batchSize, func(i int) []catalog.Proposal { return benchBatch(0, fmt.Sprint(i)) })
}

func BenchmarkEntities(b *testing.B) {
	f := newFixture(b, onDisk(b))
	f.write(benchBatch(0, "a")...)
	var urns []urn.URN
	for i := range batchSize / 4 {
		urns = append(urns, benchURN(i))
	}
	ctx := f.as(jo)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Entities(ctx, urns, catalog.EntityQuery{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAspect(b *testing.B) {
	f := newFixture(b, onDisk(b))
	f.write(benchBatch(0, "a")...)
	ctx := f.as(jo)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Aspect(ctx, benchURN(3), "schemaMetadata", 0); err != nil {
			b.Fatal(err)
		}
	}
}
