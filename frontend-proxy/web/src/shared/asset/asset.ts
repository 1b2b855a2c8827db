import { typeOf } from "../../lib/asset";
import { healthText } from "../../lib/health";
import type { Named } from "../../lib/name";
import { listIn, numberIn, textIn, textsIn, timeIn, type Item } from "../../lib/answer";
import { shortOf, words } from "../../lib/text";
import { failingDatasetsIn, failingIn } from "../failing/holders";
import { runIn, type Run } from "../runs/runs";
import { propertiesIn, type Property } from "../properties/property";
import type { AssetQuery } from "./head.operations";
import { isShaped, partsOf, type Part } from "./query";
import { endsIn, once, refIn, refsIn, tagsIn, termsIn, why, type Label, type Ref } from "../entities/refs";

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
  has: ReadonlySet<Part>;
  /** The privilege flags from GraphQL. A flag is absent if GraphQL does not report it. */
  may: Readonly<Record<string, boolean>>;
}

const tones: Readonly<Record<string, HealthSign["tone"]>> = { PASS: "ok", WARN: "warn", FAIL: "bad" };
const healthWords: Readonly<Record<string, string>> = { ASSERTIONS: "Checks", INCIDENTS: "Incidents", TESTS: "Tests" };

type List<Element> = readonly (Element | null)[] | null | undefined;
type Answer = Partial<AssetQuery>;
type Entity = NonNullable<AssetQuery["entity"]>;
type Sign = Item<Entity["health"]>;

// The absence of incidents is not shown.
const isQuiet = ({ type, status }: Sign) => type === "INCIDENTS" && status === "PASS";

const healthIn = (signs: List<Sign>): HealthSign[] =>
  listIn(signs).filter((each) => !isQuiet(each)).map((each) => {
    const type = textIn(each.type);
    const status = textIn(each.status);
    const tone = Object.hasOwn(tones, status) ? (tones[status] ?? "plain") : "plain";
    const what = Object.hasOwn(healthWords, type) ? (healthWords[type] ?? type) : words(type);
    return { type, tone, text: healthText(each) || `${what || "Health"}: ${status.toLowerCase() || "not known"}`, incidents: numberIn(each.activeIncidentHealthDetails?.count) ?? 0 };
  });

interface Owned {
  owner: Named | null;
  ownershipType: Named | null;
  attribution?: { source: Named | null } | null;
}

/** Reads the owners of an asset, without duplicates of person and ownership type. */
export const ownersIn = (values: List<Owned>): Owner[] =>
  once(
    listIn(values).flatMap((each): Owner[] => {
      const ref = refIn(each.owner);
      const role = refIn(each.ownershipType);
      return ref
        ? [{ ...ref, group: typeOf(ref.urn) === "corpGroup", role: role ? { urn: role.urn, name: roleName(role) } : { urn: "", name: "Owner" }, ...why(each) }]
        : [];
    }),
    (owner) => `${owner.urn} ${owner.role.urn}`,
  );

const roleName = ({ name, urn }: Ref) => (name.startsWith("__system__") || name === shortOf(urn) ? words(name.replace("__system__", "")) : name.replace(/ Owner$/u, ""));

/** Reads the links of an asset. Those without an address are omitted. */
export const linksIn = (values: List<{ url: string | null; label: string | null; created: { time: number | null; actor: string | null } | null }>): Link[] =>
  listIn(values).flatMap((each) => {
    const url = textIn(each.url);
    const added = timeIn(each.created?.time);
    const by = textIn(each.created?.actor);
    return url ? [{ url, label: textIn(each.label) || url, ...(added === undefined ? {} : { added }), ...(by ? { by } : {}) }] : [];
  });

