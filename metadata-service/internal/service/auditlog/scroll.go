package auditlog

import (
	"encoding/json"
	"fmt"

	"github.com/cartulary/cartulary/pkg/fault"
)

// maxScrollBytes is the maximum length of a scroll id: a place contains one URN.
const maxScrollBytes = 32 << 10

// purpose identifies a query for the encryption of its scroll ids. It omits times, since the
// default times depend on the current time and places are stable.
func (q *Query) purpose() string {
	lists, _ := json.Marshal([][]string{q.Types, q.EntityTypes, q.Aspects, q.Actors}) // never fails
	return "audit scroll " + string(lists)
}

// seal encrypts and pads a cursor for its query.
func (s *Service) seal(q *Query, c *cursor) (string, error) {
	if c == nil {
		return "", nil
	}
	text, err := json.Marshal(c)
	if err != nil {
		return "", fmt.Errorf("encode a place of the audit log: %w", err)
	}
	return s.cfg.Names.Conceal(q.purpose(), string(text)), nil
}

// open decrypts the scroll id of a query. It returns nil for the first page.
func (s *Service) open(q *Query) (*cursor, error) {
	if q.Scroll == "" {
		return nil, nil
	}
	if len(q.Scroll) > maxScrollBytes {
		return nil, fault.New(fault.Malformed, "scrollId is longer than %d bytes", maxScrollBytes)
	}
	text, err := s.cfg.Names.Reveal(q.purpose(), q.Scroll)
	var c cursor
	if err == nil {
		err = json.Unmarshal([]byte(text), &c)
	}
	if err != nil {
		return nil, fault.Wrap(err, fault.Malformed, "scrollId is not one of this query; start again without it")
	}
	return &c, nil
}
