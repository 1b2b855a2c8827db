package graphql

import (
	"context"
	"reflect"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
	"github.com/cartulary/cartulary/pkg/fault"
)

// maxResponseBytes bounds the values of a response in bytes. An entity is read once for all
// places where it occurs, so the amount of data read does not bound the size of the response: ten
// thousand hits may all contain the same long description.
const maxResponseBytes = 64 << 20

// chargeResponse takes the size of answer from the response budget of the request. It returns
// fault.TooLarge when the budget is exhausted.
func chargeResponse(ctx context.Context, answer any) error {
	w, ok := ctx.Value(readBudgetKey{}).(*readBudget)
	if !ok {
		return nil
	}
	scale := responseSizer{document: w.document, sizes: map[valueKey]int64{}}
	n := scale.size(reflect.ValueOf(answer))
	if n > maxResponseBytes || w.responseBytes.Add(-n*int64(w.document.FanOut())) < 0 {
		return fault.New(fault.TooLarge, "the answer holds more than %d MiB: ask for fewer entities at a time, for less of each, or for the same under fewer names", maxResponseBytes>>20)
	}
	return nil
}

// responseSizer estimates the bytes of values in a response. A shared value counts in each place,
// but is visited once.
type responseSizer struct {
	document *document.Document
	sizes    map[valueKey]int64
}

type valueKey struct {
	at   uintptr
	kind reflect.Type
}

// valueOverhead is the approximate size of a key or a number.
const valueOverhead = 8

// maxSize is the value at which sizes saturate.
const maxSize = 1 << 40

func (s *responseSizer) size(v reflect.Value) int64 {
	switch v.Kind() {
	case reflect.String:
		return int64(v.Len()) + valueOverhead
	case reflect.Interface:
		return s.size(v.Elem())
	case reflect.Pointer:
		return s.pointer(v)
	case reflect.Slice:
		var sum int64
		for i := range v.Len() {
			sum = min(sum+s.size(v.Index(i)), maxSize)
		}
		return sum
	case reflect.Struct:
		sum := int64(s.document.KeyBytes(v.Type().Name()))
		for i := range v.NumField() {
			sum = min(sum+s.size(v.Field(i)), maxSize)
		}
		return sum
	case reflect.Invalid, reflect.Func:
		return 0
	}
	return valueOverhead
}

func (s *responseSizer) pointer(v reflect.Value) int64 {
	if v.IsNil() {
		return 0
	}
	p := valueKey{v.Pointer(), v.Type()}
	n, ok := s.sizes[p]
	if !ok {
		s.sizes[p] = 0 // ends the recursion of a value that contains itself
		n = s.size(v.Elem())
		s.sizes[p] = n
	}
	return n
}
