import { kindOf, typeOf } from "./asset";
import { healthText } from "./health";
import { keyOf, shortOf } from "./text";

/** A step of the path to an asset. */
export interface Step {
  name: string;
  urn?: string | undefined;
}

/** An owner of an asset. */
export interface OwnerOf {
  urn: string;
  name: string;
  shape: "person" | "group";
}

/** The state of an asset in words, derived from its checks and incidents. */
export interface State {
  tone: "ok" | "bad" | "warn";
  text: string;
}

/** The properties of an asset in a list. Only the URN is certain to be present. */
export interface Line {
  urn: string;
  /** The type in GraphQL. */
  type: string;
  name: string;
  subType: string | undefined;
  platform: string | undefined;
  /** The path to the asset, outermost step first. */
  steps: readonly Step[];
  description: string;
  deprecated: boolean;
  tags: readonly { urn: string; name: string; colour: string | undefined }[];
  terms: readonly { urn: string; name: string }[];
  owners: readonly OwnerOf[];
  state: State | undefined;
  /** The number of users in the last 30 days, if known. */
  people: number | undefined;
  /** The time of the last change in ms since 1970, if known. */
  changedAt: number | undefined;
}

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members => typeof value === "object" && value !== null && !Array.isArray(value);

const part = (value: unknown, name: string): Members => {
  const found = isMembers(value) ? value[name] : undefined;
  return isMembers(found) ? found : {};
};

const list = (value: unknown, name: string): readonly Members[] => {
  const found = isMembers(value) ? value[name] : undefined;
  return Array.isArray(found) ? (found as unknown[]).filter(isMembers) : [];
};

const text = (value: unknown, name: string): string => {
  const found = isMembers(value) ? value[name] : undefined;
  return typeof found === "string" ? found : "";
};

const number = (value: unknown, name: string): number | undefined => {
  const found = isMembers(value) ? value[name] : undefined;
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
};

/** The display name of an entity, or the readable part of its URN if it has none. */
export function lineName(entity: { urn: string }): string {
  const edited = part(entity, "editableProperties");
  const properties = part(entity, "properties");
  const info = part(entity, "info");
  const definition = part(entity, "definition");
  const names = [
    text(edited, "displayName"),
    text(edited, "name"),
    text(properties, "displayName"),
    text(properties, "fullName"),
    text(properties, "name"),
    text(info, "title"),
    text(info, "name"),
    text(definition, "displayName"),
    text(definition, "qualifiedName"),
    text(entity, "name"),
    text(entity, "fieldPath"),
    text(entity, "username"),
  ];
  return names.find((name) => name.trim() !== "") ?? shortOf(text(entity, "urn"));
}

/** The display name of a platform, or the name in its URN. */
export function platformName(platform: unknown): string | undefined {
  const name = text(part(platform, "properties"), "displayName") || text(platform, "name") || keyOf(text(platform, "urn"));
  return name.replace(/^urn:li:dataPlatform:/u, "") || undefined;
}

const step = (entity: Members): Step => ({ name: lineName({ ...entity, urn: text(entity, "urn") }), urn: text(entity, "urn") || undefined });

function stepsOf(entity: unknown): Step[] {
  const flow = part(entity, "dataFlow");
  const namespace = text(entity, "featureNamespace");
  const parent = text(part(entity, "parent"), "urn");
  return [
    ...list(part(entity, "parentContainers"), "containers").map(step).toReversed(),
    ...list(part(entity, "parentNodes"), "nodes").map(step).toReversed(),
    ...list(part(entity, "parentDomains"), "domains").map(step).toReversed(),
    ...(text(flow, "urn") ? [step(flow)] : []),
    ...(namespace ? [{ name: namespace }] : []),
    ...(parent ? [{ name: shortOf(parent), urn: parent }] : []),
  ];
}

/** The state of an asset from its health entries. Failures take precedence over warnings, and warnings over success. */
export function stateIn(health: readonly { type?: unknown; status?: unknown; message?: unknown; latestAssertionStatusByType?: unknown }[]): State | undefined {
  const wrong = health.find(({ status }) => status === "FAIL") ?? health.find(({ status }) => status === "WARN");
  if (wrong) {
    const one = wrong.type === "INCIDENTS" ? "Has an open incident" : "Has a failing check";
    return { tone: wrong.status === "WARN" ? "warn" : "bad", text: healthText(wrong) || one };
  }
  const passing = health.find(({ status, type }) => status === "PASS" && type === "ASSERTIONS");
  return passing && { tone: "ok", text: healthText(passing) };
}

/** Reads the list properties of an asset from a response. Missing, null or unknown members yield empty values. */
export function lineOf(entity: { urn: string; type?: string | null }): Line {
  const { urn } = entity;
  const properties = part(entity, "properties");
  const changed = number(part(properties, "lastModified"), "time");
  const subTypes = part(entity, "subTypes")["typeNames"];
  const platform = part(entity, "platform");
  return {
    urn,
    type: text(entity, "type") || typeOf(urn),
    name: lineName(entity),
    subType: Array.isArray(subTypes) && typeof subTypes[0] === "string" ? subTypes[0] : undefined,
    platform: platformName(isMembers(platform) && Object.keys(platform).length > 0 ? platform : part(part(entity, "dataFlow"), "platform")),
    steps: stepsOf(entity),
    description: text(part(entity, "editableProperties"), "description") || text(properties, "description") || text(part(entity, "info"), "description") || text(entity, "description"),
    deprecated: part(entity, "deprecation")["deprecated"] === true,
    tags: list(part(entity, "tags"), "tags").flatMap((each) => {
      const tag = part(each, "tag");
      return text(tag, "urn") ? [{ urn: text(tag, "urn"), name: lineName({ ...tag, urn: text(tag, "urn") }), colour: text(part(tag, "properties"), "colorHex") || undefined }] : [];
    }),
    terms: list(part(entity, "glossaryTerms"), "terms").flatMap((each) => {
      const term = part(each, "term");
      return text(term, "urn") ? [{ urn: text(term, "urn"), name: lineName({ ...term, urn: text(term, "urn") }) }] : [];
    }),
    owners: ownersOf(entity),
    state: stateIn(list(entity, "health")),
    people: number(part(entity, "statsSummary"), "uniqueUserCountLast30Days"),
    changedAt: changed !== undefined && changed > 0 ? changed : undefined,
  };
}

// An owner with several ownership types is listed once.
function ownersOf(entity: unknown): OwnerOf[] {
  const owners = new Map<string, OwnerOf>();
  for (const each of list(part(entity, "ownership"), "owners")) {
    const owner = part(each, "owner");
    const urn = text(owner, "urn");
    if (urn && !owners.has(urn)) {
      owners.set(urn, { urn, name: lineName({ ...owner, urn }), shape: typeOf(urn) === "corpGroup" ? "group" : "person" });
    }
  }
  return [...owners.values()];
}

/** The kind of an asset: the platform's name for it, otherwise the catalog's. */
export const kindText = ({ subType, type }: Pick<Line, "subType" | "type">) => subType ?? kindOf(type).one;
