package token

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// marksTopic is the topic of the log messages about marks.
const marksTopic = "sessionMarks"

// marksTerm is the lookup term of the marks of all users.
var marksTerm = store.Term{Index: denylistTopic, Value: "everywhere"}

// mark distinguishes sessions that began after all sessions of a user were ended from earlier ones:
// the token of a session carries the text of the user's mark at its begin. No clock decides, so
// sessions that begin in the same moment are distinguished as well. A user has at most one mark,
// and keeps it forever: removing it would make an ended session valid or end a valid one.
type mark struct {
	User string `json:"user"` // hash of the URN, of fixed length
	// Order increases with each mark of a user, so that a process can recognise the newest.
	Order uint64 `json:"order"`
	Text  string `json:"mark"`
}

const (
	markType    = "dataHubSessionMark"
	orderDigits = 20
)

func userHash(user urn.URN) string {
	sum := sha256.Sum256([]byte(user))
	return hex.EncodeToString(sum[:16])
}

// urn returns the mark as a member of the lookup term.
func (m mark) urn() urn.URN {
	return urn.Make(markType, m.User, fmt.Sprintf("%0*d", orderDigits, m.Order), m.Text)
}

func parseMark(u urn.URN) (mark, error) {
	parts := u.Parts()
	if len(parts) != 3 {
		return mark{}, fmt.Errorf("session denylist: %q is no mark of a user", u)
	}
	order, err := strconv.ParseUint(parts[1], 10, 64)
	if err != nil {
		return mark{}, fmt.Errorf("session denylist: %q is no mark of a user: %w", u, err)
	}
	return mark{User: parts[0], Order: order, Text: parts[2]}, nil
}

// lookups finds the members of a term, in the store or in a transaction.
type lookups interface {
	Lookup(ctx context.Context, t store.Term, after urn.URN, limit int) ([]urn.URN, error)
}

// storedMark returns the stored mark of a user, the zero mark if there is none.
func storedMark(ctx context.Context, rows lookups, user string) (mark, error) {
	before := mark{User: user}.urn() // sorts before every mark of the user, since these have an order and a text
	found, err := rows.Lookup(ctx, marksTerm, before, 1)
	if err != nil || len(found) == 0 {
		return mark{}, err
	}
	m, err := parseMark(found[0])
	if err != nil || m.User != user {
		return mark{}, err
	}
	return m, nil
}

// AddAll ends all present sessions of a user, durably, and no later ones. If it fails, all sessions
// stay as they were.
func (d *Denylist) AddAll(ctx context.Context, user urn.URN) error {
	return d.replaceMarks(ctx, []mark{{User: userHash(user), Text: uuid.NewString()}})
}

// replaceMarks gives users new marks. Each gets an order greater than those of the present and of
// the requested mark.
func (d *Denylist) replaceMarks(ctx context.Context, asked []mark) error {
	var marks []mark
	_, err := d.rows.Update(ctx, func(tx store.Tx) error {
		marks = slices.Clone(asked) // the function may run again
		for i := range marks {
			if err := d.replaceMark(ctx, tx, &marks[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("session denylist: %w", err)
	}
	for _, m := range marks {
		d.noteMark(m)
	}
	return nil
}

func (d *Denylist) replaceMark(ctx context.Context, tx store.Tx, m *mark) error {
	former, err := storedMark(ctx, tx, m.User)
	if err != nil {
		return err
	}
	m.Order = max(former.Order, m.Order) + 1
	if former.Text != "" {
		if err := tx.RemoveTerm(ctx, marksTerm, former.urn()); err != nil {
			return err
		}
	}
	if err := tx.AddTerm(ctx, marksTerm, m.urn()); err != nil {
		return err
	}
	message, err := json.Marshal(m)
	if err != nil {
		return err
	}
	_, err = tx.Append(ctx, store.Entry{
		Kind: store.Message, Aspect: marksTopic, Actor: model.SystemActor, Time: d.now().UnixMilli(), Value: message,
	})
	return err
}

// mergeMarks adopts the marks of another list where they differ from those of d.
func (d *Denylist) mergeMarks(ctx context.Context, from *Denylist) (int, error) {
	from.mu.RLock()
	var other []mark
	for user, m := range from.marks {
		if d.markOf(user).Text != m.Text {
			other = append(other, m)
		}
	}
	from.mu.RUnlock()
	for part := range slices.Chunk(other, denylistPage) {
		if err := d.replaceMarks(ctx, part); err != nil {
			return 0, err
		}
	}
	return len(other), nil
}

// Mark returns the mark that a valid session of the user must carry. It is empty until all sessions
// of the user are ended for the first time. It reads memory only.
func (d *Denylist) Mark(user urn.URN) string { return d.markOf(userHash(user)).Text }

func (d *Denylist) markOf(user string) mark {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.marks[user]
}

// StoredMark returns the mark of a user from the store, where another process may have changed it a
// moment ago.
func (d *Denylist) StoredMark(ctx context.Context, user urn.URN) (string, error) {
	m, err := storedMark(ctx, d.rows, userHash(user))
	if err != nil {
		return "", fmt.Errorf("session denylist: %w", err)
	}
	if m.Text != "" {
		d.noteMark(m)
	}
	return d.Mark(user), nil
}

// noteMark puts a mark into memory, unless memory holds a newer one.
func (d *Denylist) noteMark(m mark) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if m.Order > d.marks[m.User].Order {
		d.marks[m.User] = m
	}
}
