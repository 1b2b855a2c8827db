package ratelimit

import (
	"container/list"
	"net/netip"

	"github.com/cartulary/cartulary/pkg/forwarded"
)

// defaultSize is the default maximum number of keys of a table. A key takes about 300 bytes.
const defaultSize = 50_000

// table is a map of limited size that drops the least recently used entry.
type table[V any] struct {
	size    int
	order   *list.List // of *row[V], the most recently used first
	entries map[string]*list.Element
}

type row[V any] struct {
	key   string
	value V
}

func newTable[V any](size int) *table[V] {
	if size <= 0 {
		size = defaultSize
	}
	return &table[V]{size: size, order: list.New(), entries: make(map[string]*list.Element)}
}

// get returns an entry or creates one; known reports which.
func (t *table[V]) get(key string) (value *V, known bool) {
	if v := t.find(key); v != nil {
		return v, true
	}
	if len(t.entries) >= t.size {
		t.remove(t.order.Back().Value.(*row[V]).key)
	}
	r := &row[V]{key: key}
	t.entries[key] = t.order.PushFront(r)
	return &r.value, false
}

// find returns an existing entry, or nil.
func (t *table[V]) find(key string) *V {
	e, ok := t.entries[key]
	if !ok {
		return nil
	}
	t.order.MoveToFront(e)
	return &e.Value.(*row[V]).value
}

func (t *table[V]) remove(key string) {
	if e, ok := t.entries[key]; ok {
		t.order.Remove(e)
		delete(t.entries, key)
	}
}

// Network returns the part of an address that its user cannot easily change: an IPv4 address, in
// whatever form, or the /64 of an IPv6 address. It returns other texts unchanged.
func Network(address string) string {
	addr, ok := forwarded.ParseAddress(address)
	if !ok {
		return address
	}
	if addr.Is4() {
		return addr.String()
	}
	return netip.PrefixFrom(addr, 64).Masked().String()
}
