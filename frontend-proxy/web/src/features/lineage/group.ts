import type { Asset } from "./asset";
import { adjacency, type Graph } from "./graph";

/** Assets at one distance with the same container. */
export interface Group {
  id: string;
  step: number;
  name: string;
  platform: string;
  /** The members, most important first. */
  urns: readonly string[];
}

/** Above this number of assets, a graph is grouped. */
export const manyAssets = 40;

/** The number of initially visible members of a group. */
export const firstMembers = 3;

/** The number of members that "Show more" adds. */
export const moreMembers = 40;

/**
 * Groups the assets of a graph, except the root, by distance and container. Within a group, marked assets come first,
 * then assets with the most neighbours.
 */
export function groupsOf(graph: Graph, assets: ReadonlyMap<string, Asset>, marked: (urn: string) => boolean): Group[] {
  const up = adjacency(graph.edges, "up");
  const down = adjacency(graph.edges, "down");
  const weight = (urn: string) => (up.get(urn)?.length ?? 0) + (down.get(urn)?.length ?? 0);
  const groups = new Map<string, string[]>();
  for (const urn of graph.urns.filter((each) => each !== graph.root)) {
    const id = `group ${graph.steps.get(urn) ?? 0} ${assets.get(urn)?.holder ?? ""}`;
    const members = groups.get(id);
    if (members) {
      members.push(urn);
    } else {
      groups.set(id, [urn]);
    }
  }
  return [...groups].map(([id, urns]) => {
    const first = urns[0] ?? "";
    const asset = assets.get(first);
    return {
      id,
      step: graph.steps.get(first) ?? 0,
      name: asset?.path.at(-1) || asset?.platform || "Elsewhere",
      platform: asset?.platform ?? "",
      urns: urns.toSorted((a, b) => Number(marked(b)) - Number(marked(a)) || weight(b) - weight(a) || (assets.get(a)?.name ?? a).localeCompare(assets.get(b)?.name ?? b)),
    };
  });
}

/** The visible members of a group, up to a count. The selected one is always included. */
export function membersShown({ urns }: Group, count: number, chosen: string): readonly string[] {
  const first = urns.slice(0, count);
  return first.includes(chosen) || !urns.includes(chosen) ? first : [...first.slice(0, -1), chosen];
}
