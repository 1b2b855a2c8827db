import { listIn, textIn } from "../../lib/answer";
import { columnOf, type Column } from "../../lib/column";

/** A lineage edge from one column to another, possibly through a task. */
export interface Link {
  from: Column;
  to: Column;
  via?: string;
}

type List<Item> = readonly (Item | null)[] | null | undefined;
type Columned = List<{ readonly urn: string | null; readonly path: string | null }>;
type Statements = List<{ readonly upstreams: Columned; readonly downstreams: Columned }>;

/** The column lineage stored on an asset. */
interface Stated {
  readonly urn: string;
  readonly fineGrainedLineages?: Statements;
  readonly inputOutput?: { readonly fineGrainedLineages: Statements } | null;
  readonly inputFields?: { readonly fields: List<{ readonly schemaFieldUrn: string | null; readonly schemaField: { readonly fieldPath: string | null } | null }> } | null;
}

const columnsIn = (value: Columned): Column[] => listIn(value).map(({ urn, path }) => ({ urn: textIn(urn), path: textIn(path) })).filter(({ urn, path }) => urn !== "" && path !== "");

// One statement can name many columns on both sides. It yields at most this many edges.
const mostOfOne = 10_000;

/**
 * The column lineage that an asset declares. A dataset declares lineage of its own columns only; a task declares
 * lineage of other assets.
 */
export function linksOf({ urn, fineGrainedLineages, inputOutput, inputFields }: Stated): Link[] {
  const fits = (to: Column) => inputOutput !== undefined || to.urn === urn;
  const link = (from: Column, to: Column): Link => (inputOutput ? { from, to, via: urn } : { from, to });
  const links = [...listIn(fineGrainedLineages), ...listIn(inputOutput?.fineGrainedLineages)].flatMap(({ upstreams, downstreams }) => {
    const from = columnsIn(upstreams);
    return columnsIn(downstreams)
      .filter(fits)
      .flatMap((to) => from.map((each) => link(each, to)))
      .slice(0, mostOfOne);
  });
  return [...links, ...fieldsOf(urn, inputFields)];
}

// A chart lists its input columns. Each yields a column of the chart with the same name.
const fieldsOf = (urn: string, inputs: Stated["inputFields"]): Link[] =>
  listIn(inputs?.fields)
    .flatMap(({ schemaFieldUrn, schemaField }) => {
      const from = columnOf(textIn(schemaFieldUrn));
      return from ? [{ from, to: { urn, path: textIn(schemaField?.fieldPath) || from.path } }] : [];
    })
    .filter(({ from }) => from.urn !== urn);

/** The display name of a column, without the type annotations of version 2 field paths. */
export const columnName = (path: string) => path.replaceAll(/\[(version|type|key)=[^\]]*\]\.?/gu, "") || path;

/** The columns whose names contain a text. Names that begin with it come first. */
export function columnsFound(paths: readonly string[], text: string): string[] {
  const sought = text.trim().toLowerCase();
  const at = (path: string) => columnName(path).toLowerCase().indexOf(sought);
  return paths.filter((path) => at(path) >= 0).toSorted((a, b) => Number(at(a) > 0) - Number(at(b) > 0));
}

const key = ({ urn, path }: Column) => `${urn}\n${path}`;

/** Known column lineage, indexed by source and by target. */
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

  /** The names of the columns of an asset with column lineage, sorted. */
  of = (urn: string): string[] => [...(this.#of.get(urn) ?? [])].toSorted((a, b) => a.localeCompare(b));

  /** The transitive upstream and downstream lineage of a column. */
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

/** The transitive lineage of one column in both directions. */
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

  /** The columns of an asset in the trace. */
  in = (urn: string): readonly string[] => this.#paths.get(urn) ?? [];

  /** Reports whether the trace contains an asset, by a column or through a task. */
  touches = (urn: string) => this.#paths.has(urn) || this.#via.has(urn);

  /** The assets in the trace. */
  get assets(): string[] {
    return [...new Set([...this.#paths.keys(), ...this.#via])];
  }

  /**
   * The path through an asset: from the furthest upstream column, through the chosen column and the column of the
   * asset, to the furthest downstream column. Empty if the trace does not contain the asset.
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

// The columns from the start of a walk to a column.
function back(came: ReadonlyMap<string, Step>, at: string): Column[] {
  const path: Column[] = [];
  for (let step = came.get(at); step; step = step.before === null ? undefined : came.get(step.before)) {
    path.unshift(step.column);
  }
  return path;
}

// A walk is breadth-first, so the last visited column is the furthest.
function furthest(came: ReadonlyMap<string, Step>, lead: readonly Column[] = []): Column[] {
  const last = [...came.keys()].at(-1);
  const way = last === undefined ? [] : back(came, last);
  return lead.length > 0 ? [...lead, ...way.slice(1)] : way;
}
