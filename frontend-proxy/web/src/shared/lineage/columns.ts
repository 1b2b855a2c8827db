import { columnOf, type Column } from "../../lib/column";
import { listIn, members } from "../../lib/loose";

/** A column that is made from another one, maybe by a task between them. */
export interface Link {
  from: Column;
  to: Column;
  via?: string;
}

type Answer = Readonly<Record<string, unknown>> & { urn: string };

const columnsIn = (value: unknown): Column[] =>
  listIn(value)
    .map(members)
    .flatMap(({ urn, path }) => (typeof urn === "string" && typeof path === "string" ? [{ urn, path }] : []));

// One statement may name many columns on both sides; more links than these are not made of one.
const mostOfOne = 10_000;

/** The links between columns that an asset says of itself. A dataset says nothing of the columns of others, a task does. */
export function linksOf(answer: { urn: string }): Link[] {
  const entity = answer as Answer;
  const job = members(entity["inputOutput"]);
  const stated = [...listIn(entity["fineGrainedLineages"]), ...listIn(job["fineGrainedLineages"])].map(members);
  const fits = (to: Column) => entity["inputOutput"] !== undefined || to.urn === entity.urn;
  const link = entity["inputOutput"] ? (from: Column, to: Column): Link => ({ from, to, via: entity.urn }) : (from: Column, to: Column): Link => ({ from, to });
  const links = stated.flatMap(({ upstreams, downstreams }) => {
    const from = columnsIn(upstreams);
    return columnsIn(downstreams)
      .filter(fits)
      .flatMap((to) => from.map((each) => link(each, to)))
      .slice(0, mostOfOne);
  });
  return [...links, ...fieldsOf(entity)];
}

// A report says which columns it shows: each is a column of its own by the same name.
function fieldsOf(entity: Answer): Link[] {
  return listIn(members(entity["inputFields"])["fields"])
    .map(members)
    .flatMap((field) => {
      const from = columnOf(typeof field["schemaFieldUrn"] === "string" ? field["schemaFieldUrn"] : "");
      const path = members(field["schemaField"])["fieldPath"];
      return from ? [{ from, to: { urn: entity.urn, path: typeof path === "string" && path ? path : from.path } }] : [];
    })
    .filter(({ from }) => from.urn !== entity.urn);
}

/** The name of a column as people know it: without the types that field paths of version 2 hold. */
export const columnName = (path: string) => path.replaceAll(/\[(version|type|key)=[^\]]*\]\.?/gu, "") || path;

/** The columns that have a text in their names, those that begin with it first. */
export function columnsFound(paths: readonly string[], text: string): string[] {
  const sought = text.trim().toLowerCase();
  const at = (path: string) => columnName(path).toLowerCase().indexOf(sought);
  return paths.filter((path) => at(path) >= 0).toSorted((a, b) => Number(at(a) > 0) - Number(at(b) > 0));
}

const key = ({ urn, path }: Column) => `${urn}\n${path}`;

/** All links between columns that are known, by where they come from and where they lead. */
export class Columns {
  readonly #out = new Map<string, Link[]>();
  readonly #in = new Map<string, Link[]>();
  readonly #of = new Map<string, Set<string>>();

