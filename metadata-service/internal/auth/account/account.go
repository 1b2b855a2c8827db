// Package account decides whether a user may act and sign in.
//
// A user is an entity of type corpuser. It may act while its key aspect is stored and it is neither
// soft-deleted nor suspended. To sign in it must also be provisioned, that is have more aspects
// than its key, and must not be a service account. Every request needs this status, so it is cached
// until the change log reports a change of an aspect that it depends on. A suspension therefore
// takes effect before its write returns.
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

// Aspects that determine the status of a user.
const (
	KeyAspect    = "corpUserKey"
	InfoAspect   = "corpUserInfo"
	StateAspect  = "corpUserStatus"
	StatusAspect = "status"
	// PasswordAspect does not affect the status, but the validity of sessions.
	PasswordAspect = "corpUserCredentials"
)

// ProfileAspect holds the properties of a user that were edited here. It does not affect the status.
const ProfileAspect = "corpUserEditableInfo"

// Values of corpUserStatus.status: Suspended for suspended users, Active for all others.
const (
	Suspended = "SUSPENDED"
	Active    = "ACTIVE"
)

// DenialReason is the reason why a user may not sign in, in the spelling of the API.
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

// MayAct reports whether tokens of the user are valid. It does not require provisioning, since a
// user can have a token without ever signing in. Service accounts only have tokens.
func (d DenialReason) MayAct() bool { return d == "" || d == NotProvisioned || d == ServiceAccount }

var reasonSentences = map[DenialReason]string{
	HardDeleted:        "the user does not exist",
	SoftDeleted:        "the user was removed",
	IsSuspended:        "the user is suspended",
	NotProvisioned:     "the user has not been set up",
	ServiceAccount:     "a service account does not sign in",
	InvalidCredentials: "the user name or the password is wrong",
}

// Sentence returns the reason as text for people.
func (d DenialReason) Sentence() string { return reasonSentences[d] }

// DeniedError is the refusal of a user. It is of kind fault.Forbidden.
type DeniedError struct {
	User   urn.URN
	Reason DenialReason
}

func (e *DeniedError) Error() string { return fmt.Sprintf("%s: %s", e.User, e.Reason.Sentence()) }

// FaultKind gives pkg/fault the kind of the error.
func (e *DeniedError) FaultKind() fault.Kind { return fault.Forbidden }

// PublicMessage returns the whole error text.
func (e *DeniedError) PublicMessage() string { return e.Error() }

// Reader reads the latest records of keys in one snapshot, nil for absent ones.
type Reader interface {
	Get(ctx context.Context, keys ...model.Key) ([]*model.Record, error)
}

// maxCachedUsers limits the cached users, at about 200 bytes each.
const maxCachedUsers = 10_000

// Directory answers questions about the status of users and caches the answers. It is safe for
// concurrent use.
type Directory struct {
	reader Reader
	cached *cache.Cache[urn.URN, user]
}

// user is the cached state of one user.
type user struct {
	reason DenialReason
	epoch  string
}

// NewDirectory returns a Directory that reads from r.
func NewDirectory(r Reader) *Directory {
	return &Directory{reader: r, cached: cache.New[urn.URN, user](maxCachedUsers)}
}

// Status returns the reason why the user may not sign in. It is empty if the user may.
func (d *Directory) Status(ctx context.Context, u urn.URN) (DenialReason, error) {
	found, err := d.user(ctx, u)
	return found.reason, err
}

// SessionEpoch returns a text that identifies the period in which sessions of the user are valid.
// It changes when the user is deleted and created again, or gets a password. A session is valid in
// the epoch in which it began. The text is a hash and reveals nothing.
func (d *Directory) SessionEpoch(ctx context.Context, u urn.URN) (string, error) {
	found, err := d.user(ctx, u)
	return found.epoch, err
}

func (d *Directory) user(ctx context.Context, u urn.URN) (user, error) {
	if found, ok := d.cached.Get(u); ok {
		return found, nil
	}
	mark := d.cached.Mark()
	found, err := d.read(ctx, u)
	if err != nil {
		return user{}, err
	}
	// Users that do not exist are not cached: requests with invented names could displace the real
	// ones.
	if found.reason != HardDeleted {
		d.cached.Put(mark, u, found)
	}
	return found, nil
}

// Changed invalidates the cached state of a user. Call it for every change of an aspect, before the
// write returns. The deletion of an entity counts as a change of its key aspect.
func (d *Directory) Changed(u urn.URN, aspect string) {
	if u.Type() != EntityType {
		return
	}
	switch aspect {
	case KeyAspect, InfoAspect, StateAspect, StatusAspect, TypesAspect, PasswordAspect:
		d.cached.Forget(u)
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

// epochOf hashes the log position at which the user was created and the salt of its password. Each
// password has a new salt.
func epochOf(key, password *model.Record) (string, error) {
	var stored struct {
		Salt string `json:"salt"`
	}
	if password != nil && json.Unmarshal(password.Value, &stored) != nil {
		// The error must not contain the stored value.
		return "", fault.New(fault.Internal, "the credentials of %s cannot be read", key.URN)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", key.Sequence, stored.Salt))
	return base64.RawURLEncoding.EncodeToString(sum[:12]), nil
}
