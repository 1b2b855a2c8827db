import { typeInGraphQL } from "../../lib/asset";
import { listIn, numberIn, textIn } from "../../lib/answer";
import { counted } from "../../lib/text";
import type { Definition, Question } from "../../shared/forms/forms";
import { kindName } from "../../shared/properties/values";
import { carriers } from "./rule";
import type { AggregateAcrossEntitiesInput, AndFilterInput, CountedFragment, EntityType, SearchAcrossEntitiesInput } from "./forms.operations";

/** The message about the privilege to edit forms. */
export const needs = "You need the privilege Manage Documentation Forms. Ask an administrator to add you to a policy that has it.";

/** The progress of assets with a form. */
export interface Progress {
  /** The number of assets with the form. */
  assets: number;
  /** Assets with responses to all required prompts. */
  complete: number;
  /** Verified assets. */
  verified: number;
}

/** The number of assets without remaining work. */
export const doneOf = (progress: Progress, verifies: boolean) => (verifies ? progress.verified : progress.complete);

// The server counts at most this many values of a field.
const mostValues = 60;

/** Counts by field and value; undefined if unknown, because the request failed or the server omitted values. */
export type Counts = (field: string, value: string) => number | undefined;

/** Reads the counts of a response. */
export function countsIn(aggregated: CountedFragment | null): Counts {
  const all = aggregated?.facets;
  const facets = new Map(listIn(all).map(({ field, aggregations }) => [textIn(field), new Map(listIn(aggregations).map(({ value, count }) => [textIn(value), numberIn(count) ?? 0]))]));
  return (field, value) => {
    const values = facets.get(field);
    if (!Array.isArray(all)) {
      return undefined;
    }
    return values?.get(value) ?? (values && values.size >= mostValues ? undefined : 0);
  };
}

/** The progress of assets with a form; undefined if unknown. */
export function progressOf(counts: Counts, urn: string): Progress | undefined {
  const open = counts("incompleteForms", urn);
  const complete = counts("completedForms", urn);
  const verified = counts("verifiedForms", urn);
  return open === undefined || complete === undefined || verified === undefined ? undefined : { assets: open + complete, complete, verified };
}

/** The number of assets with a response to a prompt; undefined if unknown. */
export function answeredOn(counts: Counts, id: string): number | undefined {
  const open = counts("incompleteFormsCompletedPromptIds", id);
  const done = counts("completedFormsCompletedPromptIds", id);
  return open === undefined || done === undefined ? undefined : open + done;
}

const types = carriers.map(typeInGraphQL) as EntityType[];

const on = (field: string, urns: readonly string[], negated = false) => ({ field, values: [...urns], ...(negated ? { negated } : {}) });

/** The input that counts the progress of forms. */
export const progressInput = (urns: readonly string[], questions = false): AggregateAcrossEntitiesInput => ({
  types,
  query: "*",
  orFilters: [{ and: [on("incompleteForms", urns)] }, { and: [on("completedForms", urns)] }],
  facets: ["incompleteForms", "completedForms", "verifiedForms", ...(questions ? ["incompleteFormsCompletedPromptIds", "completedFormsCompletedPromptIds"] : [])],
  searchFlags: { maxAggValues: mostValues },
});

/** A subset of the assets with a form. */
export type Part = "incomplete" | "done" | "all";

/** The subsets, as spelled in an address. */
export const parts: readonly Part[] = ["incomplete", "done", "all"];

function partFilter(urn: string, verifies: boolean, part: Part): AndFilterInput[] {
  const open = { and: [on("incompleteForms", [urn])] };
  const complete = { and: [on("completedForms", [urn])] };
  switch (part) {
    case "incomplete":
      return verifies ? [open, { and: [on("completedForms", [urn]), on("verifiedForms", [urn], true)] }] : [open];
    case "done":
      return verifies ? [{ and: [on("verifiedForms", [urn])] }] : [complete];
    case "all":
      return [open, complete];
  }
}

/** The input that lists assets with a form. */
export const assetsInput = (urn: string, verifies: boolean, part: Part, { text = "", start = 0, count = 10 }): SearchAcrossEntitiesInput => ({
  types,
  query: text || "*",
  start,
  count,
  orFilters: partFilter(urn, verifies, part),
  searchFlags: { skipAggregates: true, skipHighlighting: true },
});

/** The input that counts the assets matching a rule: all of them, or those without the form. */
export const countInput = (rule: readonly AndFilterInput[], without = ""): SearchAcrossEntitiesInput => ({
  types,
  query: "*",
  start: 0,
  count: 0,
  orFilters: without ? rule.map(({ and }) => ({ and: [...(and ?? []), on("incompleteForms", [without], true), on("completedForms", [without], true)] })) : [...rule],
  searchFlags: { skipAggregates: true, skipHighlighting: true },
});

/** Describes the accepted responses to a prompt. */
export function takes({ ofColumns, property }: Pick<Question, "ofColumns" | "property">): string {
  if (!property) {
    return "The property that takes the answer is gone.";
  }
  const { kind, many, allowed } = property;
  const what = allowed.length > 0 ? `${many ? "some" : "one"} of ${counted(allowed.length, "value")}` : `${kindName(kind).toLowerCase()}${many ? ", several" : ""}`;
  return ofColumns ? `${what}, for each column` : what;
}

/** The label of the form type. */
export const kindText = ({ verifies }: Pick<Definition, "verifies">) => (verifies ? "Verification" : "Completion");

/** Describes the progress of assets with a form. */
export function progressText({ assets, complete, verified }: Progress, verifies: boolean): string {
  if (assets === 0) {
    return "On no asset yet";
  }
  return verifies ? `${complete} of ${counted(assets, "asset")} complete, ${verified} verified` : `${complete} of ${counted(assets, "asset")} complete`;
}
