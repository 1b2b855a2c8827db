package trail

import (
	"bytes"
	"encoding/binary"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/auxfile"
	"github.com/cartulary/cartulary/pkg/urn"
)

// The file has a bucket for each class of events, and one with their sizes:
//
//	administration, refusals, writes   place -> the other fields of the event
//	meta                               class -> bytes of keys and values, number of events
//
// A place is encoded so that a backward walk yields the newest events first, and events of the same
// time by ascending type, actor and number: the time with its sign bit inverted, and the rest
// complemented. New events therefore fill the last page and touch no other.
var (
	classBuckets = map[audit.Class][]byte{
		audit.Administration: []byte("administration"), audit.Refusals: []byte("refusals"), audit.Writes: []byte("writes"),
	}
	metaBucket = []byte("meta")
)

const (
	timeBytes   = 8
	numberBytes = 8
	endOfText   = 0xFF // after a complemented text, which does not contain it because no text has a zero byte
)

func placeKey(p audit.Place) []byte {
	key := make([]byte, 0, timeBytes+len(p.Type)+len(p.Actor)+2+numberBytes)
	key = append(key, timeKey(p.Time)...)
	key = appendComplement(key, string(p.Type))
	key = appendComplement(key, string(p.Actor))
	return binary.BigEndian.AppendUint64(key, ^p.Number)
}

func timeKey(time int64) []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(time)^(1<<63))
}

// timeOf reads the time at the beginning of a key.
func timeOf(key []byte) int64 { return int64(binary.BigEndian.Uint64(key) ^ (1 << 63)) }

// appendComplement writes a text in inverted order. It drops zero bytes, which would end the text;
// no type or URN has any.
func appendComplement(key []byte, text string) []byte {
	for i := range len(text) {
		if text[i] != 0 {
			key = append(key, ^text[i])
		}
	}
	return append(key, endOfText)
}

func placeOf(key []byte) (p audit.Place, err error) {
	if len(key) < timeBytes+2+numberBytes {
		return p, auxfile.ErrCorrupt
	}
	p.Time = timeOf(key)
	kind, rest, ok := takeComplement(key[timeBytes:])
	actor, rest, found := takeComplement(rest)
	if !ok || !found || len(rest) != numberBytes {
		return p, auxfile.ErrCorrupt
	}
	p.Type, p.Actor, p.Number = audit.Type(kind), urn.URN(actor), ^binary.BigEndian.Uint64(rest)
	return p, nil
}

func takeComplement(key []byte) (text string, rest []byte, ok bool) {
	end := bytes.IndexByte(key, endOfText)
	if end < 0 {
		return "", nil, false
	}
	plain := make([]byte, end)
	for i := range plain {
		plain[i] = ^key[i]
	}
	return string(plain), key[end+1:], true
}

// texts lists the text fields of a value. New fields may only be added at the end.
func texts(e *audit.Event) []*string {
	return []*string{
		(*string)(&e.Entity), &e.Aspect, &e.Address, &e.Agent, &e.Source, &e.Request, &e.Trace, &e.Token, &e.Run, &e.Origin,
		&e.LoginSource, &e.Denial, &e.Reason, &e.Operation, &e.Privileges,
	}
}

// encode writes the count, the number of texts, and each text with its length. A program ignores
// texts that a later version adds, and reads texts that an older version did not write as empty.
func encode(e *audit.Event) []byte {
	parts := texts(e)
	used := len(parts)
	for used > 0 && *parts[used-1] == "" {
		used--
	}
	raw := binary.AppendVarint(nil, e.Count)
	raw = binary.AppendUvarint(raw, uint64(used))
	for _, part := range parts[:used] {
		raw = binary.AppendUvarint(raw, uint64(len(*part)))
		raw = append(raw, *part...)
	}
	return raw
}

func decode(p audit.Place, raw []byte) (audit.Event, error) {
	e := audit.Event{Time: p.Time, Type: p.Type, Actor: p.Actor, Number: p.Number}
	count, n := binary.Varint(raw)
	if n <= 0 {
		return e, auxfile.ErrCorrupt
	}
	e.Count, raw = count, raw[n:]
	used, n := binary.Uvarint(raw)
	if n <= 0 {
		return e, auxfile.ErrCorrupt
	}
	raw = raw[n:]
	parts := texts(&e)
	for i := range used {
		size, n := binary.Uvarint(raw)
		if n <= 0 || size > uint64(len(raw)-n) {
			return e, auxfile.ErrCorrupt
		}
		if i < uint64(len(parts)) {
			*parts[i] = string(raw[n : n+int(size)])
		}
		raw = raw[n+int(size):]
	}
	return e, nil
}
