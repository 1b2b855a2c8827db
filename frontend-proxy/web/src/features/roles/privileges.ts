import { assetIn, platformIn, type Offered, type Privilege } from "../../lib/privileges";
import { privilegeName } from "../../lib/text";

/**
 * The given privileges with their display names, without duplicates, in the order in which the server offers
 * them: platform privileges first. Privileges of single API calls are not offered; they come last, with a
 * name derived from their id.
 */
export function privilegesOf(types: Iterable<string>, offered: Offered | null | undefined): Privilege[] {
  const told = [...platformIn(offered), ...assetIn(offered)];
  const names = new Map(told.toReversed().map((each) => [each.type, each]));
  const places = new Map([...new Set(told.map(({ type }) => type))].map((type, at) => [type, at]));
  return [...new Set(types)]
    .map((type) => names.get(type) ?? { type, name: privilegeName(type), description: "" })
    .toSorted((a, b) => (places.get(a.type) ?? Infinity) - (places.get(b.type) ?? Infinity) || a.name.localeCompare(b.name));
}
