import { listIn, numberIn, textIn, timeIn } from "../../lib/answer";
import { Problem, problemOf } from "../../lib/problem";
import { counted, shortOf } from "../../lib/text";
import type { Asset } from "../../shared/asset/asset";
import type { Ref } from "../../shared/entities/refs";
import { definitionIn, forWhom, refIn, type Definition, type Question } from "../../shared/forms/forms";
import type { AnsweredFragment, ColumnAnswersQuery, GovernanceQuery, KeptFragment, ProgressFragment } from "./governance.operations";

/** Who did something, and when. */
export interface Stamp {
  by: Ref | null;
  time: number | undefined;
}

/** A question of a form, and how far an asset answers it. */
export interface Prompt extends Question {
  answered: Stamp | undefined;
  /** Still open, as the service says. */
  open: boolean;
  /** The columns that are answered, by their paths. */
  columns: ReadonlyMap<string, Stamp>;
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

type Entity = Pick<NonNullable<GovernanceQuery["entity"]>, "forms"> | null;
type Results = Partial<NonNullable<NonNullable<GovernanceQuery["entity"]>["testResults"]>> | null | undefined;
type Answered = ReadonlyMap<string, AnsweredFragment>;

const stampIn = (value: { actor: { urn: string | null } | null; time: number | null } | null | undefined): Stamp => ({ by: refIn(value?.actor)[0] ?? null, time: timeIn(value?.time) });

const byId = (value: readonly (AnsweredFragment | null)[] | null): Answered => new Map(listIn(value).map((each) => [textIn(each.id), each]));

function promptOf(question: Question, open: Answered, done: Answered): Prompt {
  const { id } = question;
  const state = done.get(id) ?? open.get(id);
  return {
    ...question,
    answered: done.has(id) ? stampIn(state?.lastModified) : undefined,
    open: open.has(id),
    columns: new Map(listIn(state?.fieldAssociations?.completedFieldPrompts).map((each) => [textIn(each.fieldPath), stampIn(each.lastModified)])),
  };
}

function formIn(value: ProgressFragment, complete: boolean, verifications: ReadonlyMap<string, Stamp>): Form[] {
  const form = definitionIn(value.form);
  const open = byId(value.incompletePrompts);
  const done = byId(value.completedPrompts);
  return form ? [{ ...form, complete, verified: verifications.get(form.urn), prompts: form.prompts.map((question) => promptOf(question, open, done)), ownerTypes: [], gone: false }] : [];
}

/** The forms of an asset, those that are not done first. */
export function formsIn(entity: Entity): Form[] {
  const forms = entity?.forms;
  const verifications = new Map(listIn(forms?.verifications).map((each) => [textIn(each.form?.urn), stampIn(each.lastModified)]));
  const all = [...listIn(forms?.incompleteForms).flatMap((each) => formIn(each, false, verifications)), ...listIn(forms?.completedForms).flatMap((each) => formIn(each, true, verifications))];
  return [...new Map(all.map((form) => [form.urn, form])).values()].toSorted((a, b) => Number(isDone(a)) - Number(isDone(b)));
}

/** The forms that an asset has now, and after them those it had, in which somebody may be writing. */
export const withGone = (before: readonly Form[], now: readonly Form[]): Form[] => [
  ...now,
  ...before.flatMap((form) => (now.some(({ urn }) => urn === form.urn) ? [] : [{ ...form, gone: true }])),
];

const resultsOf = (list: readonly (KeptFragment | null)[] | null | undefined, passes: boolean): Result[] =>
  listIn(list).flatMap((each) => {
    const urn = textIn(each.test?.urn);
    return urn ? [{ urn, name: textIn(each.test?.name) || shortOf(urn), passes }] : [];
  });

/** The tests that were run on an asset, those that fail first. One that was deleted since is left out. */
export const resultsIn = (value: Results): Result[] => [...resultsOf(value?.failing, false), ...resultsOf(value?.passing, true)];

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
export function columnsIn(answer: ColumnAnswersQuery, property: string): ReadonlyMap<string, readonly (string | number)[]> {
  return new Map(
    listIn(answer.dataset?.schemaMetadata?.fields).map((field) => {
      const entry = listIn(field.schemaFieldEntity?.structuredProperties?.properties).find((each) => each.structuredProperty?.urn === property);
      return [textIn(field.fieldPath), listIn(entry?.values).flatMap((one) => numberIn(one.numberValue) ?? (textIn(one.stringValue) || []))];
    }),
  );
}
