package model_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := model.Load(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkResolve(b *testing.B) {
	r := registry(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := r.Resolve("urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:hive,shop.public.orders,PROD),customer.id)"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkConformText(b *testing.B) {
	r := registry(b)
	for _, c := range []struct {
		name, aspect string
		text         []byte
	}{
		{"status", "status", []byte(`{"removed":false}`)},
		{"schema of 100 fields", "schemaMetadata", []byte(wideSchema(100))},
		{"maximal schema", "schemaMetadata", jsontree.Encode(maximal(r, aspect(b, "schemaMetadata"), 0))},
	} {
		b.Run(c.name, func(b *testing.B) {
			a := aspect(b, c.aspect)
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, _, err := r.ConformText(a, c.text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func wideSchema(fields int) string {
	list := make([]string, fields)
	for i := range list {
		list[i] = fmt.Sprintf(`{"fieldPath":"column_%d","nullable":true,"description":"what column %d holds","type":{"type":{"com.linkedin.schema.StringType":{}}},"nativeDataType":"varchar(100)","recursive":false,"isPartOfKey":false}`, i, i)
	}
	return `{"schemaName":"orders","platform":"urn:li:dataPlatform:mysql","version":0,"hash":"","platformSchema":{"com.linkedin.schema.MySqlDDL":{"tableSchema":""}},"fields":[` + strings.Join(list, ",") + `]}`
}
