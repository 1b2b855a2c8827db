package set_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cartulary/cartulary/pkg/set"
)

func TestSets(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 15, 16, 17, 100} {
		var list []int
		for i := range n {
			list = append(list, i*2)
		}
		before := slices.Clone(list)
		s := set.Of(list)
		for i := range n {
			if !s.Has(i*2) || s.Has(i*2+1) {
				t.Errorf("%d values: %d is %t, %d is %t", n, i*2, s.Has(i*2), i*2+1, s.Has(i*2+1))
			}
			if s.Add(i * 2) {
				t.Errorf("%d values: %d is new", n, i*2)
			}
		}
		for i := range 40 {
			if !s.Add(-1-i) || s.Add(-1-i) || !s.Has(-1-i) {
				t.Errorf("%d values: %d cannot be added once", n, -1-i)
			}
		}
		if got := s.List(); len(got) != n+40 || !slices.Equal(got[:n], before) || !slices.Equal(list, before) {
			t.Errorf("%d values: %v of %v", n, got, list)
		}
	}
	var empty set.Set[string]
	if empty.Has("") || !empty.Add("") || !empty.Has("") || len(empty.List()) != 1 {
		t.Error("the zero value is not an empty set")
	}
}

func BenchmarkHas(b *testing.B) {
	for _, n := range []int{4, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			list := make([]string, n)
			for i := range list {
				list[i] = fmt.Sprintf("urn:li:tag:%d", i)
			}
			b.ReportAllocs()
			for b.Loop() {
				s := set.Of(list)
				for _, v := range list {
					s.Has(v)
				}
			}
		})
	}
}
