import { textIn } from "./answer";
import { keyOf } from "./text";

interface Named {
  urn: string;
  username?: string | null;
  properties?: { displayName?: string | null; fullName?: string | null } | null;
  editableProperties?: { displayName?: string | null } | null;
}

/** The display name of a user: from their profile, otherwise from the directory, otherwise the user name. */
export const personName = ({ urn, username, properties, editableProperties }: Named) =>
  textIn(editableProperties?.displayName) || textIn(properties?.displayName) || textIn(properties?.fullName) || textIn(username) || keyOf(urn);

interface NamedGroup {
  urn: string;
  name?: string | null;
  properties?: { displayName?: string | null } | null;
}

/** The display name of a group. */
export const groupName = ({ urn, name, properties }: NamedGroup) => textIn(properties?.displayName) || textIn(name) || keyOf(urn);
