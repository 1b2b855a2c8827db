import { typeInGraphQL } from "../../lib/asset";
import { at, listIn, numberIn, textIn } from "../../lib/loose";
import { counted } from "../../lib/text";
import type { Definition, Question } from "../../shared/forms/forms";
import { kindName } from "../../shared/properties/values";
import { carriers } from "./rule";
import type { AggregateAcrossEntitiesInput, AndFilterInput, EntityType, SearchAcrossEntitiesInput } from "./forms.operations";

/** What changing forms needs. */
export const needs = "You need the privilege Manage Documentation Forms. Ask an administrator to add you to a policy that has it.";

/** How far assets are with a form. */
export interface Progress {
  /** How many have it. */
  assets: number;
  /** Those on which every required question is answered. */
  complete: number;
  /** Those that somebody has verified. */
  verified: number;
}

/** How many assets have nothing left to do. */
export const doneOf = (progress: Progress, verifies: boolean) => (verifies ? progress.verified : progress.complete);

// The server counts no more values of a field than this.
const mostValues = 60;

/** Counts by field and value, undefined where a count is not known: the answer failed, or the server left values out. */
export type Counts = (field: string, value: string) => number | undefined;

/** Reads the counts of an answer. */
export function countsIn(aggregated: unknown): Counts {
  const all = at(aggregated, "facets");
  const facets = new Map(
    listIn(all).map((facet) => [textIn(at(facet, "field")), new Map(listIn(at(facet, "aggregations")).map((each) => [textIn(at(each, "value")), numberIn(at(each, "count")) ?? 0]))]),
  );
  return (field, value) => {
    const values = facets.get(field);
    if (!Array.isArray(all)) {
      return undefined;
    }
    return values?.get(value) ?? (values && values.size >= mostValues ? undefined : 0);
  };
}

/** How far assets are with a form, undefined where it is not known. */
export function progressOf(counts: Counts, urn: string): Progress | undefined {
  const open = counts("incompleteForms", urn);
  const complete = counts("completedForms", urn);
  const verified = counts("verifiedForms", urn);
  return open === undefined || complete === undefined || verified === undefined ? undefined : { assets: open + complete, complete, verified };
}

/** On how many assets a question is answered, undefined where it is not known. */
export function answeredOn(counts: Counts, id: string): number | undefined {
  const open = counts("incompleteFormsCompletedPromptIds", id);
  const done = counts("completedFormsCompletedPromptIds", id);
  return open === undefined || done === undefined ? undefined : open + done;
}

const types = carriers.map(typeInGraphQL) as EntityType[];

const on = (field: string, urns: readonly string[], negated = false) => ({ field, values: [...urns], ...(negated ? { negated } : {}) });

/** What is asked to count how far assets are with some forms. */
export const progressInput = (urns: readonly string[], questions = false): AggregateAcrossEntitiesInput => ({
  types,
  query: "*",
  orFilters: [{ and: [on("incompleteForms", urns)] }, { and: [on("completedForms", urns)] }],
  facets: ["incompleteForms", "completedForms", "verifiedForms", ...(questions ? ["incompleteFormsCompletedPromptIds", "completedFormsCompletedPromptIds"] : [])],
  searchFlags: { maxAggValues: mostValues },
});

/** Which of the assets that have a form are meant. */
export type Part = "incomplete" | "done" | "all";

/** The parts of a page of a form, in the words of an address. */
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

/** What is asked to list the assets that have a form. */
export const assetsInput = (urn: string, verifies: boolean, part: Part, { text = "", start = 0, count = 10 }): SearchAcrossEntitiesInput => ({
  types,
  query: text || "*",
  start,
  count,
  orFilters: partFilter(urn, verifies, part),
  searchFlags: { skipAggregates: true, skipHighlighting: true },
});

/** What is asked to count the assets that a rule holds for, all of them or those that have not got the form. */
export const countInput = (rule: readonly AndFilterInput[], without = ""): SearchAcrossEntitiesInput => ({
  types,
  query: "*",
  start: 0,
  count: 0,
  orFilters: without ? rule.map(({ and }) => ({ and: [...(and ?? []), on("incompleteForms", [without], true), on("completedForms", [without], true)] })) : [...rule],
  searchFlags: { skipAggregates: true, skipHighlighting: true },
});

/** What a question takes for an answer, in words. */
export function takes({ ofColumns, property }: Pick<Question, "ofColumns" | "property">): string {
  if (!property) {
    return "The property that takes the answer is gone.";
  }
  const { kind, many, allowed } = property;
  const what = allowed.length > 0 ? `${many ? "some" : "one"} of ${counted(allowed.length, "value")}` : `${kindName(kind).toLowerCase()}${many ? ", several" : ""}`;
  return ofColumns ? `${what}, for each column` : what;
}

/** What kind a form is, in words. */
export const kindText = ({ verifies }: Pick<Definition, "verifies">) => (verifies ? "Verification" : "Completion");

/** How far assets are with a form, in words. */
export function progressText({ assets, complete, verified }: Progress, verifies: boolean): string {
  if (assets === 0) {
    return "On no asset yet";
  }
  return verifies ? `${complete} of ${counted(assets, "asset")} complete, ${verified} verified` : `${complete} of ${counted(assets, "asset")} complete`;
}
