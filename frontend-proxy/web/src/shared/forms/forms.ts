import { lineName } from "../../lib/line";
import { at, listIn, members, numberIn, textIn, timeIn } from "../../lib/loose";
import { Problem, problemOf } from "../../lib/problem";
import { counted, shortOf } from "../../lib/text";
import type { Asset } from "../asset/asset";
import { propertyIn, type Property } from "../properties/property";
import type { Ref } from "../entities/refs";

/** Who did something, and when. */
export interface Stamp {
  by: Ref | null;
  time: number | undefined;
}

/** A question of a form. */
export interface Question {
  id: string;
  title: string;
  description: string;
  /** Asks about each column, not about the whole. */
  ofColumns: boolean;
  required: boolean;
  /** The property that takes the answer; null if it is gone. */
  property: Property | null;
}

/** A question of a form, and how far an asset answers it. */
export interface Prompt extends Question {
  answered: Stamp | undefined;
  /** Still open, as the service says. */
  open: boolean;
  /** The columns that are answered, by their paths. */
  columns: ReadonlyMap<string, Stamp>;
}

/** Who fills in a form. */
export interface Respondents {
  /** The owners of the asset fill it in. */
  forOwners: boolean;
  /** The people and groups that fill it in by name. */
  people: readonly Ref[];
  /** The form names who looks at it, or one of their groups. */
  mine: boolean;
}

/** A form as it is defined. */
export interface Definition extends Respondents {
  urn: string;
  name: string;
  description: string;
  /** Somebody has to confirm the answers. */
  verifies: boolean;
  prompts: readonly Question[];
}

/** A form that an asset has. */
export interface Form extends Definition {
  complete: boolean;
  verified: Stamp | undefined;
  prompts: readonly Prompt[];
  /** The ownership types whose owners fill it in, where not all owners do. */
  ownerTypes: readonly { urn: string; name: string }[];
  /** It was taken off the asset after it had been shown. */
  gone: boolean;
}

/** A test that was run on an asset. */
export interface Result {
  urn: string;
  name: string;
  passes: boolean;
}

const stampIn = (value: unknown): Stamp => ({ by: refIn(at(value, "actor"))[0] ?? null, time: timeIn(at(value, "time")) });

const refIn = (value: unknown): Ref[] => {
  const urn = textIn(at(value, "urn"));
  return urn ? [{ urn, name: lineName({ ...members(value), urn }) }] : [];
};

const byId = (value: unknown) => new Map(listIn(value).map((each) => [textIn(at(each, "id")), each]));

function questionIn(value: unknown): Question {
  const id = textIn(at(value, "id"));
  return {
    id,
    title: textIn(at(value, "title")) || id,
    description: textIn(at(value, "description")),
    ofColumns: textIn(at(value, "type")) === "FIELDS_STRUCTURED_PROPERTY",
    required: at(value, "required") === true,
    property: propertyIn(at(value, "structuredPropertyParams", "structuredProperty")),
  };
}

/** A form by its definition; none where there is no form. */
export function definitionIn(form: unknown): Definition | null {
  const urn = textIn(at(form, "urn"));
  const info = at(form, "info");
  const actors = at(info, "actors");
  return urn
    ? {
        urn,
        name: textIn(at(info, "name")) || shortOf(urn),
        description: textIn(at(info, "description")),
        verifies: textIn(at(info, "type")) === "VERIFICATION",
        prompts: listIn(at(info, "prompts")).map(questionIn),
        forOwners: at(actors, "owners") === true,
        people: [...listIn(at(actors, "users")), ...listIn(at(actors, "groups"))].flatMap(refIn),
        mine: at(actors, "isAssignedToMe") === true,
      }
    : null;
}

function promptOf(question: Question, open: ReadonlyMap<string, unknown>, done: ReadonlyMap<string, unknown>): Prompt {
  const { id } = question;
  const state = done.get(id) ?? open.get(id);
  return {
    ...question,
    answered: done.has(id) ? stampIn(at(state, "lastModified")) : undefined,
    open: open.has(id),
    columns: new Map(listIn(at(state, "fieldAssociations", "completedFieldPrompts")).map((each) => [textIn(at(each, "fieldPath")), stampIn(at(each, "lastModified"))])),
  };
}

function formIn(value: unknown, complete: boolean, verifications: ReadonlyMap<string, Stamp>): Form[] {
  const form = definitionIn(at(value, "form"));
  const open = byId(at(value, "incompletePrompts"));
  const done = byId(at(value, "completedPrompts"));
  return form ? [{ ...form, complete, verified: verifications.get(form.urn), prompts: form.prompts.map((question) => promptOf(question, open, done)), ownerTypes: [], gone: false }] : [];
}

