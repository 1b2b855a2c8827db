package catalog_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/pkg/urn"
)

const batchSize = 100

func benchURN(i int) urn.URN {
	return urn.URN(fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,sales.region%d.orders%d,PROD)", i%10, i))
}

// schema is a schema with text columns.
func schema(paths ...string) string {
	fields := make([]string, len(paths))
	for i, path := range paths {
		fields[i] = fmt.Sprintf(`{"fieldPath":%q,"type":{"type":{"com.linkedin.schema.StringType":{}}},"nativeDataType":"text"}`, path)
	}
	return `{"schemaName":"s","platform":"urn:li:dataPlatform:hive","version":0,"hash":"","platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},"fields":[` +
		strings.Join(fields, ",") + `]}`
}

// benchBatch is 100 aspects of 25 datasets, as ingestion sends them.
func benchBatch(from int, turn string) []catalog.Proposal {
	batch := make([]catalog.Proposal, 0, batchSize)
	for i := from; len(batch) < batchSize; i++ {
		u := benchURN(i)
		batch = append(batch,
			catalogtest.Proposal(u, "datasetProperties", `{"name":"orders","description":"`+turn+`","customProperties":{"a":"1","b":"2"},"tags":[]}`),
			catalogtest.Proposal(u, "status", `{"removed":false}`),
			catalogtest.Proposal(u, "schemaMetadata", schema("id", "customer", "price", turn)),
			catalogtest.Proposal(u, "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"DATAOWNER"}],"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"}}`),
		)
	}
	return batch
}

func benchWrite(b *testing.B, aspects int, next func(i int) []catalog.Proposal) {
	b.Helper()
	f := catalogtest.New(b, catalogtest.OnDisk(b))
	ctx := f.As(root)
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
		return []catalog.Proposal{catalogtest.Proposal(dataset, "datasetProperties", fmt.Sprintf(`{"description":"%d"}`, i))}
	})
}

func BenchmarkWriteBatchOfNew(b *testing.B) {
	benchWrite(b, batchSize, func(i int) []catalog.Proposal { return benchBatch(i*batchSize, "new") })
}

func BenchmarkWriteBatchOfChanges(b *testing.B) {
	benchWrite(b, batchSize, func(i int) []catalog.Proposal { return benchBatch(0, fmt.Sprint(i)) })
}

func BenchmarkEntities(b *testing.B) {
	f := catalogtest.New(b, catalogtest.OnDisk(b))
	f.Must(benchBatch(0, "a")...)
	var urns []urn.URN
	for i := range batchSize / 4 {
		urns = append(urns, benchURN(i))
	}
	ctx := f.As(jo)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Entities(ctx, urns, catalog.EntityQuery{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAspect(b *testing.B) {
	f := catalogtest.New(b, catalogtest.OnDisk(b))
	f.Must(benchBatch(0, "a")...)
	ctx := f.As(jo)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Aspect(ctx, benchURN(3), "schemaMetadata", 0, catalog.Concealed); err != nil {
			b.Fatal(err)
		}
	}
}
