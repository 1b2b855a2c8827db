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
  /** The ownership type. */
  role: Ref;
  by?: string;
}

export interface HealthSign {
  type: string;
  tone: "ok" | "warn" | "bad" | "plain";
  text: string;
  /** The number of incidents behind the sign. */
  incidents: number;
}

export interface Link {
  url: string;
  label: string;
  /** Time and actor of the addition, if known. */
  added?: number;
  by?: string;
}

/** Contact details of a person or a group, beside its name and description. */
export interface Card {
  /** Job title and location. */
  work: string;
  email: string;
  slack: string;
  phone: string;
  skills: readonly string[];
  manager: Ref | null;
  /** The groups of a person; only the first ones are listed. */
  teams: readonly Ref[];
  teamCount: number;
  suspended: boolean;
  /** The number of members of a group. */
  members: number | undefined;
}

/** The numbers of assets in a container-like entity with an owner, with a description and with problems. */
export interface Kept {
  owned: number;
  described: number;
  /** Assets with an open incident. */
  troubled: number;
  /** Assets with a failing check. It is a lower bound if not all failing checks were listed. */
  failing: number;
  atLeast: boolean;
}

/** The data that the page header and the side panel show for an asset of any type. */
export interface Asset {
  urn: string;
  type: string;
  name: string;
  subType: string;
  platform: Ref | null;
  /** The path from the outermost parent. */
  path: readonly Ref[];
  /** The description edited by users, and the description from the platform. */
  description: string;
  edited: string;
  externalUrl: string;
  exists: boolean;
  removed: boolean;
  /** The actor may not view the asset. */
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
  /** The last change at the platform, and the known size and usage. */
  updated: number | undefined;
  rows: number | undefined;
  /** The number of columns in the last profile. */
  columns: number | undefined;
  people: number | undefined;
  /** The number of downstream dashboards over any number of hops; a lower bound if partial. */
  dashboards: { total: number; partial: boolean } | undefined;
  /** The number of columns in the schema or shown by a chart, if the type can have columns. */
  fields: number | undefined;
  /** The number of direct upstream and downstream assets. */
  lineage: number | undefined;
  /** The number of forms plus test results. */
  governance: number | undefined;
  /** The number of checks, if the type can have checks. */
  checks: number | undefined;
  /** The number of queries, if the type can have queries. */
  queries: number | undefined;
  /** The number of known runs of the asset, or of runs that wrote it. */
  runs: number | undefined;
  /** The status of the latest run, if the type can run. */
  lastRun: Run | undefined;
  /** The number of contained assets, if the type can contain assets. */
  held: number | undefined;
  /** Ownership, documentation and health of the contained assets, for types that support this summary. */
  kept: Kept | undefined;
  /** The numbers of data products and subdomains directly in a domain. */
  offered: number | undefined;
  below: number | undefined;
  /** Only for people and groups. */
  card: Card | undefined;
  /** The parts of the query that the type supports. */
  has: ReadonlySet<Part | "products" | "description">;
  /** The privilege flags from GraphQL. A flag is absent if GraphQL does not report it. */
  may: Readonly<Record<string, boolean>>;
}

const tones: Readonly<Record<string, HealthSign["tone"]>> = { PASS: "ok", WARN: "warn", FAIL: "bad" };
const healthWords: Readonly<Record<string, string>> = { ASSERTIONS: "Checks", INCIDENTS: "Incidents", TESTS: "Tests" };

// The absence of incidents is not shown.
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

// Reads a stored deprecation. An asset that is no longer deprecated keeps the record with deprecated: false.
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

// Values edited by users take precedence over values from the directory.
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

// The length of a list; undefined if the list was not requested, 0 if it is missing.
const lengthIn = (value: unknown, path: readonly string[]) => (members(value)[path[0] ?? ""] === undefined ? undefined : listIn(at(value, ...path)).length);

const sumOf = (...counts: readonly (number | undefined)[]) => {
  const known = counts.filter((count) => count !== undefined);
  return known.length > 0 ? known.reduce((sum, count) => sum + count, 0) : undefined;
};

/** Reads the response of the asset header query. */
export function assetIn(urn: string, answer: unknown): Asset {
  const type = typeOf(urn);
  const entity = at(answer, "entity");
  const { props, edited } = members(entity);
  const platform = refIn(at(entity, "platform"));
  const label = textIn(at(entity, "platform", "properties", "displayName"));
  // With view authorization, the response for a stored entity that the actor may not view contains only the URN.
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

/** Reports whether only the name of an asset is known. */
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

/** Reports whether columns of the asset are known. */
export const hasSchema = ({ type, fields = 0 }: Asset) => type === "dataset" && fields > 0;

/** The text of the About section: the description edited by users, else the one from the platform. */
export const aboutOf = ({ edited, description }: Asset) => edited || description;
