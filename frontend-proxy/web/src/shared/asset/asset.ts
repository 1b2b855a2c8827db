import { typeOf } from "../../lib/asset";
import { healthText } from "../../lib/health";
import { at, listIn, members, numberIn, textIn, textsIn, timeIn } from "../../lib/loose";
import { shortOf, words } from "../../lib/text";
import { failingDatasetsIn, failingIn } from "../failing/holders";
import { runIn, type Run } from "../runs/runs";
import { propertiesIn, type Property } from "../properties/property";
import { isShaped, shapes, type Part } from "./query";
import { once, refIn, refsIn, tagsIn, termsIn, why, type Label, type Ref } from "../entities/refs";

export interface Owner extends Ref {
  group: boolean;
  /** How they own it. */
  role: Ref;
  by?: string;
}

export interface HealthSign {
  type: string;
  tone: "ok" | "warn" | "bad" | "plain";
  text: string;
  /** Of how many incidents it tells. */
  incidents: number;
}

export interface Link {
  url: string;
  label: string;
  /** When and by whom it was added, where that is known. */
  added?: number;
  by?: string;
}

/** Who a person or a group is, beside its name and its text. */
export interface Card {
  /** What somebody does, and where. */
  work: string;
  email: string;
  slack: string;
  phone: string;
  skills: readonly string[];
  manager: Ref | null;
  /** The groups that somebody is in, of which those that are told are the first. */
  teams: readonly Ref[];
  teamCount: number;
  suspended: boolean;
  /** How many people are in a group. */
  members: number | undefined;
}

/** How many of the assets in a thing have an owner, have a description, and are in trouble. */
export interface Kept {
  owned: number;
  described: number;
  /** Those with an open incident. */
  troubled: number;
  /** Those with a check that fails; more may where not all failing checks were listed. */
  failing: number;
  atLeast: boolean;
}

/** What the head of a page and its side panel show of an asset of any type. */
export interface Asset {
  urn: string;
  type: string;
  name: string;
  subType: string;
  platform: Ref | null;
  /** The way to it from the outermost. */
  path: readonly Ref[];
  /** What people wrote about it, and what its platform says. */
  description: string;
  edited: string;
  externalUrl: string;
  exists: boolean;
  removed: boolean;
  /** It may not be viewed by who asks. */
  restricted: boolean;
  deprecation: { note: string; until: number | undefined; by: string; successor: string } | null;
  health: readonly HealthSign[];
  owners: readonly Owner[];
  tags: readonly Label[];
  terms: readonly Label[];
  domain: Ref | null;
  products: readonly Ref[];
  applications: readonly Ref[];
  properties: readonly Property[];
  custom: readonly { key: string; value: string }[];
  links: readonly Link[];
  /** When it was last changed at its platform, and what is known of its size and use. */
  updated: number | undefined;
  rows: number | undefined;
  /** How many columns the last profile found. */
  columns: number | undefined;
  people: number | undefined;
  /** How many dashboards are made from it, over any number of steps; more where that is partial. */
  dashboards: { total: number; partial: boolean } | undefined;
  /** How many columns its schema has, or a chart shows, where it can have them. */
  fields: number | undefined;
  /** How many assets it is made from, and how many are made from it, one step away. */
  lineage: number | undefined;
  /** How many forms it has, and how many tests were run on it. */
  governance: number | undefined;
  /** How many checks watch it, where any can. */
  checks: number | undefined;
  /** How many queries are about it, where any can be. */
  queries: number | undefined;
  /** How many runs of it are known, or of others that wrote it. */
  runs: number | undefined;
  /** How its newest run ended, or that it goes on, where it is something that runs. */
  lastRun: Run | undefined;
  /** How much is in it, where something can be. */
  held: number | undefined;
  /** How well what is in it is kept, of types whose content people look after. */
  kept: Kept | undefined;
  /** How many data products and domains a domain has right below it. */
  offered: number | undefined;
  below: number | undefined;
  /** Of people and groups alone. */
  card: Card | undefined;
  /** The parts that its type has. */
  has: ReadonlySet<Part | "products" | "description">;
  /** What GraphQL says of privileges; absent where it says nothing. */
  may: Readonly<Record<string, boolean>>;
}

const tones: Readonly<Record<string, HealthSign["tone"]>> = { PASS: "ok", WARN: "warn", FAIL: "bad" };
const healthWords: Readonly<Record<string, string>> = { ASSERTIONS: "Checks", INCIDENTS: "Incidents", TESTS: "Tests" };

// That nothing was reported is no news.
const isQuiet = (each: unknown) => at(each, "type") === "INCIDENTS" && at(each, "status") === "PASS";

function healthIn(value: unknown): HealthSign[] {
  return listIn(value).filter((each) => !isQuiet(each)).map((each) => {
    const type = textIn(at(each, "type"));
    const status = textIn(at(each, "status"));
    const tone = Object.hasOwn(tones, status) ? (tones[status] ?? "plain") : "plain";
    const what = Object.hasOwn(healthWords, type) ? (healthWords[type] ?? type) : words(type);
    return { type, tone, text: healthText(each) || `${what || "Health"}: ${status.toLowerCase() || "not known"}`, incidents: numberIn(at(each, "activeIncidentHealthDetails", "count")) ?? 0 };
  });
}

