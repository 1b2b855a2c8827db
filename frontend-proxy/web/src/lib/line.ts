import { listIn, numberIn, textIn, timeIn } from "./answer";
import { kindOf, typeOf } from "./asset";
import { entitiesIn } from "./found";
import { healthText, type Health } from "./health";
import { nameIn, platformName, type Named } from "./name";
import { shortOf } from "./text";

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

type Text = string | null | undefined;
type List<Item> = readonly (Item | null)[] | null | undefined;
type Described = { readonly description?: Text; readonly lastModified?: { readonly time: number | null } | null } | null | undefined;

/** An asset as operations select it for a list. Every member may be missing. */
export type Listed = Named & {
  readonly type?: Text;
  readonly description?: Text;
  readonly featureNamespace?: Text;
  readonly properties?: Described;
  readonly editableProperties?: Described;
  readonly info?: Described;
  readonly platform?: Named | null;
  readonly subTypes?: { readonly typeNames: List<string> } | null;
  readonly dataFlow?: (Named & { readonly platform?: Named | null }) | null;
  readonly parent?: Named | null;
  readonly parentContainers?: { readonly containers: List<Named> } | null;
  readonly parentNodes?: { readonly nodes: List<Named> } | null;
  readonly parentDomains?: { readonly domains: List<Named> } | null;
  readonly deprecation?: { readonly deprecated: boolean | null } | null;
  readonly tags?: { readonly tags: List<{ readonly tag: (Named & { readonly properties: { readonly colorHex: Text } | null }) | null }> } | null;
  readonly glossaryTerms?: { readonly terms: List<{ readonly term: Named | null }> } | null;
  readonly ownership?: { readonly owners: List<{ readonly owner: Named | null }> } | null;
  readonly health?: List<Health>;
  readonly statsSummary?: { readonly uniqueUserCountLast30Days: number | null } | null;
};

const step = (entity: Named): Step => ({ name: nameIn(entity), urn: textIn(entity.urn) || undefined });

function stepsOf({ parentContainers, parentNodes, parentDomains, dataFlow, featureNamespace, parent }: Listed): Step[] {
  const namespace = textIn(featureNamespace);
  const holder = textIn(parent?.urn);
  return [
    ...listIn(parentContainers?.containers).map(step).toReversed(),
    ...listIn(parentNodes?.nodes).map(step).toReversed(),
    ...listIn(parentDomains?.domains).map(step).toReversed(),
    ...(dataFlow && textIn(dataFlow.urn) ? [step(dataFlow)] : []),
    ...(namespace ? [{ name: namespace }] : []),
    ...(holder ? [{ name: shortOf(holder), urn: holder }] : []),
  ];
}

/** The state of an asset from its health entries. Failures take precedence over warnings, and warnings over success. */
export function stateIn(health: readonly Health[]): State | undefined {
  const wrong = health.find(({ status }) => status === "FAIL") ?? health.find(({ status }) => status === "WARN");
  if (wrong) {
    const one = wrong.type === "INCIDENTS" ? "Has an open incident" : "Has a failing check";
    return { tone: wrong.status === "WARN" ? "warn" : "bad", text: healthText(wrong) || one };
  }
  const passing = health.find(({ status, type }) => status === "PASS" && type === "ASSERTIONS");
  return passing && { tone: "ok", text: healthText(passing) };
}

/** Reads the list properties of an asset from a response. Missing, null or unknown members yield empty values. */
export function lineOf(entity: Listed & { readonly urn: string }): Line {
  const { urn, properties, editableProperties, info } = entity;
  return {
    urn,
    type: textIn(entity.type) || typeOf(urn),
    name: nameIn(entity),
    subType: textIn(listIn(entity.subTypes?.typeNames)[0]) || undefined,
    platform: platformName(entity.platform) ?? platformName(entity.dataFlow?.platform),
    steps: stepsOf(entity),
    description: [editableProperties?.description, properties?.description, info?.description, entity.description].map(textIn).find(Boolean) ?? "",
    deprecated: entity.deprecation?.deprecated === true,
    tags: entitiesIn(listIn(entity.tags?.tags).map(({ tag }) => tag)).map((tag) => ({ urn: tag.urn, name: nameIn(tag), colour: textIn(tag.properties?.colorHex) || undefined })),
    terms: entitiesIn(listIn(entity.glossaryTerms?.terms).map(({ term }) => term)).map((term) => ({ urn: term.urn, name: nameIn(term) })),
    owners: ownersOf(entity),
    state: stateIn(listIn(entity.health)),
    people: numberIn(entity.statsSummary?.uniqueUserCountLast30Days),
    changedAt: timeIn(properties?.lastModified?.time),
  };
}

// An owner with several ownership types is listed once.
function ownersOf({ ownership }: Listed): OwnerOf[] {
  const owners = entitiesIn(listIn(ownership?.owners).map(({ owner }) => owner));
  return owners
    .filter(({ urn }, at) => owners.findIndex((other) => other.urn === urn) === at)
    .map((owner) => ({ urn: owner.urn, name: nameIn(owner), shape: typeOf(owner.urn) === "corpGroup" ? "group" : "person" }));
}

/** The kind of an asset: the platform's name for it, otherwise the catalog's. */
export const kindText = ({ subType, type }: Pick<Line, "subType" | "type">) => subType ?? kindOf(type).one;
