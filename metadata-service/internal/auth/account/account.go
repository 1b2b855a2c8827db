// Package account knows whether a user may act and sign in.
//
// A user is an entity of type corpuser. It may act while its key aspect is
// stored, it is not soft-deleted and not suspended; to sign in it must also
// have been provisioned, that is carry more than its key, and be no service account. Every request asks
// this, so answers are remembered until the change log says that an aspect
// they rest on has changed: a suspension holds from the moment its write
// returns.
package account

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/cache"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EntityType is the entity type of users.
const EntityType = "corpuser"

// Aspects of a user that decide its status.
const (
	KeyAspect    = "corpUserKey"
	InfoAspect   = "corpUserInfo"
	StateAspect  = "corpUserStatus"
	StatusAspect = "status"
	// PasswordAspect does not decide the status, but which sessions are good.
	PasswordAspect = "corpUserCredentials"
)

// Suspended is the value of corpUserStatus.status of a suspended user, Active of the others.
const (
	Suspended = "SUSPENDED"
	Active    = "ACTIVE"
)

// DenialReason is why a user may not sign in, in the words clients know.
type DenialReason string

// The zero DenialReason denies nothing.
const (
	HardDeleted        DenialReason = "HARD_DELETED"
	SoftDeleted        DenialReason = "SOFT_DELETED"
	IsSuspended        DenialReason = "SUSPENDED"
	NotProvisioned     DenialReason = "NOT_PROVISIONED"
	ServiceAccount     DenialReason = "SERVICE_ACCOUNT"
	InvalidCredentials DenialReason = "INVALID_CREDENTIALS"
)

// MayAct reports whether a token of the user is good. Somebody may hold a
// token without ever signing in, so being provisioned is not asked for, and service accounts
// have tokens alone.
func (d DenialReason) MayAct() bool { return d == "" || d == NotProvisioned || d == ServiceAccount }

var sentences = map[DenialReason]string{
	HardDeleted:        "the user does not exist",
	SoftDeleted:        "the user was removed",
	IsSuspended:        "the user is suspended",
	NotProvisioned:     "the user has not been set up",
	ServiceAccount:     "a service account does not sign in",
	InvalidCredentials: "the user name or the password is wrong",
}

// Sentence tells people the same.
func (d DenialReason) Sentence() string { return sentences[d] }

// DeniedError refuses a user. It counts as forbidden.
type DeniedError struct {
	User   urn.URN
	Reason DenialReason
}

func (e *DeniedError) Error() string { return fmt.Sprintf("%s: %s", e.User, e.Reason.Sentence()) }

// FaultKind makes it forbidden to pkg/fault.
func (e *DeniedError) FaultKind() fault.Kind { return fault.Forbidden }

// PublicMessage is the whole error.
func (e *DeniedError) PublicMessage() string { return e.Error() }

// Reader reads the latest rows of keys in one snapshot, nil where there is none.
type Reader interface {
	Get(ctx context.Context, keys ...model.Key) ([]*model.Record, error)
}

// remembered bounds the memory, at about 200 bytes a user.
const remembered = 10_000

// Directory answers for all users. It is safe for concurrent use.
type Directory struct {
	reader Reader
	known  *cache.Cache[urn.URN, user]
}

// user is what is remembered of one.
type user struct {
	reason DenialReason
	epoch  string
}

// NewDirectory makes a Directory over a store.
func NewDirectory(r Reader) *Directory {
	return &Directory{reader: r, known: cache.New[urn.URN, user](remembered)}
}

// Status tells why the user may not sign in; empty when it may.
func (d *Directory) Status(ctx context.Context, u urn.URN) (DenialReason, error) {
	found, err := d.user(ctx, u)
	return found.reason, err
}

// SessionEpoch tells the time in which a session of the user is good from those
// before: it is another text once the user was deleted and made again, or got a
// password. A session is good in the epoch it began in. The text gives nothing away.
func (d *Directory) SessionEpoch(ctx context.Context, u urn.URN) (string, error) {
	found, err := d.user(ctx, u)
	return found.epoch, err
}

func (d *Directory) user(ctx context.Context, u urn.URN) (user, error) {
	if found, ok := d.known.Get(u); ok {
		return found, nil
	}
	mark := d.known.Mark()
	found, err := d.read(ctx, u)
	if err != nil {
		return user{}, err
	}
	// Users that do not exist are not remembered: anybody could invent so many of
	// them that the real ones are given up.
	if found.reason != HardDeleted {
		d.known.Put(mark, u, found)
	}
	return found, nil
}

// Changed is to be called for every change of an aspect, before the writer is
// answered. A deleted entity is a change of its key aspect.
func (d *Directory) Changed(u urn.URN, aspect string) {
	if u.Type() != EntityType {
		return
	}
	switch aspect {
	case KeyAspect, InfoAspect, StateAspect, StatusAspect, TypesAspect, PasswordAspect:
		d.known.Forget(u)
	}
}

func (d *Directory) read(ctx context.Context, u urn.URN) (user, error) {
	rows, err := d.reader.Get(ctx,
		model.Key{URN: u, Aspect: KeyAspect}, model.Key{URN: u, Aspect: StatusAspect},
		model.Key{URN: u, Aspect: StateAspect}, model.Key{URN: u, Aspect: InfoAspect}, model.Key{URN: u, Aspect: TypesAspect},
		model.Key{URN: u, Aspect: PasswordAspect})
	if err != nil {
		return user{}, fmt.Errorf("read the status of %s: %w", u, err)
	}
	if rows[0] == nil || u.Type() != EntityType {
		return user{reason: HardDeleted}, nil
	}
	reason, err := denialReason(rows[1], rows[2], rows[3], rows[4])
	if err != nil {
		return user{}, fmt.Errorf("read the status of %s: %w", u, err)
	}
	epoch, err := epochOf(rows[0], rows[5])
	return user{reason, epoch}, err
}

func denialReason(status, state, info, types *model.Record) (DenialReason, error) {
	var flags struct {
		Removed bool   `json:"removed"`
		Status  string `json:"status"`
	}
	for _, row := range []*model.Record{status, state} {
		if row == nil {
			continue
		}
		if err := json.Unmarshal(row.Value, &flags); err != nil {
			return "", fmt.Errorf("read %s: %w", row.Aspect, err)
		}
	}
	service := false
	if types != nil {
		var err error
		if service, err = IsService(types.Value); err != nil {
			return "", fmt.Errorf("read %s: %w", types.Aspect, err)
		}
	}
	switch {
	case flags.Removed:
		return SoftDeleted, nil
	case flags.Status == Suspended:
		return IsSuspended, nil
	case service:
		return ServiceAccount, nil
	case state == nil && info == nil:
		return NotProvisioned, nil
	}
	return "", nil
}

// epochOf is made of where in the log the user was made, and of the salt of its
// password, which each password has anew.
func epochOf(key, password *model.Record) (string, error) {
	var stored struct {
		Salt string `json:"salt"`
	}
	if password != nil && json.Unmarshal(password.Value, &stored) != nil {
		// What the value holds must not be in an error.
		return "", fault.New(fault.Internal, "the credentials of %s cannot be read", key.URN)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", key.Sequence, stored.Salt))
	return base64.RawURLEncoding.EncodeToString(sum[:12]), nil
}