/** The forms of an asset, those that are not done first. */
export function formsIn(entity: unknown): Form[] {
  const forms = at(entity, "forms");
  const verifications = new Map(listIn(at(forms, "verifications")).map((each) => [textIn(at(each, "form", "urn")), stampIn(at(each, "lastModified"))]));
  const all = [...listIn(at(forms, "incompleteForms")).flatMap((each) => formIn(each, false, verifications)), ...listIn(at(forms, "completedForms")).flatMap((each) => formIn(each, true, verifications))];
  return [...new Map(all.map((form) => [form.urn, form])).values()].toSorted((a, b) => Number(isDone(a)) - Number(isDone(b)));
}

/** The forms that an asset has now, and after them those it had, in which somebody may be writing. */
export const withGone = (before: readonly Form[], now: readonly Form[]): Form[] => [
  ...now,
  ...before.flatMap((form) => (now.some(({ urn }) => urn === form.urn) ? [] : [{ ...form, gone: true }])),
];

const resultsOf = (list: unknown, passes: boolean): Result[] =>
  listIn(list).flatMap((each) => {
    const urn = textIn(at(each, "test", "urn"));
    return urn ? [{ urn, name: textIn(at(each, "test", "name")) || shortOf(urn), passes }] : [];
  });

/** The tests that were run on an asset, those that fail first. One that was deleted since is left out. */
export const resultsIn = (value: unknown): Result[] => [...resultsOf(at(value, "failing"), false), ...resultsOf(at(value, "passing"), true)];

/** How many required questions are open. */
export const openIn = ({ prompts }: Form) => prompts.filter(({ required, open }) => required && open).length;

/** Whether nothing is left to do. */
export const isDone = (form: Form) => (form.verifies ? form.verified !== undefined : form.complete || openIn(form) === 0);

/** How far a form is, in words. */
export function stateOf(form: Form): { tone: "ok" | "warn" | "plain"; text: string } {
  const left = openIn(form);
  if (form.gone) {
    return { tone: "warn", text: "Taken off" };
  }
  if (isDone(form)) {
    return { tone: "ok", text: form.verifies ? "Verified" : "Complete" };
  }
  return left > 0 ? { tone: "plain", text: `${counted(left, "required question")} left` } : { tone: "warn", text: "To be verified" };
}

/** Who fills in a form, in words. */
export function forWhom({ forOwners, people }: Respondents, ownershipTypes: readonly string[] = []): string {
  const kinds = forOwners ? [] : ownershipTypes;
  const all = [...(forOwners ? ["the owners"] : []), ...(kinds.length > 0 ? [`owners of the type ${kinds.join(" or ")}`] : []), ...people.map(({ name }) => name)];
  return all.length > 1 ? `${all.slice(0, -1).join(", ")} and ${all.at(-1) ?? ""}` : (all[0] ?? "nobody");
}

/** The names of ownership types. */
export const namesOf = (types: Form["ownerTypes"]) => types.map(({ name }) => name);

/** Why somebody may not fill in a form; null if they may. */
export function reasonFor(form: Form, asset: Asset, me: { urn: string; groups: readonly string[] }): string | null {
  if (form.gone) {
    return `${form.name} was taken off ${asset.name} meanwhile.`;
  }
  const owns = asset.owners.some(({ urn, role }) => (urn === me.urn || me.groups.includes(urn)) && (form.forOwners || form.ownerTypes.some((type) => type.urn === role.urn)));
  return form.mine || owns ? null : `${form.name} is for ${forWhom(form, namesOf(form.ownerTypes))} to fill in.`;
}

/** Why an answer was refused, in words where the forms that the asset has now tell it. */
export function refusalOf(error: unknown, form: Form, now: readonly Form[], asset: Asset, me: { urn: string; groups: readonly string[] }): Problem {
  const problem = problemOf(error);
  const told = problem.reason === "refused" || problem.reason === "invalid";
  const reason = told ? reasonFor(now.find(({ urn }) => urn === form.urn) ?? { ...form, gone: true }, asset, me) : null;
  return reason === null ? problem : new Problem(problem.reason, reason, problem.details);
}

/** The columns of a dataset with the values that each has of a property, by their paths. */
export function columnsIn(answer: unknown, property: string): ReadonlyMap<string, readonly (string | number)[]> {
  return new Map(
    listIn(at(answer, "dataset", "schemaMetadata", "fields")).map((field) => {
      const entry = listIn(at(field, "schemaFieldEntity", "structuredProperties", "properties")).find((each) => at(each, "structuredProperty", "urn") === property);
      return [textIn(at(field, "fieldPath")), listIn(at(entry, "values")).flatMap((one) => numberIn(at(one, "numberValue")) ?? (textIn(at(one, "stringValue")) || []))];
    }),
  );
}
