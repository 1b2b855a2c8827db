package bolt

import (
	"encoding/binary"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// The binary form of edges. bucketAdjacent holds each edge of an aspect twice, under its source and
// under its destination, so that the edges of a node are adjacent, outgoing before incoming.
// bucketEdgeLists also lists the edges of each aspect, so that the next value can replace them.
//
// Numbers in keys are written as their length and their bytes in big-endian order. They sort like
// numbers, and most take two to four bytes.

// edgeLink identifies an edge and the aspect that produced it.
type edgeLink struct {
	source, destination, owner uint64
	relation                   uint32 // number of the relationship's name
	aspect                     uint32
}

// same reports whether two links are equal apart from their aspects.
func (l edgeLink) same(other edgeLink) bool {
	l.aspect = other.aspect
	return l == other
}

// edgePlace is the position in bucketAdjacent where a group of links begins.
type edgePlace struct {
	node     uint64
	incoming byte // 1 when the node is the destination
	relation uint32
	neighbor uint64
}

func (p edgePlace) append(key []byte) []byte {
	key = append(appendNumber(key, p.node), p.incoming)
	return appendNumber(appendNumber(key, uint64(p.relation)), p.neighbor)
}

func (l edgeLink) place(incoming byte) edgePlace {
	if incoming == 1 {
		return edgePlace{l.destination, 1, l.relation, l.source}
	}
	return edgePlace{l.source, 0, l.relation, l.destination}
}

// prefix returns the key prefix of a link, which is the same for all aspects. An owner equal to the
// source, the usual case, is written as 0.
func (l edgeLink) prefix(incoming byte) []byte {
	owner := l.owner
	if owner == l.source {
		owner = 0
	}
	return appendNumber(l.place(incoming).append(make([]byte, 0, 32)), owner)
}

func (l edgeLink) key(incoming byte) []byte {
	return appendNumber(l.prefix(incoming), uint64(l.aspect))
}

func appendNumber(key []byte, n uint64) []byte {
	size := 0
	for rest := n; rest > 0; rest >>= 8 {
		size++
	}
	key = append(key, byte(size))
	for size--; size >= 0; size-- {
		key = append(key, byte(n>>(8*size)))
	}
	return key
}

// takeNumber reads a number from the front of a key; ok is false when the key has ended or is
// malformed.
func takeNumber(key []byte) (n uint64, rest []byte, ok bool) {
	if len(key) == 0 || key[0] > 8 || len(key) <= int(key[0]) {
		return 0, nil, false
	}
	size := 1 + int(key[0])
	for _, b := range key[1:size] {
		n = n<<8 | uint64(b)
	}
	return n, key[size:], true
}

func parseLink(key []byte) (link edgeLink, at edgePlace, err error) {
	var relation, owner, aspect uint64
	node, rest, ok := takeNumber(key)
	if ok = ok && len(rest) > 0; ok {
		at.node, at.incoming = node, rest[0]
		relation, rest, ok = takeNumber(rest[1:])
	}
	if ok {
		at.neighbor, rest, ok = takeNumber(rest)
	}
	if ok {
		owner, rest, ok = takeNumber(rest)
	}
	if ok {
		aspect, rest, ok = takeNumber(rest)
	}
	if !ok || len(rest) > 0 || at.incoming > 1 {
		return link, at, corrupt("key of an edge")
	}
	at.relation = uint32(relation)
	link = edgeLink{source: at.node, destination: at.neighbor, owner: owner, relation: at.relation, aspect: uint32(aspect)}
	if at.incoming == 1 {
		link.source, link.destination = at.neighbor, at.node
	}
	if owner == 0 {
		link.owner = link.source
	}
	return link, at, nil
}

// Flags of an edge's value.
const (
	edgeCreated    = 1 << iota // Created differs from Updated
	edgeVia                    // Via is not empty
	edgeUpdatedFor             // Updated has an impersonator
	edgeCreatedFor             // Created has an impersonator
	edgeFlagEnd
)

// encodeEdge writes the parts of an edge that its key does not contain. via is the number of the
// URN, 0 for none.
func encodeEdge(e *model.Edge, via uint64, numbers wordNumbers) ([]byte, error) {
	enc := encoder{raw: make([]byte, 0, 16+len(e.Properties)), numbers: numbers}
	flags := edgeFlags(e, via)
	enc.uvarint(flags)
	enc.varint(e.Updated.Time)
	enc.actors(e.Updated, flags&edgeUpdatedFor)
	if flags&edgeCreated != 0 {
		enc.varint(e.Updated.Time - e.Created.Time)
		enc.actors(e.Created, flags&edgeCreatedFor)
	}
	if via != 0 {
		enc.uvarint(via)
	}
	enc.raw = append(enc.raw, e.Properties...)
	return enc.raw, enc.err
}

func edgeFlags(e *model.Edge, via uint64) (flags uint64) {
	if e.Created != e.Updated {
		flags |= edgeCreated
	}
	if via != 0 {
		flags |= edgeVia
	}
	if e.Updated.Impersonator != "" {
		flags |= edgeUpdatedFor
	}
	if e.Created.Impersonator != "" {
		flags |= edgeCreatedFor
	}
	return flags
}

func (e *encoder) actors(stamp model.AuditStamp, impersonated uint64) {
	e.word(string(stamp.Actor), wordBytes)
	if impersonated != 0 {
		e.word(string(stamp.Impersonator), wordBytes)
	}
}

// decodeEdge sets the stamps and properties of e and returns the number of Via.
func decodeEdge(raw []byte, e *model.Edge, texts textLookup) (via uint64, err error) {
	d := decoder{raw: raw, texts: texts}
	flags := d.uvarint()
	e.Updated = d.actors(d.varint(), flags&edgeUpdatedFor)
	e.Created = e.Updated
	if flags&edgeCreated != 0 {
		e.Created = d.actors(e.Updated.Time-d.varint(), flags&edgeCreatedFor)
	}
	if flags&edgeVia != 0 {
		via = d.uvarint()
	}
	e.Properties = d.value()
	d.bad = d.bad || flags >= edgeFlagEnd
	return via, d.check("edge")
}

func (d *decoder) actors(time int64, impersonated uint64) model.AuditStamp {
	stamp := model.AuditStamp{Time: time, Actor: urn.URN(d.word())}
	if impersonated != 0 {
		stamp.Impersonator = urn.URN(d.word())
	}
	return stamp
}

// edgeUpdated reads only the time of the last update.
func edgeUpdated(raw []byte) int64 {
	d := decoder{raw: raw}
	d.uvarint()
	return d.varint()
}

func edgeListKey(owner uint64, aspect uint32) []byte {
	key := binary.BigEndian.AppendUint64(make([]byte, 0, 10), owner)
	return binary.BigEndian.AppendUint16(key, uint16(aspect))
}

// encodeLinks encodes the links of one aspect of one owner in the given order.
func encodeLinks(links []edgeLink) []byte {
	raw := make([]byte, 0, 8*len(links))
	for _, l := range links {
		source := l.source
		if source == l.owner {
			source = 0
		}
		raw = binary.AppendUvarint(raw, source)
		raw = binary.AppendUvarint(raw, uint64(l.relation))
		raw = binary.AppendUvarint(raw, l.destination)
	}
	return raw
}

func decodeLinks(raw []byte, owner uint64, aspect uint32) ([]edgeLink, error) {
	d := decoder{raw: raw}
	links := make([]edgeLink, 0, len(raw)/5)
	for len(d.raw) > 0 {
		l := edgeLink{source: d.uvarint(), relation: d.uint32(), destination: d.uvarint(), owner: owner, aspect: aspect}
		if l.source == 0 {
			l.source = owner
		}
		links = append(links, l)
	}
	return links, d.check("list of edges")
}
