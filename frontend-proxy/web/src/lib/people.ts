import { keyOf } from "./text";

interface Named {
  urn: string;
  username?: string | null;
  properties?: { displayName?: string | null; fullName?: string | null } | null;
  editableProperties?: { displayName?: string | null } | null;
}

/** What a person is called: by what they say themselves, then by their directory, then by the user name. */
export const personName = ({ urn, username, properties, editableProperties }: Named) =>
  editableProperties?.displayName || properties?.displayName || properties?.fullName || username || keyOf(urn);

interface NamedGroup {
  urn: string;
  name?: string | null;
  properties?: { displayName?: string | null } | null;
}

/** What a group is called. */
export const groupName = ({ urn, name, properties }: NamedGroup) => properties?.displayName || name || keyOf(urn);
