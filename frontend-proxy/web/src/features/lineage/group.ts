import type { Asset } from "./asset";
import { adjacency, type Graph } from "./graph";

/** Assets of one step that one container holds. */
export interface Group {
  id: string;
  step: number;
  name: string;
  platform: string;
  /** The members, those first that matter most. */
  urns: readonly string[];
}

/** Above this many assets a graph is grouped. */
export const manyAssets = 40;

/** How many members of a group are shown before somebody asks for more. */
export const firstMembers = 3;

/** How many more members are shown each time somebody asks. */
export const moreMembers = 40;

/**
 * The assets of a graph but its root in groups by step and container. Within one the marked come first, then those
 * with most neighbours.
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

/** The members of a group that are shown where so many are asked for; the chosen one is always among them. */
export function membersShown({ urns }: Group, count: number, chosen: string): readonly string[] {
  const first = urns.slice(0, count);
  return first.includes(chosen) || !urns.includes(chosen) ? first : [...first.slice(0, -1), chosen];
}
