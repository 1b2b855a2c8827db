import { typeInGraphQL } from "../../lib/asset";
import { listIn, textIn, textsIn } from "../../lib/answer";
import { addressOf, conditionText, titleOf, valueText, type Filter } from "../../shared/search/filters";
import type { AndFilterInput, FacetFilterInput } from "./forms.operations";

/** Conditions combined with AND. */
export type Group = readonly Filter[];

/** The asset types that can have forms, as in URNs. */
export const carriers = [
  "dataset",
  "dashboard",
  "chart",
  "dataFlow",
  "dataJob",
  "container",
  "dataProduct",
  "application",
  "domain",
  "glossaryTerm",
  "glossaryNode",
  "mlModel",
  "mlModelGroup",
  "mlFeature",
  "mlFeatureTable",
  "mlPrimaryKey",
  "corpuser",
  "corpGroup",
] as const;

/** A field for rules and its values. */
export interface Field {
  field: string;
  /** The entity types to choose from, as in GraphQL; absent for free text. */
  types?: readonly string[];
  /** Fixed values to choose from. */
  options?: readonly { value: string; label: string }[];
}

/** The fields that the editor supports, in menu order. */
export const fields: readonly Field[] = [
  { field: "_entityType", options: carriers.map((type) => ({ value: typeInGraphQL(type), label: valueText("_entityType", typeInGraphQL(type)) })) },
  { field: "platform", types: ["DATA_PLATFORM"] },
  { field: "domains", types: ["DOMAIN"] },
  { field: "container", types: ["CONTAINER"] },
  { field: "dataProduct", types: ["DATA_PRODUCT"] },
  { field: "owners", types: ["CORP_USER", "CORP_GROUP"] },
  { field: "tags", types: ["TAG"] },
  { field: "glossaryTerms", types: ["GLOSSARY_TERM"] },
  { field: "typeNames" },
  { field: "origin" },
];

const propertyPrefix = "structuredProperties.";

// The URN of the structured property behind a field; empty for other fields.
const propertyOf = (field: string) => (field.startsWith(propertyPrefix) ? `urn:li:structuredProperty:${field.slice(propertyPrefix.length)}` : "");

/** The display name of a field. */
export const fieldTitle = (field: string, nameOf: (urn: string) => string) => (propertyOf(field) ? nameOf(propertyOf(field)) : titleOf(field));

/** The URNs in a rule: values of conditions, and properties used as fields. */
export const urnsIn = (groups: readonly Group[]): string[] => groups.flat().flatMap(({ field, values }) => values.concat(propertyOf(field))).filter((urn) => urn.startsWith("urn:li:"));

// The service stores types as in URNs. Searches and this editor use the GraphQL names.
const known = (field: string, values: readonly string[]) => (field === "_entityType" ? values.map(typeInGraphQL) : values);

type List<Item> = readonly (Item | null)[] | null;

/** The stored rule of a form, the aspect dynamicFormAssignment. */
export interface Assignment {
  filter?: { or?: List<{ and?: List<{ field?: string | null; condition?: string | null; values?: List<string>; value?: string | null; negated?: boolean | null }> }> } | null;
}

/** The groups of a stored rule, combined with OR; empty without a rule. */
export const groupsIn = (aspect: Assignment | null | undefined): Group[] =>
  listIn(aspect?.filter?.or).flatMap(({ and }) => {
    const conditions = listIn(and).flatMap(({ field: name, condition, values: all, value, negated }): Filter[] => {
      const field = textIn(name);
      const values = textsIn(all);
      const one = textIn(value);
      return field ? [{ field, condition: textIn(condition) || "EQUAL", values: known(field, values.length > 0 || one === "" ? values : [one]), negated: negated === true }] : [];
    });
    return conditions.length > 0 ? [conditions] : [];
  });

const criterion = ({ field, values, negated, condition }: Filter): FacetFilterInput => ({ field, values: [...values], negated, condition: condition as NonNullable<FacetFilterInput["condition"]> });

/** Converts groups to the input of the service. */
export const filtersOf = (groups: readonly Group[]): AndFilterInput[] => groups.map((group) => ({ and: group.map(criterion) }));

/** The groups without incomplete conditions. */
export const filled = (groups: readonly Group[]): Group[] =>
  groups.map((group) => group.filter(({ values, condition }) => values.length > 0 || condition === "EXISTS")).filter((group) => group.length > 0);

const joined = (texts: readonly string[], word: string) => (texts.length > 1 ? `${texts.slice(0, -1).join(", ")} ${word} ${texts.at(-1) ?? ""}` : (texts[0] ?? ""));

const conditionWords = (filter: Filter, nameOf: (value: string) => string) => {
  const words = conditionText(filter).replace(/^not exists$/u, "does not exist");
  const values = filter.values.map((value) => (value.startsWith("urn:li:") ? nameOf(value) : valueText(filter.field, value)));
  return [fieldTitle(filter.field, nameOf), words, joined(values, "or")].filter(Boolean).join(" ");
};

/** Describes a rule, one text per group. */
export const ruleWords = (groups: readonly Group[], nameOf: (urn: string) => string): string[] => groups.map((group) => joined(group.map((filter) => conditionWords(filter, nameOf)), "and"));

/** The address of the search for assets that match a rule; null if a search cannot express the rule. */
export function searchOf(groups: readonly Group[]): string | null {
  const [first = []] = groups;
  const any = groups.length > 1;
  if (groups.length === 0 || (any && groups.some((group) => group.length > 1))) {
    return null;
  }
  return `/search?${addressOf({ query: "*", filters: any ? groups.flat() : first, any, view: "", sort: "best", page: 1 }).toString()}`;
}
