import { lineOf, type Line } from "../../lib/line";
import { listIn, numberIn, textIn, type Item } from "../../lib/answer";
import { runIn, type Run } from "../../shared/runs/runs";
import type { HeldQuery, RelatedQuery } from "./contents.operations";

type Entity = NonNullable<Item<NonNullable<NonNullable<RelatedQuery["entity"]>["relationships"]>["relationships"]>["entity"]>;

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

function heldIn(entity: Partial<Entity> | null): Held[] {
  const urn = textIn(entity?.urn);
  return urn === "" ? [] : [{ ...lineOf({ ...entity, urn }), lastRun: runIn(listIn(entity?.runs?.runs)[0]) }];
}

function pageIn(total: number | null | undefined, rows: readonly ({ entity: Partial<Entity> | null } | null)[] | null | undefined): Contents {
  const items = listIn(rows).flatMap(({ entity }) => heldIn(entity));
  return { total: numberIn(total) ?? 0, items: [...new Map(items.map((item) => [item.urn, item])).values()] };
}

/** Reads search results for the contents of an asset. */
export function contentsIn(data: HeldQuery | null): Contents {
  const found = data?.searchAcrossEntities;
  return pageIn(found?.total, found?.searchResults);
}

/** Reads the related entities of an asset. */
export function relatedIn(data: RelatedQuery | null): Contents {
  const found = data?.entity?.relationships;
  return pageIn(found?.total, found?.relationships);
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
