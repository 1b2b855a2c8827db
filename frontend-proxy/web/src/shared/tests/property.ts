import { words } from "../../lib/text";

// Labels of common properties. A flag is named after the property that it covers.
const known: Readonly<Record<string, string>> = {
  urn: "URN",
  entityType: "type",
  origin: "environment",
  hasOwners: "owners",
  hasDescription: "description",
  hasTags: "tags",
  hasGlossaryTerms: "glossary terms",
  createdAt: "time of creation",
  lastModifiedAt: "last change",
  "ownership.owners": "owners",
  "ownership.owners.owner": "owner",
  "ownership.owners.typeUrn": "kind of owner",
  "globalTags.tags": "tags",
  "globalTags.tags.tag": "tags",
  "glossaryTerms.terms": "glossary terms",
  "glossaryTerms.terms.urn": "glossary terms",
  "domains.domains": "domain",
  "deprecation.note": "note of the deprecation",
  "deprecation.replacement": "replacement",
  "upstreamLineage.upstreams.dataset": "upstream datasets",
  "relationships.DownstreamOf.incoming": "downstream assets",
  "usageFeatures.queryCountPercentileLast30Days": "queries in 30 days, as a percentile",
  "usageFeatures.queryCountLast30Days": "queries in 30 days",
  "storageFeatures.rowCount": "rows",
};

const flags = new Set(["hasOwners", "hasDescription", "hasTags", "hasGlossaryTerms"]);

/** Reports whether a property is a flag for the presence of another property. */
export const isFlag = (property: string) => flags.has(property);

const low = (name: string) => {
  const text = words(name);
  return text.charAt(0).toLowerCase() + text.slice(1);
};

const keyOf = (urn: string) => urn.replace(/^urn:li:[^:]+:/u, "");

/** Describes a property of a rule: "tags in editable schema metadata" for a path into an aspect. */
export function propertyText(property: string): string {
  if (Object.hasOwn(known, property)) {
    return known[property] ?? property;
  }
  const [head = "", ...rest] = property.split(".");
  if (head === "structuredProperties" && rest.length > 0) {
    return `property ${keyOf(rest.join("."))}`;
  }
  const custom = property.indexOf(".customProperties.");
  if (custom > 0) {
    return `custom property ${property.slice(custom + ".customProperties.".length)}`;
  }
  const [first = "", second = ""] = rest;
  if (head === "timeseries" && rest.length === 4) {
    return `${low(second)} in ${low(first)}, ${rest[2]} of ${rest[3]}`;
  }
  if (head === "relationships" && rest.length === 2) {
    return `${second} ${low(first)}`;
  }
  const last = rest.findLast((part) => part !== "*");
  return last === undefined ? low(head) : `${low(last)} in ${low(head)}`;
}
