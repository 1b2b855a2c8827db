import { listIn, numberIn, textIn, timeIn } from "../../lib/answer";
import { Problem, problemOf } from "../../lib/problem";
import { counted, shortOf } from "../../lib/text";
import { namedIn, type Named } from "../../lib/name";
import type { Asset } from "../../shared/asset/asset";
import type { Ref } from "../../shared/entities/refs";
import { definitionIn, forWhom, type Definition, type Question } from "../../shared/forms/forms";
import type { AnsweredFragment, ColumnAnswersQuery, GovernanceQuery, KeptFragment, ProgressFragment } from "./governance.operations";

/** The actor and the time of an action. */
export interface Stamp {
  by: Ref | null;
  time: number | undefined;
}

/** A prompt of a form, with its state on an asset. */
export interface Prompt extends Question {
  answered: Stamp | undefined;
  /** Whether the service reports the prompt as incomplete. */
  open: boolean;
  /** The columns with responses, by path. */
  columns: ReadonlyMap<string, Stamp>;
}

/** A form of an asset. */
export interface Form extends Definition {
  complete: boolean;
  verified: Stamp | undefined;
  prompts: readonly Prompt[];
  /** The ownership types of respondents, if not all owners are respondents. */
  ownerTypes: readonly { urn: string; name: string }[];
  /** The form was removed from the asset after it had been shown. */
  gone: boolean;
}

/** The result of a test on an asset. */
export interface Result {
  urn: string;
  name: string;
  passes: boolean;
}

type Entity = Pick<NonNullable<GovernanceQuery["entity"]>, "forms"> | null;
type Results = Partial<NonNullable<NonNullable<GovernanceQuery["entity"]>["testResults"]>> | null | undefined;
type Answered = ReadonlyMap<string, AnsweredFragment>;

const stampIn = (value: { actor: Named | null; time: number | null } | null | undefined): Stamp => ({ by: namedIn([value?.actor])[0] ?? null, time: timeIn(value?.time) });

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

/** The forms of an asset, incomplete ones first. */
export function formsIn(entity: Entity): Form[] {
  const forms = entity?.forms;
  const verifications = new Map(listIn(forms?.verifications).map((each) => [textIn(each.form?.urn), stampIn(each.lastModified)]));
  const all = [...listIn(forms?.incompleteForms).flatMap((each) => formIn(each, false, verifications)), ...listIn(forms?.completedForms).flatMap((each) => formIn(each, true, verifications))];
  return [...new Map(all.map((form) => [form.urn, form])).values()].toSorted((a, b) => Number(isDone(a)) - Number(isDone(b)));
}

/** The current forms of an asset, followed by removed ones, because the user may be editing a response there. */
export const withGone = (before: readonly Form[], now: readonly Form[]): Form[] => [
  ...now,
  ...before.flatMap((form) => (now.some(({ urn }) => urn === form.urn) ? [] : [{ ...form, gone: true }])),
];

const resultsOf = (list: readonly (KeptFragment | null)[] | null | undefined, passes: boolean): Result[] =>
  listIn(list).flatMap((each) => {
    const urn = textIn(each.test?.urn);
    return urn ? [{ urn, name: textIn(each.test?.name) || shortOf(urn), passes }] : [];
  });

/** The test results of an asset, failures first. Deleted tests are omitted. */
export const resultsIn = (value: Results): Result[] => [...resultsOf(value?.failing, false), ...resultsOf(value?.passing, true)];

/** The number of incomplete required prompts. */
export const openIn = ({ prompts }: Form) => prompts.filter(({ required, open }) => required && open).length;

/** Reports whether a form is complete. */
export const isDone = (form: Form) => (form.verifies ? form.verified !== undefined : form.complete || openIn(form) === 0);

/** Describes the state of a form. */
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

/** The reason why a user may not fill in a form; null if the user may. */
export function reasonFor(form: Form, asset: Asset, me: { urn: string; groups: readonly string[] }): string | null {
  if (form.gone) {
    return `${form.name} was taken off ${asset.name} meanwhile.`;
  }
  const owns = asset.owners.some(({ urn, role }) => (urn === me.urn || me.groups.includes(urn)) && (form.forOwners || form.ownerTypes.some((type) => type.urn === role.urn)));
  return form.mine || owns ? null : `${form.name} is for ${forWhom(form, namesOf(form.ownerTypes))} to fill in.`;
}

/** The problem of a rejected response. If the current forms of the asset explain it, the message states that reason. */
export function refusalOf(error: unknown, form: Form, now: readonly Form[], asset: Asset, me: { urn: string; groups: readonly string[] }): Problem {
  const problem = problemOf(error);
  const told = problem.reason === "refused" || problem.reason === "invalid";
  const reason = told ? reasonFor(now.find(({ urn }) => urn === form.urn) ?? { ...form, gone: true }, asset, me) : null;
  return reason === null ? problem : new Problem(problem.reason, reason, problem.details);
}

/** The values of a property by column path. */
export function columnsIn(answer: ColumnAnswersQuery, property: string): ReadonlyMap<string, readonly (string | number)[]> {
  return new Map(
    listIn(answer.dataset?.schemaMetadata?.fields).map((field) => {
      const entry = listIn(field.schemaFieldEntity?.structuredProperties?.properties).find((each) => each.structuredProperty?.urn === property);
      return [textIn(field.fieldPath), listIn(entry?.values).flatMap((one) => numberIn(one.numberValue) ?? (textIn(one.stringValue) || []))];
    }),
  );
}
