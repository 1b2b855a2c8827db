import { listIn, numberIn } from "../../lib/answer";
import { entitiesIn, rowEntitiesIn, type Identified } from "../../lib/found";
import { run } from "../../lib/request";
import type { Address } from "./address";
import { assetOf, type Asset } from "./asset";
import type { LineageAssetFragment } from "./asset.operations";
import { linksOf, type Link } from "../../shared/lineage/columns";
import { keyOf, type Edge, type Neighbours, type Read, type Way } from "./graph";
import { LineageColumnsOf, LineageDownOf, LineagePath, LineageStart, LineageUpOf, type LineageImpactQueryVariables } from "./lineage.operations";

/** The part of a lineage in one response. */
export interface Part {
  assets: readonly Asset[];
  neighbours: readonly (readonly [key: string, neighbours: Neighbours, start: number])[];
  peeks: readonly (readonly [key: string, peek: { urns: readonly string[]; total: number }])[];
}

/** The first response: the root, its neighbours, and the totals. */
export interface Start {
  part: Part;
  links: readonly Link[];
  mayEdit: boolean;
  /** The number of assets at all distances, and whether the server stopped counting. */
  total: number;
  partial: boolean;
}

type List<Item> = readonly (Item | null)[] | null;
type Side<Row> = { readonly total: number | null; readonly relationships: List<Row> } | null;
type Peek = Side<{ readonly entity: { readonly urn: string | null } | null }>;

/** A neighbour, with the assets that it is made from, or that it feeds. */
type Near = Partial<LineageAssetFragment> & { readonly feeding?: Peek; readonly fed?: Peek };

/** An asset with a page of its neighbours in one direction or both. */
type Around = { readonly urn: string | null } & { readonly [Direction in Way]?: Side<{ readonly isManual: boolean | null; readonly entity: Near | null }> };

const totalOf = (side: Side<unknown> | undefined, least = 0) => Math.max(numberIn(side?.total) ?? 0, least);

/** The input for a page of neighbours. */
export const page = (way: Way, start: number, count: number) => ({
  direction: way === "up" ? ("UPSTREAM" as const) : ("DOWNSTREAM" as const),
  start,
  count,
  separateSiblings: true,
  includeGhostEntities: true,
});

function partOf(entities: List<Around>, way: Way, start: number): Part {
  const part = { assets: [] as Asset[], neighbours: [] as Part["neighbours"][number][], peeks: [] as Part["peeks"][number][] };
  for (const entity of entitiesIn(entities)) {
    const side = entity[way];
    const found = listIn(side?.relationships).flatMap(({ entity: near, isManual }) => entitiesIn([near]).map((other) => ({ other, manual: isManual === true })));
    part.neighbours.push([keyOf(entity.urn, way), { rows: found.map(({ other, manual }) => ({ urn: other.urn, manual })), total: totalOf(side, found.length) }, start]);
    for (const { other } of found) {
      part.assets.push(assetOf(other));
      part.peeks.push(...peeksOf(other));
    }
  }
  return part;
}

function peeksOf(entity: Identified<Near>): Part["peeks"][number][] {
  return (["up", "down"] as const).flatMap((way) => {
    const peek = way === "up" ? entity.feeding : entity.fed;
    const urns = rowEntitiesIn(peek?.relationships).map(({ urn }) => urn);
    return peek ? [[keyOf(entity.urn, way), { urns, total: totalOf(peek, urns.length) }] as const] : [];
  });
}

/** The first request. */
export const startCall = (urn: string, count: number) => ({ query: LineageStart.toString(), variables: { urn, up: page("up", 0, count), down: page("down", 0, count) } });

/** Reads the root and its neighbours. */
export async function readStart(urn: string, count: number, signal: AbortSignal): Promise<Start> {
  const { data } = await run(LineageStart, { urn, up: page("up", 0, count), down: page("down", 0, count) }, signal);
  const entity = { ...data.entity, urn };
  const around = { ...data.around, urn };
  const up = partOf([around], "up", 0);
  const down = partOf([around], "down", 0);
  const sides = [data.allUp, data.allDown];
  return {
    part: { assets: [assetOf(entity), ...up.assets, ...down.assets], neighbours: [...up.neighbours, ...down.neighbours], peeks: [...up.peeks, ...down.peeks] },
    links: linksOf(entity),
    mayEdit: entity.privileges?.canEditLineage === true,
    total: 1 + sides.reduce((sum, side) => sum + Math.max(0, numberIn(side?.total) ?? 0), 0),
    partial: sides.some((side) => side?.isPartial === true),
  };
}

