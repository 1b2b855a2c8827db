// Package principal manages the entities that hold privileges: users, groups and service accounts.
//
// Users have a profile and a status. Package credentials manages their passwords, and the sign-in by
// an identity provider.
//
// Membership in groups is stored on the user: edits in nativeGroupMembership, ingested values in
// groupMembership. Groups with the origin EXTERNAL mirror groups of another system, and their
// members cannot be edited. A group without an origin becomes a native group at the first edit of
// its members, and its existing members are kept.
//
// Service accounts are users that represent programs. Package token manages their access tokens,
// which end with the account. Groups, roles and policies apply to them as to any user.
package principal
