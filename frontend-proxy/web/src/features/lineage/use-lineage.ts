import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";

import { problemOf } from "../../lib/problem";
import { firstNeighbours, usualMost, utmost, type AddressState } from "./address";
import { Columns, type Link } from "../../shared/lineage/columns";
import { furtherOf, grow, keyOf, openKey, ways, type Graph, type Read, type Way } from "./graph";
import { joined, nothing, readColumns, readNeighbours, readPaths, readStart } from "./read";

/** The numbers of neighbours and of assets per request. */
const atOnce = { neighbours: 100, assets: 20 };

/** A missing page of neighbours. */
export interface Wanted {
  urn: string;
  way: Way;
  start: number;
  count: number;
}

/**
 * The missing neighbours of visible assets, as required by the number of steps or by the user. Pages that would
 * exceed the maximum number of assets are held back.
 */
export function wantedOf(graph: Graph, read: Read, count: (urn: string, way: Way, distance: number) => number, shown: readonly Way[], most: number): { now: Wanted[]; held: Wanted[] } {
  const now: Wanted[] = [];
  const held: Wanted[] = [];
  const there = new Set(graph.urns);
  let size = graph.urns.length;
  for (const urn of graph.urns) {
    for (const way of shown) {
      const step = graph.steps.get(urn) ?? 0;
      const known = read.neighbours.get(keyOf(urn, way));
      const want = Math.min(step === 0 || step < 0 === (way === "up") ? count(urn, way, Math.abs(step)) : 0, known?.total ?? Infinity);
      const start = known?.rows.length ?? 0;
      if (want > start && !read.assets.get(urn)?.restricted) {
        const more = Math.min(furtherOf(read, there, urn, way, start) ?? firstNeighbours, want - start);
        const page = { urn, way, start, count: Math.min(want - start, atOnce.neighbours) };
        if (more > 0 && size + more > most) {
          held.push({ ...page, count: more });
        } else {
          size += more;
          now.push(page);
        }
      }
    }
  }
  return { now, held };
}

/** Combines pages that one request can read. */
export function batches(pages: readonly Wanted[]): Wanted[][] {
  const all: Wanted[][] = [];
  const open = new Map<string, Wanted[]>();
  for (const each of pages) {
    const kind = `${each.way} ${each.start} ${each.count}`;
    const batch = open.get(kind);
    if (batch && batch.length < atOnce.assets) {
      batch.push(each);
    } else {
      const fresh = [each];
      open.set(kind, fresh);
      all.push(fresh);
    }
  }
  return all;
}

