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

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EndSessions makes all sessions of a user worthless from the moment it returns, also
// after a restart, and none that begins afterwards. Access tokens stay as they are. The
// actor in ctx needs auth.ManageCredentials for others, and for itself when its own
// access token has a scope. Errors: fault.Forbidden, fault.Unauthenticated,
// fault.Malformed, fault.NotFound, and fault.Unsupported while authentication is off,
// when nobody asks whether a session has ended.
func (s *Service) EndSessions(ctx context.Context, user urn.URN) error {
	caller, ok := auth.ActorFrom(ctx)
	switch {
	case !ok:
		return fault.New(fault.Unauthenticated, "sign in to end sessions")
	case s.cfg.Unchecked:
		return fault.New(fault.Unsupported, "sessions are not checked while authentication is off, so none can be ended; ask your administrator to set auth.enabled")
	}
	if u, err := urn.Parse(string(user)); err != nil || u.Type() != account.EntityType || u == model.SystemActor {
		return fault.New(fault.Malformed, "sessions belong to a user such as urn:li:corpuser:jo, not to %.200q", user)
	}
	if user != caller.URN || caller.Scope != nil {
		if _, err := auth.Require(ctx, s.cfg.Authorizer, auth.ForPlatform(auth.ManageCredentials)); err != nil {
			return err
		}
	}
	switch reason, err := s.cfg.Accounts.Status(ctx, user); {
	case err != nil:
		return fmt.Errorf("end sessions: %w", err)
	case reason == account.HardDeleted:
		return fault.New(fault.NotFound, "%.200q: the user does not exist, and has no sessions", user)
	}
	if err := s.cfg.Denylist.AddAll(ctx, user); err != nil {
		return fmt.Errorf("end sessions: %w", err)
	}
	s.cfg.Log.InfoContext(ctx, "all sessions ended", "user", user, "actor", caller.URN)
	if s.cfg.SessionsEnded != nil {
		s.cfg.SessionsEnded(ctx, user)
	}
	return nil
}

// checkLife refuses a session that began before all sessions of its user ended.
func (s *Service) checkLife(ctx context.Context, v Verified) error {
	epoch, err := s.cfg.Accounts.SessionEpoch(ctx, v.Actor)
	if err != nil {
		return fmt.Errorf("verify a token: %w", err)
	}
	if v.epoch == life(epoch, s.cfg.Denylist.Mark(v.Actor)) {
		return nil
	}
	// Another process may have ended those before and begun this one a moment ago.
	stored, err := s.cfg.Denylist.StoredMark(ctx, v.Actor)
	if err != nil {
		return fmt.Errorf("verify a token: %w", err)
	}
	if v.epoch != life(epoch, stored) {
		return errEnded
	}
	return nil
}

// life is what the token of a session holds of the time it began in: the epoch of the
// account, and the mark of the user, once it has one.
func life(epoch, mark string) string {
	if mark == "" {
		return epoch
	}
	return epoch + "." + mark
}

// marksTopic names the messages about marks.
const marksTopic = "sessionMarks"

// marksTerm is the lookup term under which the marks of all users are listed.
var marksTerm = store.Term{Index: denylistTopic, Value: "everywhere"}

// mark tells sessions that began after all of a user had ended from those before: the
// token of a session holds the text of the mark that its user had when it began. No
// clock decides, so what began within the same moment is told apart as well. A user has
// one mark at most, and keeps it: there is no time after which it could be left out
// without another session becoming good, or ending.
type mark struct {
	User string `json:"user"` // hash of the URN, which is of one length
	// Order is greater for each mark of a user, by which a process knows which one is new.
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

// urn is the mark as a member of the lookup term.
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

// lookups finds the members of a term, of the store or of a transaction.
type lookups interface {
	Lookup(ctx context.Context, t store.Term, after urn.URN, limit int) ([]urn.URN, error)
}

// storedMark is the mark of a user as it is stored, the zero mark when there is none.
func storedMark(ctx context.Context, rows lookups, user string) (mark, error) {
	before := mark{User: user}.urn() // every mark of the user has an order and a text
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

// AddAll puts all sessions on the list that a user has, durably, and none that it will
// have. When it fails all of them are as they were.
func (d *Denylist) AddAll(ctx context.Context, user urn.URN) error {
	return d.replaceMarks(ctx, []mark{{User: userHash(user), Text: uuid.NewString()}})
}

// replaceMarks gives users other marks, with an order behind the one they have and the
// one that is asked for.
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

// mergeMarks takes over the marks that another list has in place of ours.
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

// Mark is what the session of a user must hold to be none of those that ended together,
// empty while that has not happened. It reads memory alone.
func (d *Denylist) Mark(user urn.URN) string { return d.markOf(userHash(user)).Text }

func (d *Denylist) markOf(user string) mark {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.marks[user]
}

// StoredMark is Mark as the store has it, which another process may have changed a
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

// noteMark keeps a mark in memory, unless a newer one is there.
func (d *Denylist) noteMark(m mark) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if m.Order > d.marks[m.User].Order {
		d.marks[m.User] = m
	}
}