  constructor(links: Iterable<Link>) {
    for (const link of links) {
      add(this.#out, key(link.from), link);
      add(this.#in, key(link.to), link);
      for (const { urn, path } of [link.from, link.to]) {
        this.#of.set(urn, (this.#of.get(urn) ?? new Set()).add(path));
      }
    }
  }

  /** The columns of an asset that are made from others, or of which others are made, by name. */
  of = (urn: string): string[] => [...(this.#of.get(urn) ?? [])].toSorted((a, b) => a.localeCompare(b));

  /** What a column is made from and what is made from it, all the way. */
  trace(column: Column): Trace {
    const links = new Set<Link>();
    const found = new Map([[key(column), column]]);
    for (const [index, end] of [
      [this.#in, "from"],
      [this.#out, "to"],
    ] as const) {
      const seen = new Map([[key(column), column]]);
      for (const here of seen.keys()) {
        for (const link of index.get(here) ?? []) {
          links.add(link);
          seen.set(key(link[end]), link[end]);
        }
      }
      for (const [at, each] of seen) {
        found.set(at, each);
      }
    }
    return new Trace(column, [...found.values()], [...links]);
  }
}

function add(map: Map<string, Link[]>, at: string, link: Link) {
  const there = map.get(at);
  if (there) {
    there.push(link);
  } else {
    map.set(at, [link]);
  }
}

/** Where a column comes from and where it goes. */
export class Trace {
  readonly #paths = new Map<string, string[]>();
  readonly #via: ReadonlySet<string>;

  constructor(
    readonly column: Column,
    columns: readonly Column[],
    readonly links: readonly Link[],
  ) {
    for (const { urn, path } of columns) {
      const known = this.#paths.get(urn);
      if (known) {
        known.push(path);
      } else {
        this.#paths.set(urn, [path]);
      }
    }
    this.#via = new Set(links.flatMap(({ via }) => (via ? [via] : [])));
  }

  /** The columns of an asset that are part of it. */
  in = (urn: string): readonly string[] => this.#paths.get(urn) ?? [];

  /** Tells whether it touches an asset, by a column or through a task. */
  touches = (urn: string) => this.#paths.has(urn) || this.#via.has(urn);

  /** The assets that it touches. */
  get assets(): string[] {
    return [...new Set([...this.#paths.keys(), ...this.#via])];
  }

  /**
   * The columns on the way through an asset: from the furthest that it comes from, by the chosen column and that of the
   * asset, to the furthest that it leads to. Empty where the trace does not touch the asset.
   */
  through(urn: string): Column[] {
    const mine = new Set(this.in(urn).map((path) => key({ urn, path })));
    const up = walk(this.column, this.links, "from");
    const down = walk(this.column, this.links, "to");
    const meets = (came: ReadonlyMap<string, Step>) => [...came.keys()].find((at) => mine.has(at));
    const above = meets(up);
    const below = meets(down);
    if (above === undefined && below === undefined) {
      return [];
    }
    const top = above === undefined || above === key(this.column) ? furthest(up) : furthest(walk(up.get(above)?.column ?? this.column, this.links, "from"), back(up, above));
    const foot = below === undefined || below === key(this.column) ? furthest(down) : furthest(walk(down.get(below)?.column ?? this.column, this.links, "to"), back(down, below));
    return [...top.toReversed(), ...foot.slice(1)];
  }
}

interface Step {
  column: Column;
  before: string | null;
}

function walk(column: Column, links: readonly Link[], end: "from" | "to"): Map<string, Step> {
  const start = end === "from" ? "to" : "from";
  const next = new Map<string, Link[]>();
  for (const link of links) {
    add(next, key(link[start]), link);
  }
  const came = new Map<string, Step>([[key(column), { column, before: null }]]);
  for (const here of came.keys()) {
    for (const link of next.get(here) ?? []) {
      const at = key(link[end]);
      if (!came.has(at)) {
        came.set(at, { column: link[end], before: here });
      }
    }
  }
  return came;
}

// The columns from the beginning of a walk to a place.
function back(came: ReadonlyMap<string, Step>, at: string): Column[] {
  const path: Column[] = [];
  for (let step = came.get(at); step; step = step.before === null ? undefined : came.get(step.before)) {
    path.unshift(step.column);
  }
  return path;
}

// A walk goes breadth first: what it came to last is furthest.
function furthest(came: ReadonlyMap<string, Step>, lead: readonly Column[] = []): Column[] {
  const last = [...came.keys()].at(-1);
  const way = last === undefined ? [] : back(came, last);
  return lead.length > 0 ? [...lead, ...way.slice(1)] : way;
}