export const ownersIn = (value: unknown): Owner[] =>
  once(
    listIn(at(value, "owners")).flatMap((each): Owner[] => {
      const ref = refIn(at(each, "owner"));
      const role = refIn(at(each, "ownershipType"));
      return ref
        ? [{ ...ref, group: typeOf(ref.urn) === "corpGroup", role: role ? { urn: role.urn, name: roleName(role) } : { urn: "", name: "Owner" }, ...why(each) }]
        : [];
    }),
    (owner) => `${owner.urn} ${owner.role.urn}`,
  );

const roleName = ({ name, urn }: Ref) => (name.startsWith("__system__") || name === shortOf(urn) ? words(name.replace("__system__", "")) : name.replace(/ Owner$/u, ""));

export const linksIn = (value: unknown): Link[] =>
  listIn(at(value, "elements")).flatMap((each) => {
    const url = textIn(at(each, "url"));
    const stamp = at(each, "created") ?? at(each, "createStamp");
    const added = timeIn(at(stamp, "time"));
    const by = textIn(at(stamp, "actor"));
    return url ? [{ url, label: textIn(at(each, "label")) || textIn(at(each, "description")) || url, ...(added === undefined ? {} : { added }), ...(by ? { by } : {}) }] : [];
  });

export const customIn = (value: unknown): { key: string; value: string }[] =>
  Array.isArray(value)
    ? listIn(value).map((each) => ({ key: textIn(at(each, "key")), value: textIn(at(each, "value")) }))
    : Object.entries(members(value)).map(([key, one]) => ({ key, value: textIn(one) }));