const flagsIn = (value: Entity["privileges"]): Record<string, boolean> => Object.fromEntries(Object.entries(value ?? {}).filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean"));

function pathIn(entity: Partial<Entity>): Ref[] {
  const nearestFirst = [...refsIn(entity.parentContainers?.containers), ...refsIn(entity.parentNodes?.nodes), ...refsIn(entity.parentDomains?.domains), ...refsIn(entity.parentApplications?.applications)];
  return [...nearestFirst.toReversed(), ...refsIn([entity.flow ?? null, entity.parent ?? null])];
}

/** Reads a stored deprecation. An asset that is no longer deprecated keeps the record with deprecated: false. */
export const deprecationIn = (value: Entity["deprecation"]): Asset["deprecation"] =>
  value?.deprecated === true
    ? { note: textIn(value.note), until: timeIn(value.decommissionTime), by: refIn(value.actorEntity)?.name ?? "", successor: textIn(value.replacement?.urn) }
    : null;

function assetName({ props, edited, name, username, title, fieldPath, instanceId }: Partial<Entity>, urn: string): string {
  const said = [edited?.displayName, edited?.name, props?.displayName, props?.name, props?.fullName, title, name, fieldPath, instanceId, username];
  return said.map(textIn).find((text) => text.trim() !== "") ?? shortOf(urn);
}

function keptIn(urn: string, answer: Answer): Kept | undefined {
  const owned = numberIn(answer.owned?.total);
  if (owned === undefined) {
    return undefined;
  }
  const failing = failingDatasetsIn(answer.failing);
  return { owned, described: numberIn(answer.described?.total) ?? 0, troubled: numberIn(answer.troubled?.total) ?? 0, failing: failingIn(failing, urn), atLeast: !failing.complete };
}

// Values edited by users take precedence over values from the directory.
function cardIn({ props, edited, teams, state, members }: Partial<Entity>): Card {
  const known = endsIn(teams?.relationships);
  return {
    work: [textIn(edited?.title) || textIn(props?.title), textIn(props?.departmentName)].filter(Boolean).join(", "),
    email: textIn(edited?.email) || textIn(props?.email),
    slack: textIn(edited?.slack) || textIn(props?.slack),
    phone: textIn(edited?.phone),
    skills: textsIn(edited?.skills),
    manager: refIn(props?.manager),
    teams: known,
    teamCount: Math.max(numberIn(teams?.total) ?? 0, known.length),
    suspended: state === "SUSPENDED",
    members: numberIn(members?.total),
  };
}

const reportsIn = (value: Answer["reports"]): Asset["dashboards"] => {
  const total = numberIn(value?.total);
  return total === undefined ? undefined : { total, partial: value?.isPartial === true };
};

// The length of a list; undefined if the object with the list was not requested, 0 if it is missing.
const lengthIn = <Value,>(value: Value | null | undefined, listOf: (value: Value) => readonly unknown[] | null | undefined) => (value === undefined ? undefined : listIn(value && listOf(value)).length);

const sumOf = (...counts: readonly (number | undefined)[]) => {
  const known = counts.filter((count) => count !== undefined);
  return known.length > 0 ? known.reduce((sum, count) => sum + count, 0) : undefined;
};

/** Reads the response of the asset header query. */
export function assetIn(urn: string, data: Answer | null): Asset {
  const type = typeOf(urn);
  const answer = data ?? {};
  const entity: Partial<Entity> = answer.entity ?? {};
  const { props, edited, forms, tests } = entity;
  const platform = refIn(entity.platform);
  const label = textIn(entity.platform?.properties?.displayName);
  const profile = listIn(entity.profile)[0];
  // With view authorization, the response for a stored entity that the actor may not view contains only the URN.
  const hidden = answer.entityExists === true && entity.exists === false;
  return {
    urn,
    type,
    name: assetName(entity, urn),
    subType: textsIn(entity.subTypes?.typeNames)[0] ?? textIn(entity.subType),
    platform: platform && { urn: platform.urn, name: label || platform.name },
    path: pathIn(entity),
    description: textIn(props?.description) || textIn(entity.description) || textIn(listIn(entity.documentation?.documentations)[0]?.documentation),
    edited: textIn(edited?.description),
    externalUrl: textIn(props?.externalUrl),
    exists: answer.entityExists !== false && (entity.exists !== false || hidden),
    removed: entity.status?.removed === true,
    restricted: hidden || entity.type === "RESTRICTED",
    deprecation: deprecationIn(entity.deprecation),
    health: healthIn(entity.health),
    owners: ownersIn(entity.ownership?.owners),
    tags: tagsIn(entity.tags),
    terms: termsIn(entity.glossaryTerms),
    domain: refIn(entity.domain?.domain),
    products: endsIn(entity.products?.relationships),
    applications: refsIn(listIn(entity.applications).map(({ application }) => application)),
    properties: propertiesIn(entity.structuredProperties),
    custom: listIn(props?.customProperties).map(({ key, value }) => ({ key: textIn(key), value: textIn(value) })),
    links: linksIn(entity.institutionalMemory?.elements),
    updated: timeIn(listIn(entity.operations)[0]?.lastUpdatedTimestamp) ?? timeIn(props?.lastRefreshed) ?? timeIn(props?.lastModified?.time),
    rows: numberIn(profile?.rowCount),
    columns: numberIn(profile?.columnCount),
    people: numberIn(entity.stats?.uniqueUserCountLast30Days),
    dashboards: reportsIn(answer.reports),
    fields: lengthIn(entity.columns, ({ fields }) => fields),
    lineage: sumOf(numberIn(entity.upstream?.total), numberIn(entity.downstream?.total)),
    governance: sumOf(
      lengthIn(forms, ({ incompleteForms }) => incompleteForms),
      lengthIn(forms, ({ completedForms }) => completedForms),
      lengthIn(tests, ({ passing }) => passing),
      lengthIn(tests, ({ failing }) => failing),
    ),
    checks: numberIn(entity.checks?.total),
    queries: numberIn(answer.queries?.total),
    runs: numberIn(entity.runs?.total),
    lastRun: runIn(listIn(entity.runs?.runs)[0]) ?? undefined,
    held: numberIn(answer.held?.total) ?? numberIn(entity.held?.total),
    kept: keptIn(urn, answer),
    offered: numberIn(answer.offered?.total),
    below: numberIn(entity.below?.total),
    card: type === "corpuser" || type === "corpGroup" ? cardIn(entity) : undefined,
    has: partsOf(type),
    may: flagsIn(entity.privileges),
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