/** Reads a page of neighbours of several assets in one direction. */
export async function readNeighbours(urns: string[], way: Way, start: number, count: number, signal: AbortSignal): Promise<Part> {
  const { data } =
    way === "up" ? await run(LineageUpOf, { urns, up: page("up", start, count) }, signal) : await run(LineageDownOf, { urns, down: page("down", start, count) }, signal);
  return partOf(data.entities, way, start);
}

/** Reads the column lineage of several assets. */
export async function readColumns(urns: string[], signal: AbortSignal): Promise<Link[]> {
  const { data } = await run(LineageColumnsOf, { urns }, signal);
  return entitiesIn(data.entities).flatMap(linksOf);
}

/** The paths from one asset to another. */
export interface Paths {
  part: Part;
  edges: readonly Edge[];
  /** The paths as URNs, from the first asset to the second, shortest first. */
  paths: readonly (readonly string[])[];
  way: Way;
}

/** Reads the paths between two assets in either direction. */
export async function readPaths(from: string, to: string, signal: AbortSignal): Promise<Paths> {
  const input = { urn: from, query: "*", start: 0, count: 1, orFilters: [{ and: [{ field: "urn", values: [to] }] }], searchFlags: { skipAggregates: true, includeSoftDeleted: true } };
  const { data } = await run(LineagePath, { up: { ...input, direction: "UPSTREAM" }, down: { ...input, direction: "DOWNSTREAM" } }, signal);
  for (const way of ["down", "up"] as const) {
    const paths = listIn(listIn(data[way]?.searchResults)[0]?.paths)
      .map(({ path }) => entitiesIn<Near>(path))
      .filter((path) => path.length > 1)
      .toSorted((a, b) => a.length - b.length);
    if (paths.length > 0) {
      const entities = paths.flat();
      return {
        way,
        paths: paths.map((path) => path.map(({ urn }) => urn)),
        part: { assets: entities.map(assetOf), neighbours: [], peeks: entities.flatMap(peeksOf) },
        edges: paths.flatMap((path) =>
          path.slice(1).map(({ urn }, at) => {
            const before = path[at]?.urn ?? "";
            return way === "down" ? { from: before, to: urn, manual: false } : { from: urn, to: before, manual: false };
          }),
        ),
      };
    }
  }
  return { way: "down", paths: [], part: { assets: [], neighbours: [], peeks: [] }, edges: [] };
}

/** Merges a part into loaded data. */
export function joined(before: Read, part: Part): Read {
  const assets = new Map(before.assets);
  for (const asset of part.assets) {
    assets.set(asset.urn, asset);
  }
  const neighbours = new Map(before.neighbours);
  for (const [key, { rows, total }, start] of part.neighbours) {
    neighbours.set(key, { rows: [...(neighbours.get(key)?.rows.slice(0, start) ?? []), ...rows], total });
  }
  const peeks = new Map([...before.peeks, ...part.peeks]);
  return { assets, neighbours, peeks };
}

export const nothing: Read = { assets: new Map(), neighbours: new Map(), peeks: new Map() };

/** The input of the impact list, with the filters of the address. */
export function impactInput(root: string, address: Pick<Address, "direction" | "platform" | "kind" | "live">, degree: string): LineageImpactQueryVariables["input"] {
  const and = [
    ...(degree ? [{ field: "degree", values: [degree] }] : []),
    ...(address.platform ? [{ field: "platform", values: [address.platform] }] : []),
    ...(address.kind ? [{ field: "_entityType", values: [address.kind] }] : []),
    ...(address.live ? [{ field: "deprecated", values: ["true"], negated: true }] : []),
  ];
  return {
    urn: root,
    direction: address.direction === "up" ? "UPSTREAM" : "DOWNSTREAM",
    query: "*",
    ...(and.length > 0 ? { orFilters: [{ and }] } : {}),
    searchFlags: { includeSoftDeleted: !address.live },
  };
}