/** Loads the lineage of an asset as required by its address. */
export function useLineage(root: string, address: AddressState) {
  const queries = useQueryClient();
  const { direction, steps, open, most, to, column } = address;
  const shown = useMemo(() => ways.filter((way) => direction === "both" || direction === way), [direction]);
  // The impact list needs none of the graph data.
  const start = useQuery({ queryKey: ["lineage", root, "start"], enabled: address.view !== "impact", queryFn: ({ signal }) => readStart(root, firstNeighbours, signal) });
  const paths = useQuery({ queryKey: ["lineage", root, "paths", to], enabled: to !== "" && address.view !== "impact", queryFn: ({ signal }) => readPaths(root, to, signal) });

  const [more, setMore] = useState<{ of: unknown; read: Read }>({ of: null, read: nothing });
  const base = useMemo(() => (start.data ? joined(nothing, start.data.part) : nothing), [start.data]);
  const read = useMemo(() => {
    const all = more.of === start.data ? more.read : base;
    // Fully loaded assets take precedence over those from a path.
    return paths.data ? { ...joined(all, paths.data.part), assets: new Map([...paths.data.part.assets.map((asset) => [asset.urn, asset] as const), ...all.assets]) } : all;
  }, [more, start.data, base, paths.data]);

  const count = useCallback(
    (urn: string, way: Way, distance: number) => Math.max(distance < steps ? firstNeighbours : 0, open.get(openKey(urn, way)) ?? 0),
    [steps, open],
  );
  const graph = useMemo(() => grow(root, read, shown, count, to ? (paths.data?.edges ?? []) : []), [root, read, shown, count, to, paths.data]);
  const { now, held } = useMemo(() => wantedOf(graph, read, count, shown, most), [graph, read, count, shown, most]);

  const [busy, setBusy] = useState<ReadonlyMap<string, AbortController>>(new Map());
  const [failed, setFailed] = useState<ReadonlyMap<string, string>>(new Map());
  const running = useRef(new Map<string, AbortController>());
  const current = useRef(start.data);
  useEffect(() => {
    current.current = start.data;
  }, [start.data]);
  useEffect(() => {
    if (!start.data) {
      return;
    }
    const idle = now.filter((each) => !running.current.has(keyOf(each.urn, each.way)) && !failed.has(keyOf(each.urn, each.way)));
    for (const batch of batches(idle)) {
      const [first] = batch;
      if (!first) {
        continue;
      }
      const abort = new AbortController();
      const keys = batch.map(({ urn, way }) => keyOf(urn, way));
      for (const key of keys) {
        running.current.set(key, abort);
      }
      const done = (after: () => void) => {
        for (const key of keys) {
          running.current.delete(key);
        }
        setBusy(new Map(running.current));
        after();
      };
      const origin = start.data;
      queries
        .fetchQuery({
          queryKey: ["lineage", "neighbours", first.way, first.start, first.count, ...batch.map(({ urn }) => urn)],
          queryFn: () => readNeighbours(batch.map(({ urn }) => urn), first.way, first.start, first.count, abort.signal),
        })
        .then(
          (part) =>
            done(() => {
              if (current.current === origin) {
                setMore((before) => ({ of: origin, read: joined(before.of === origin ? before.read : base, part) }));
              }
            }),
          (error: unknown) =>
            done(() => setFailed((before) => new Map([...before, ...keys.map((key) => [key, abort.signal.aborted ? "It was cancelled." : problemOf(error).message] as const)]))),
        );
    }
    setBusy((before) => (before.size === running.current.size ? before : new Map(running.current)));
  }, [now, failed, start.data, base, queries]);
  useEffect(() => {
    const all = running.current;
    return () => {
      for (const abort of all.values()) {
        abort.abort();
      }
    };
  }, []);

  const columns = useColumns(root, graph, start.data?.links, column !== null);
  return {
    start,
    paths,
    read,
    graph,
    held,
    columns,
    shown,
    wanted: count,
    /** The loading state of neighbours, by the key from keyOf. */
    busy,
    failed,
    cancel: () => running.current.forEach((abort) => abort.abort()),
    retry: (urn: string, way: Way) => setFailed((before) => new Map([...before].filter(([key]) => key !== keyOf(urn, way)))),
    again: () => {
      setFailed(new Map());
      setMore({ of: null, read: nothing });
      return queries.invalidateQueries({ queryKey: ["lineage"] });
    },
    /** The limit that "Show more" sets to admit the pages held back. */
    enough: Math.min(utmost, Math.max(usualMost, graph.urns.length + held.reduce((sum, each) => sum + each.count, 0))),
  };
}

export type Lineage = ReturnType<typeof useLineage>;

// Loads column lineage of visible assets in small batches, once the user has selected a column.
function useColumns(root: string, graph: Graph, own: readonly Link[] | undefined, wanted: boolean) {
  const queries = useQueryClient();
  const [known, setKnown] = useState<ReadonlyMap<string, readonly Link[]>>(new Map());
  const [error, setError] = useState<unknown>(null);
  const asked = useRef(new Set<string>([root]));
  useEffect(() => {
    if (!wanted || error !== null) {
      return;
    }
    const missing = graph.urns.filter((urn) => !asked.current.has(urn) && !urn.startsWith("urn:li:restricted:"));
    for (let at = 0; at < missing.length; at += atOnce.assets) {
      const urns = missing.slice(at, at + atOnce.assets);
      for (const urn of urns) {
        asked.current.add(urn);
      }
      queries.fetchQuery({ queryKey: ["lineage", "columns", ...urns], queryFn: ({ signal }) => readColumns(urns, signal) }).then(
        (links) => setKnown((before) => new Map([...before, [urns.join(" "), links]])),
        (failure: unknown) => {
          for (const urn of urns) {
            asked.current.delete(urn);
          }
          setError(failure);
        },
      );
    }
  }, [graph, wanted, error, queries]);
  const columns = useMemo(() => new Columns([...(own ?? []), ...[...known.values()].flat()]), [own, known]);
  return { columns, error, retry: () => setError(null) };
}
