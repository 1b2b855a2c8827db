// Written by scripts/codegen.mjs from owners.graphql and the schema; not to be edited.

export type OwnersFragment = { owners: Array<{ owner: { urn?: string | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null } | null, ownershipType: { urn: string | null, info: { name: string | null } | null } | null } | null> | null };
