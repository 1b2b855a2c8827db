import { privilegeName } from "./text";

export interface Privilege {
  type: string;
  name: string;
  description: string;
}

interface Told {
  type: string;
  displayName: string | null;
  description?: string | null;
}

/** The privileges that the server offers for policies. */
interface Offered {
  platformPrivileges: readonly Told[];
  resourcePrivileges: readonly { privileges: readonly Told[] }[];
}

/**
 * The given privileges with their display names, without duplicates, in the order in which the server offers
 * them: platform privileges first. Privileges of single API calls are not offered; they come last, with a
 * name derived from their id.
 */
export function privilegesOf(types: Iterable<string>, offered: Offered | null | undefined): Privilege[] {
  const told = [...(offered?.platformPrivileges ?? []), ...(offered?.resourcePrivileges ?? []).flatMap(({ privileges }) => privileges)];
  const names = new Map(told.toReversed().map((each) => [each.type, each]));
  const places = new Map([...new Set(told.map(({ type }) => type))].map((type, at) => [type, at]));
  return [...new Set(types)]
    .map((type) => ({ type, name: names.get(type)?.displayName || privilegeName(type), description: names.get(type)?.description ?? "" }))
    .toSorted((a, b) => (places.get(a.type) ?? Infinity) - (places.get(b.type) ?? Infinity) || a.name.localeCompare(b.name));
}
