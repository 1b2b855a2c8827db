import { listIn, numberIn } from "../../lib/answer";
import { rowEntitiesIn } from "../../lib/found";
import { lineOf, type Line } from "../../lib/line";
import { runIn, type Run } from "../../shared/runs/runs";
import type { HeldQuery, RelatedQuery } from "./contents.operations";

/** An entity contained in an asset. */
export interface Held extends Line {
  /** The latest run of a task, if known. */
  lastRun: Run | null;
}

/** A page of the contents of an asset. */
export interface Contents {
  total: number;
  items: readonly Held[];
}

type Rows = readonly ({ readonly entity: Entity | null } | null)[] | null | undefined;
type Entity = NonNullable<NonNullable<NonNullable<NonNullable<NonNullable<RelatedQuery["entity"]>["relationships"]>["relationships"]>[number]>["entity"]>;

function contentsOf(rows: Rows, total: number | null | undefined): Contents {
  const items = rowEntitiesIn(rows).map((entity) => Object.assign(lineOf(entity), { lastRun: runIn(listIn(entity.runs?.runs)[0]) }));
  return { total: numberIn(total) ?? 0, items: [...new Map(items.map((item) => [item.urn, item])).values()] };
}

/** Reads search results for the contents of an asset. */
export const contentsIn = (answer: HeldQuery | null): Contents => contentsOf(answer?.searchAcrossEntities?.searchResults, answer?.searchAcrossEntities?.total);

/** Reads the related entities of an asset. */
export function relatedIn(answer: RelatedQuery | null): Contents {
  const related = answer?.entity?.relationships;
  return contentsOf(related?.relationships, related?.total);
}

/** The optional columns of a contents list. */
export type Column = "Kind" | "Where" | "Description" | "Owner" | "Health" | "Last run";

interface Listing {
  columns: readonly Column[];
  /** The noun for an item. */
  one: string;
  empty: string;
}

const owned: Listing = { columns: ["Kind", "Where", "Health"], one: "asset", empty: "Owns no asset yet" };
const inside: Listing = { columns: ["Kind", "Description", "Owner", "Health"], one: "asset", empty: "Nothing is in it yet" };
const learned: readonly Column[] = ["Description", "Owner"];

// The columns depend on the type of the parent.
const listings: Readonly<Record<string, Listing>> = {
  corpGroup: owned,
  corpuser: owned,
  dataFlow: { columns: ["Description", "Owner", "Last run"], one: "task", empty: "No task is in it yet" },
  dataPlatform: { ...inside, columns: ["Kind", "Where", "Owner", "Health"] },
  mlFeatureTable: { columns: learned, one: "feature", empty: "No feature is in it yet" },
  mlModelGroup: { columns: learned, one: "model", empty: "No model is in it yet" },
};

/** The presentation of the contents of a type. */
export const listingOf = (type: string): Listing => (Object.hasOwn(listings, type) ? listings[type] : undefined) ?? inside;
