import { lineOf, type Line } from "../../lib/line";
import { at, listIn, members, numberIn, textIn } from "../../lib/loose";
import { runIn, type Run } from "../../shared/runs/runs";

/** Something that is in an asset. */
export interface Held extends Line {
  /** The newest run of a task, if any is known. */
  lastRun: Run | null;
}

/** A page of what is in an asset. */
export interface Contents {
  total: number;
  items: readonly Held[];
}

function heldIn(entity: unknown): Held[] {
  const urn = textIn(at(entity, "urn"));
  return urn === "" ? [] : [{ ...lineOf({ ...members(entity), urn }), lastRun: runIn(listIn(at(entity, "runs", "runs"))[0]) }];
}

function pageIn(found: unknown, rows: string): Contents {
  const items = listIn(at(found, rows)).flatMap((each) => heldIn(at(each, "entity")));
  return { total: numberIn(at(found, "total")) ?? 0, items: [...new Map(items.map((item) => [item.urn, item])).values()] };
}

/** Reads what a search found in an asset. */
export const contentsIn = (answer: unknown): Contents => pageIn(at(answer, "searchAcrossEntities"), "searchResults");

/** Reads what an asset is related to. */
export const relatedIn = (answer: unknown): Contents => pageIn(at(answer, "entity", "relationships"), "relationships");

/** What a list of contents tells beside the names. */
export type Column = "Kind" | "Where" | "Description" | "Owner" | "Health" | "Last run";

interface Listing {
  columns: readonly Column[];
  /** What one of those is called. */
  one: string;
  empty: string;
}

const owned: Listing = { columns: ["Kind", "Where", "Health"], one: "asset", empty: "Owns no asset yet" };
const inside: Listing = { columns: ["Kind", "Description", "Owner", "Health"], one: "asset", empty: "Nothing is in it yet" };
const learned: readonly Column[] = ["Description", "Owner"];

// What there is to tell depends on what a thing holds.
const listings: Readonly<Record<string, Listing>> = {
  corpGroup: owned,
  corpuser: owned,
  dataFlow: { columns: ["Description", "Owner", "Last run"], one: "task", empty: "No task is in it yet" },
  dataPlatform: { ...inside, columns: ["Kind", "Where", "Owner", "Health"] },
  mlFeatureTable: { columns: learned, one: "feature", empty: "No feature is in it yet" },
  mlModelGroup: { columns: learned, one: "model", empty: "No model is in it yet" },
};

/** How what is in things of a type is listed. */
export const listingOf = (type: string): Listing => (Object.hasOwn(listings, type) ? listings[type] : undefined) ?? inside;
