package model_test

import (
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

var loadOnce = sync.OnceValues(model.Load)

func registry(tb testing.TB) *model.Registry {
	tb.Helper()
	r, err := loadOnce()
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func aspect(tb testing.TB, name string) *model.AspectSpec {
	tb.Helper()
	a, ok := registry(tb).Aspect(name)
	if !ok {
		tb.Fatalf("no aspect %s", name)
	}
	return a
}

func entity(tb testing.TB, name string) *model.EntitySpec {
	tb.Helper()
	e, ok := registry(tb).Entity(name)
	if !ok {
		tb.Fatalf("no entity type %s", name)
	}
	return e
}

func namedType(tb testing.TB, name string) *model.Type {
	tb.Helper()
	typ, ok := registry(tb).Type(name)
	if !ok {
		tb.Fatalf("no type %s", name)
	}
	return typ
}

func tree(tb testing.TB, text string) any {
	tb.Helper()
	v, err := jsontree.Decode([]byte(text))
	if err != nil {
		tb.Fatalf("%s: %s", text, err)
	}
	return v
}
