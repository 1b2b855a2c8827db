import { nameOf } from "../../shared/entities/entities";
import { send } from "../../lib/request";
import { fieldName, infoOf, type Draft, type Info } from "../../shared/policies/policy";
import { listed, valueText, type Vocabulary } from "../../shared/policies/words";

/** The numbers of users and assets that a policy covers. */
export interface Reach {
  people: number;
  /** Owners also get the privileges, but are not counted. */
  owners: boolean;
  /** False if not all users were examined. */
  complete: boolean;
  /** Absent for platform policies. */
  assets?: number;
}

export interface Condition {
  on: string;
  met: boolean;
  operator?: string;
  values?: string[];
  found?: string[];
}

interface Verdict {
  urn?: string;
  name: string;
  draft?: boolean;
  applies: boolean;
  reason?: string;
}

/** The decision of a draft policy for a user, with the reasons. */
export interface Explanation {
  actor: string;
  groups: string[];
  roles: string[];
  allowed: boolean;
  reason: string;
  policies: Verdict[];
  reach?: Reach;
  conditions?: Condition[];
}

/** The input of a trial: a user, a privilege, and an asset for metadata policies. */
export interface Trial {
  person: string | null;
  privilege: string | null;
  asset: string | null;
}

// The covered users do not depend on the privilege, but the request requires one.
const anyPrivilege = "MANAGE_POLICIES";

/** The request about a policy, which may be unsaved. */
export function questionOf(draft: Draft, before: Info | null, urn: string | null, { person, privilege, asset }: Trial) {
  const tries = person !== null && privilege !== null;
  return {
    ...(tries ? { actor: person, ...(asset ? { resource: asset } : {}) } : {}),
    privileges: [tries ? privilege : (draft.privileges[0] ?? anyPrivilege)],
    policy: infoOf({ ...draft, criteria: draft.criteria.filter(({ values }) => values.length > 0) }, before),
    ...(urn ? { policyUrn: urn } : {}),
  };
}

export const explainPath = "/openapi/v1/access/explain";

export const explain = (question: ReturnType<typeof questionOf>, signal?: AbortSignal) =>
  send<Explanation>(explainPath, { method: "POST", body: question, signal });

/** The coverage of stored policies by URN. */
export const reachOf = (policies: readonly string[], signal?: AbortSignal) =>
  send<Record<string, Reach>>("/openapi/v1/access/reach", { method: "POST", body: { policies }, signal });

/** Describes the outcome of a condition in a sentence. */
export function conditionText(condition: Condition, trial: Trial, draft: Draft, known: Vocabulary): string {
  const person = nameOf(known.names, trial.person ?? "");
  const asset = trial.asset ? nameOf(known.names, trial.asset) : "Nothing";
  switch (condition.on) {
    case "STATE":
      return condition.met ? "The policy is on" : "The policy is off";
    case "ACTOR":
      return actorText(condition, person, asset, draft, known);
    case "PRIVILEGE":
      return `${known.privileges.get(trial.privilege ?? "") ?? trial.privilege} is ${condition.met ? "" : "not "}chosen`;
    case "RESOURCE":
      return condition.met ? "Any asset will do" : "No asset is chosen";
    default:
      return trial.asset ? fieldText(condition, asset, known) : `No asset is chosen: ${fieldName(condition.on)} is not known`;
  }
}

function actorText({ met, found = [] }: Condition, person: string, asset: string, draft: Draft, { names }: Vocabulary): string {
  if (!met) {
    return `${person} is none of those under Who`;
  }
  const [first] = found;
  if (draft.allUsers) {
    return "All people have it";
  }
  if (first === undefined) {
    return draft.allGroups ? `${person} is in a group` : `${person} owns ${asset}`;
  }
  if (first.startsWith("urn:li:corpuser:")) {
    return `${person} is named`;
  }
  return first.startsWith("urn:li:dataHubRole:") ? `${person} has the role ${nameOf(names, first)}` : `${person} is in ${nameOf(names, first)}`;
}

function fieldText({ on, met, operator, values = [], found = [] }: Condition, asset: string, known: Vocabulary): string {
  const wanted = listed(values.map((value) => valueText(on, value, known)), "or");
  const name = fieldName(on);
  const shared = found.filter((value) => values.includes(value));
  if (on === "TYPE" && operator === "EQUALS") {
    const is = listed(found.map((value) => valueText(on, value, known)));
    return met ? `${asset} is one of the ${is}` : `${asset} is one of the ${is}, not of the ${wanted}`;
  }
  switch (operator) {
    case "NOT_EQUALS":
      return met ? `${name} of ${asset} is not ${wanted}` : `${name} is ${listed(shared.map((value) => valueText(on, value, known)))}, which is left out`;
    case "STARTS_WITH":
      return met ? `${name} begins with ${wanted}` : `${name} does not begin with ${wanted}`;
    default:
      if (met) {
        return `${name} is ${listed(shared.map((value) => valueText(on, value, known)))}`;
      }
      return found.length === 0 ? `${asset} has no ${name.toLowerCase()}, so it is not ${wanted}` : `${name} is ${listed(found.map((value) => valueText(on, value, known)))}, not ${wanted}`;
  }
}
