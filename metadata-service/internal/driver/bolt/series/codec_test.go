package series

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
)

func encoded(t testing.TB) []byte {
	t.Helper()
	b, err := encode(&timeseries.Document{
		ID: "id", URN: "urn:li:dataset:d", Time: -5, Exploded: true, Event: []byte(`{"a":1}`),
		Columns: map[string]any{"text": "x", "whole": int64(-7), "float": 0.5},
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestTheCodecRefusesEveryCutDocument(t *testing.T) {
	t.Parallel()
	whole := encoded(t)
	for n := range whole {
		if d, _, err := decode(whole[:n]); err == nil {
			t.Errorf("the first %d of %d bytes were read as %+v", n, len(whole), d)
		}
	}
	if _, _, err := decode(append(whole, 0)); err == nil {
		t.Error("a byte too many was accepted")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(encoded(f))
	f.Fuzz(func(t *testing.T, b []byte) {
		d, system, err := decode(bytes.Clone(b))
		if err != nil || detach(&d, system) != nil {
			return
		}
		again, err := encode(&d)
		if err != nil {
			t.Fatal(err)
		}
		if e, system, err := decode(again); err != nil || detach(&e, system) != nil || !same(e, d) {
			t.Errorf("got %+v, %v, want %+v", e, err, d)
		}
	})
}

// same is equality in which NaN equals itself: if values differ, it compares the encoded forms.
func same(a, b timeseries.Document) bool {
	if reflect.DeepEqual(a, b) {
		return true
	}
	x, xErr := encode(&a)
	y, yErr := encode(&b)
	return xErr == nil && yErr == nil && bytes.Equal(x, y)
}
