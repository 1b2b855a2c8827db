package graphql

import (
	"context"
	"reflect"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
	"github.com/cartulary/cartulary/pkg/fault"
)

// maxVolume bounds the values of an answer in bytes. An entity is read once for
// all places where it stands, so what was read does not tell how much is answered:
// ten thousand hits may all show the same long description.
const maxVolume = 64 << 20

// deliver takes what is answered from what is left for the request.
func deliver(ctx context.Context, answer any) error {
	w, ok := ctx.Value(workKey{}).(*work)
	if !ok {
		return nil
	}
	scale := scale{asks: w.asks, known: map[part]int64{}}
	n := scale.weigh(reflect.ValueOf(answer))
	if n > maxVolume || w.volume.Add(-n*int64(w.asks.Copies())) < 0 {
		return fault.New(fault.TooLarge, "the answer holds more than %d MiB: ask for fewer entities at a time, for less of each, or for the same under fewer names", maxVolume>>20)
	}
	return nil
}

// scale weighs values as they stand in an answer: what several places share
// weighs in each of them, but is looked at once.
type scale struct {
	asks  *document.Document
	known map[part]int64
}

type part struct {
	at   uintptr
	kind reflect.Type
}

// overhead is about what a key, or a number, takes.
const overhead = 8

// heavy is where weights stop growing.
const heavy = 1 << 40

func (s *scale) weigh(v reflect.Value) int64 {
	switch v.Kind() {
	case reflect.String:
		return int64(v.Len()) + overhead
	case reflect.Interface:
		return s.weigh(v.Elem())
	case reflect.Pointer:
		return s.pointer(v)
	case reflect.Slice:
		var sum int64
		for i := range v.Len() {
			sum = min(sum+s.weigh(v.Index(i)), heavy)
		}
		return sum
	case reflect.Struct:
		sum := int64(s.asks.Width(v.Type().Name()))
		for i := range v.NumField() {
			sum = min(sum+s.weigh(v.Field(i)), heavy)
		}
		return sum
	case reflect.Invalid, reflect.Func:
		return 0
	}
	return overhead
}

func (s *scale) pointer(v reflect.Value) int64 {
	if v.IsNil() {
		return 0
	}
	p := part{v.Pointer(), v.Type()}
	n, ok := s.known[p]
	if !ok {
		s.known[p] = 0 // what holds itself ends here
		n = s.weigh(v.Elem())
		s.known[p] = n
	}
	return n
}