const flagsIn = (value: unknown): Record<string, boolean> => Object.fromEntries(Object.entries(members(value)).filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean"));

function pathIn(entity: unknown): Ref[] {
  const nearestFirst = [...refsIn(at(entity, "parentContainers", "containers")), ...refsIn(at(entity, "parentNodes", "nodes")), ...refsIn(at(entity, "parentDomains", "domains")), ...refsIn(at(entity, "parentApplications", "applications"))];
  const flow = refIn(at(entity, "flow"));
  const parent = refIn(at(entity, "parent"));
  return [...nearestFirst.toReversed(), ...(flow ? [flow] : []), ...(parent ? [parent] : [])];
}

// The name of the property of a stored deprecation: cleared ones stay as a record that says false.
export const deprecationIn = (value: unknown): Asset["deprecation"] =>
  at(value, "deprecated") === true
    ? {
        note: textIn(at(value, "note")),
        until: timeIn(at(value, "decommissionTime")),
        by: refIn(at(value, "actorEntity"))?.name ?? shortOf(textIn(at(value, "actor"))),
        successor: textIn(at(value, "replacement", "urn")) || textIn(at(value, "replacement")),
      }
    : null;

function assetName(entity: unknown, urn: string): string {
  const { props, edited, name, username, title, fieldPath, instanceId } = members(entity);
  const said = [at(edited, "displayName"), at(edited, "name"), at(props, "displayName"), at(props, "name"), at(props, "fullName"), title, name, fieldPath, instanceId, username];
  return said.map(textIn).find((text) => text.trim() !== "") ?? shortOf(urn);
}

function keptIn(urn: string, answer: unknown): Kept | undefined {
  const count = (name: string) => numberIn(at(answer, name, "total"));
  const owned = count("owned");
  if (owned === undefined) {
    return undefined;
  }
  const failing = failingDatasetsIn(at(answer, "failing"));
  return { owned, described: count("described") ?? 0, troubled: count("troubled") ?? 0, failing: failingIn(failing, urn), atLeast: !failing.complete };
}

// What people say themselves goes before what their directory says.
function cardIn(entity: unknown): Card {
  const { props, edited, teams } = members(entity);
  const said = (name: string) => textIn(at(edited, name)) || textIn(at(props, name));
  const known = refsIn(at(teams, "relationships"), "entity");
  return {
    work: [said("title"), said("departmentName")].filter(Boolean).join(", "),
    email: said("email"),
    slack: said("slack"),
    phone: said("phone"),
    skills: textsIn(at(edited, "skills")),
    manager: refIn(at(props, "manager")),
    teams: known,
    teamCount: Math.max(numberIn(at(teams, "total")) ?? 0, known.length),
    suspended: textIn(at(entity, "state")) === "SUSPENDED",
    members: numberIn(at(entity, "members", "total")),
  };
}

const hasOf = (type: string): Asset["has"] => {
  const shape = shapes[type];
  return new Set<Part | "products" | "description">([...(shape?.parts ?? []), ...(shape?.product ? ["products" as const] : []), "description"]);
};

const reportsIn = (value: unknown): Asset["dashboards"] => {
  const total = numberIn(at(value, "total"));
  return total === undefined ? undefined : { total, partial: at(value, "isPartial") === true };
};

// How long a list is, undefined where it was not asked for. What is not there has none.
const lengthIn = (value: unknown, path: readonly string[]) => (members(value)[path[0] ?? ""] === undefined ? undefined : listIn(at(value, ...path)).length);

const sumOf = (...counts: readonly (number | undefined)[]) => {
  const known = counts.filter((count) => count !== undefined);
  return known.length > 0 ? known.reduce((sum, count) => sum + count, 0) : undefined;
};

/** Reads the answer to the query of the head of an asset. */
export function assetIn(urn: string, answer: unknown): Asset {
  const type = typeOf(urn);
  const entity = at(answer, "entity");
  const { props, edited } = members(entity);
  const platform = refIn(at(entity, "platform"));
  const label = textIn(at(entity, "platform", "properties", "displayName"));
  // With view authorization an entity that is stored comes as its URN alone to those who may not view it.
  const hidden = at(answer, "entityExists") === true && at(entity, "exists") === false;
  return {
    urn,
    type,
    name: assetName(entity, urn),
    subType: textsIn(at(entity, "subTypes", "typeNames"))[0] ?? textIn(at(entity, "subType")),
    platform: platform && { urn: platform.urn, name: label || platform.name },
    path: pathIn(entity),
    description: textIn(at(props, "description")) || textIn(at(entity, "description")) || textIn(at(listIn(at(entity, "documentation", "documentations"))[0], "documentation")),
    edited: textIn(at(edited, "description")),
    externalUrl: textIn(at(props, "externalUrl")),
    exists: at(answer, "entityExists") !== false && (at(entity, "exists") !== false || hidden),
    removed: at(entity, "status", "removed") === true,
    restricted: hidden || textIn(at(entity, "__typename")) === "Restricted",
    deprecation: deprecationIn(at(entity, "deprecation")),
    health: healthIn(at(entity, "health")),
    owners: ownersIn(at(entity, "ownership")),
    tags: tagsIn(at(entity, "tags")),
    terms: termsIn(at(entity, "glossaryTerms")),
    domain: refIn(at(entity, "domain", "domain")),
    products: refsIn(at(entity, "products", "relationships"), "entity"),
    applications: refsIn(at(entity, "applications"), "application"),
    properties: propertiesIn(at(entity, "structuredProperties")),
    custom: customIn(at(props, "customProperties")),
    links: linksIn(at(entity, "institutionalMemory")),
    updated: timeIn(at(listIn(at(entity, "operations"))[0], "lastUpdatedTimestamp")) ?? timeIn(at(props, "lastRefreshed")) ?? timeIn(at(props, "lastModified", "time")),
    rows: numberIn(at(listIn(at(entity, "profile"))[0], "rowCount")),
    columns: numberIn(at(listIn(at(entity, "profile"))[0], "columnCount")),
    people: numberIn(at(entity, "stats", "uniqueUserCountLast30Days")),
    dashboards: reportsIn(at(answer, "reports")),
    fields: lengthIn(entity, ["columns", "fields"]),
    lineage: sumOf(numberIn(at(entity, "upstream", "total")), numberIn(at(entity, "downstream", "total"))),
    governance: sumOf(...[["forms", "incompleteForms"], ["forms", "completedForms"], ["tests", "passing"], ["tests", "failing"]].map((path) => lengthIn(entity, path))),
    checks: numberIn(at(entity, "checks", "total")),
    queries: numberIn(at(answer, "queries", "total")),
    runs: numberIn(at(entity, "runs", "total")),
    lastRun: runIn(listIn(at(entity, "runs", "runs"))[0]) ?? undefined,
    held: numberIn(at(answer, "held", "total")) ?? numberIn(at(entity, "held", "total")),
    kept: keptIn(urn, answer),
    offered: numberIn(at(answer, "offered", "total")),
    below: numberIn(at(entity, "below", "total")),
    card: type === "corpuser" || type === "corpGroup" ? cardIn(entity) : undefined,
    has: hasOf(type),
    may: flagsIn(at(entity, "privileges")),
  };
}

const isBlank = (card: Card) => ![card.work, card.email, card.slack, card.phone, card.skills.length, card.manager, card.teamCount, card.suspended, card.members].some(Boolean);

/** Whether nothing is known of an asset but its name. */
export const isBare = (asset: Asset) =>
  asset.exists &&
  isShaped(asset.type) &&
  !asset.removed &&
  [asset.owners, asset.tags, asset.terms, asset.products, asset.applications, asset.properties, asset.custom, asset.links, asset.path, asset.health].every((list) => list.length === 0) &&
  !asset.description &&
  !asset.edited &&
  !asset.domain &&
  !asset.deprecation &&
  !asset.subType &&
  !asset.externalUrl &&
  !asset.held &&
  !asset.fields &&
  (!asset.card || isBlank(asset.card)) &&
  asset.updated === undefined;

/** Whether columns are known of it. */
export const hasSchema = ({ type, fields = 0 }: Asset) => type === "dataset" && fields > 0;

/** What stands under About: the words of people before those of the platform. */
export const aboutOf = ({ edited, description }: Asset) => edited || description;
