import { at, listIn, numberIn, textIn } from "../../lib/loose";
import { shortOf } from "../../lib/text";
import { once, refsIn, type Ref } from "../entities/refs";

/** A structured property with the values that an asset has for it. */
export interface Property {
  urn: string;
  name: string;
  description: string;
  values: readonly (string | number)[];
  /** The type of its values, as string, number, date, urn, rich_text. */
  kind: string;
  many: boolean;
  immutable: boolean;
  hidden: boolean;
  allowed: readonly { value: string | number; description: string }[];
  /** The types that values of type urn may be of, as GraphQL spells them; all if there are none. */
  types: readonly string[];
  /** The platforms whose assets may have it; all if there are none. */
  platforms: readonly string[];
  /** What values of type urn point to. */
  refs: readonly Ref[];
}

const valueIn = (value: unknown): string | number | undefined => {
  const number = numberIn(at(value, "numberValue"));
  return number ?? (textIn(at(value, "stringValue")) || undefined);
};

/** A structured property by its definition, without values. */
export function propertyIn(value: unknown): Property | null {
  const urn = textIn(at(value, "urn"));
  const definition = at(value, "definition");
  return urn
    ? {
        urn,
        name: textIn(at(definition, "displayName")) || textIn(at(definition, "qualifiedName")) || shortOf(urn),
        description: textIn(at(definition, "description")),
        values: [],
        kind: shortOf(textIn(at(definition, "valueType", "urn"))).replace(/^datahub\./u, ""),
        many: textIn(at(definition, "cardinality")) === "MULTIPLE",
        immutable: at(definition, "immutable") === true,
        hidden: at(value, "settings", "isHidden") === true,
        allowed: listIn(at(definition, "allowedValues")).flatMap((each) => {
          const one = valueIn(at(each, "value"));
          return one === undefined ? [] : [{ value: one, description: textIn(at(each, "description")) }];
        }),
        types: listIn(at(definition, "typeQualifier", "allowedTypes")).flatMap((each) => textIn(at(each, "info", "type")) || []),
        platforms: refsIn(at(definition, "allowedPlatforms")).map((each) => each.urn),
        refs: [],
      }
    : null;
}

/** The structured properties of an asset with their values, each once. */
export const propertiesIn = (value: unknown): Property[] =>
  once(
    listIn(at(value, "properties")).flatMap((each): Property[] => {
      const property = propertyIn(at(each, "structuredProperty"));
      return property ? [{ ...property, values: listIn(at(each, "values")).flatMap((one) => valueIn(one) ?? []), refs: refsIn(at(each, "valueEntities")) }] : [];
    }),
  );
