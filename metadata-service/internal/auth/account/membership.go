package account

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Entity types of groups and roles, and the key aspects that show that one exists.
const (
	GroupType = "corpGroup"
	GroupKey  = "corpGroupKey"
	RoleType  = "dataHubRole"
	RoleKey   = "dataHubRoleKey"
)

// Aspects with the groups of a user: ingested ones and those that were edited here. RolesAspect
// holds the roles of a user or group.
const (
	IngestedGroups = "groupMembership"
	NativeGroups   = "nativeGroupMembership"
	RolesAspect    = "roleMembership"
)

// Aspects of groups: the ingested properties, and the system that manages the members.
const (
	GroupInfo   = "corpGroupInfo"
	GroupOrigin = "origin"
)

// keysPerGroup is the number of records read for each group.
const keysPerGroup = 3

// Membership lists the groups and roles from which a user has privileges. A group counts while it
// is stored and not soft-deleted, a role while it is stored. A name in a membership grants nothing
// by itself: a deleted group or role grants nothing from the moment of its deletion, and one that
// does not exist yet grants its privileges once it is written.
type Membership struct {
	// Inactive is true for suspended and soft-deleted users.
	Inactive bool
	// Groups are those of both membership aspects, without duplicates.
	Groups []urn.URN
	// Roles are those of the user itself, GroupRoles those of each group.
	Roles      []urn.URN
	GroupRoles map[urn.URN][]urn.URN
}

// ReadMembership reads the groups and roles of a user, in at most three reads.
func ReadMembership(ctx context.Context, rows Reader, user urn.URN) (*Membership, error) {
	values, err := ReadObjects(ctx, rows, keysOf(user, IngestedGroups, NativeGroups, RolesAspect, StatusAspect, StateAspect))
	if err != nil {
		return nil, err
	}
	m := &Membership{
		Inactive:   jsontree.Bool(values[3], "removed") || jsontree.Text(values[4], "status") == Suspended,
		GroupRoles: map[urn.URN][]urn.URN{},
	}
	named := unique(append(jsontree.Texts(values[0], "groups"), jsontree.Texts(values[1], "nativeGroups")...))
	held := unique(jsontree.Texts(values[2], "roles"))
	roles := roleReader{rows: rows, exists: map[urn.URN]bool{}}
	if m.Groups, err = m.readGroups(ctx, rows, named); err != nil {
		return nil, err
	}
	wanted := held
	for _, group := range m.Groups {
		wanted = append(wanted, m.GroupRoles[group]...)
	}
	if err := roles.read(ctx, wanted); err != nil {
		return nil, err
	}
	m.Roles = roles.existing(held)
	for group, of := range m.GroupRoles {
		if m.GroupRoles[group] = roles.existing(of); len(m.GroupRoles[group]) == 0 {
			delete(m.GroupRoles, group)
		}
	}
	return m, nil
}

// Groups returns the groups of a user that exist and are not soft-deleted, without duplicates.
func Groups(ctx context.Context, rows Reader, user urn.URN) ([]urn.URN, error) {
	values, err := ReadObjects(ctx, rows, keysOf(user, IngestedGroups, NativeGroups))
	if err != nil {
		return nil, err
	}
	m := Membership{GroupRoles: map[urn.URN][]urn.URN{}}
	return m.readGroups(ctx, rows, unique(append(jsontree.Texts(values[0], "groups"), jsontree.Texts(values[1], "nativeGroups")...)))
}

// readGroups returns the groups that count, and records their roles in m.GroupRoles.
func (m *Membership) readGroups(ctx context.Context, rows Reader, named []urn.URN) ([]urn.URN, error) {
	keys := make([]model.Key, 0, keysPerGroup*len(named))
	for _, group := range named {
		keys = append(keys, keysOf(group, GroupKey, StatusAspect, RolesAspect)...)
	}
	values, err := ReadObjects(ctx, rows, keys)
	if err != nil {
		return nil, err
	}
	var groups []urn.URN
	for i, group := range named {
		key, status, membership := values[keysPerGroup*i], values[keysPerGroup*i+1], values[keysPerGroup*i+2]
		if key == nil || jsontree.Bool(status, "removed") {
			continue
		}
		groups = append(groups, group)
		if roles := unique(jsontree.Texts(membership, "roles")); len(roles) > 0 {
			m.GroupRoles[group] = roles
		}
	}
	return groups, nil
}

// roleReader reads and remembers which roles exist.
type roleReader struct {
	rows   Reader
	exists map[urn.URN]bool
}

func (r *roleReader) read(ctx context.Context, roles []urn.URN) error {
	var keys []model.Key
	for _, role := range roles {
		if _, known := r.exists[role]; !known {
			r.exists[role] = false
			keys = append(keys, model.Key{URN: role, Aspect: RoleKey})
		}
	}
	values, err := ReadObjects(ctx, r.rows, keys)
	for i, key := range keys {
		r.exists[key.URN] = err == nil && values[i] != nil
	}
	return err
}

func (r *roleReader) existing(roles []urn.URN) []urn.URN {
	var there []urn.URN
	for _, role := range roles {
		if r.exists[role] {
			there = append(there, role)
		}
	}
	return there
}

func keysOf(u urn.URN, aspects ...string) []model.Key {
	keys := make([]model.Key, len(aspects))
	for i, aspect := range aspects {
		keys[i] = model.Key{URN: u, Aspect: aspect}
	}
	return keys
}

// unique converts texts into URNs, without duplicates and in the order of the list.
func unique(texts []string) []urn.URN {
	var urns []urn.URN
	seen := make(map[string]bool, len(texts))
	for _, text := range texts {
		if !seen[text] {
			seen[text] = true
			urns = append(urns, urn.URN(text))
		}
	}
	return urns
}

// ReadObjects reads the values of records in the order of the keys, nil for absent ones. It returns
// the errors of rows, and an error for a value that is not a JSON object.
func ReadObjects(ctx context.Context, rows Reader, keys []model.Key) ([]model.Object, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	records, err := rows.Get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	values := make([]model.Object, len(keys))
	for i, rec := range records {
		if rec == nil {
			continue
		}
		if values[i], err = jsontree.DecodeObject(rec.Value); err != nil {
			return nil, err
		}
	}
	return values, nil
}
