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

/** The privileges that policies choose from, as the server tells them. */
interface Offered {
  platformPrivileges: readonly Told[];
  resourcePrivileges: readonly { privileges: readonly Told[] }[];
}

/**
 * Privileges with their names, each once, in the order in which policies offer them: those over the catalog first.
 * Those of single calls are not offered; they follow, by names made of their ids.
 */
export function privilegesOf(types: Iterable<string>, offered: Offered | null | undefined): Privilege[] {
  const told = [...(offered?.platformPrivileges ?? []), ...(offered?.resourcePrivileges ?? []).flatMap(({ privileges }) => privileges)];
  const names = new Map(told.toReversed().map((each) => [each.type, each]));
  const places = new Map([...new Set(told.map(({ type }) => type))].map((type, at) => [type, at]));
  return [...new Set(types)]
    .map((type) => ({ type, name: names.get(type)?.displayName || privilegeName(type), description: names.get(type)?.description ?? "" }))
    .toSorted((a, b) => (places.get(a.type) ?? Infinity) - (places.get(b.type) ?? Infinity) || a.name.localeCompare(b.name));
}
