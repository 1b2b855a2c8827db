import { at, listIn, numberIn, textIn } from "../../lib/loose";
import { shortOf } from "../../lib/text";
import { once, refsIn, type Ref } from "../entities/refs";

/** A structured property with its values on an asset. */
export interface Property {
  urn: string;
  name: string;
  description: string;
  values: readonly (string | number)[];
  /** The value type: string, number, date, urn or rich_text. */
  kind: string;
  many: boolean;
  immutable: boolean;
  hidden: boolean;
  allowed: readonly { value: string | number; description: string }[];
  /** The allowed entity types of URN values, as in GraphQL; empty for all types. */
  types: readonly string[];
  /** The platforms whose assets can have it; empty for all platforms. */
  platforms: readonly string[];
  /** The entities that URN values refer to. */
  refs: readonly Ref[];
}

const valueIn = (value: unknown): string | number | undefined => {
  const number = numberIn(at(value, "numberValue"));
  return number ?? (textIn(at(value, "stringValue")) || undefined);
};

/** Reads the definition of a structured property, without values. */
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

/** The structured properties of an asset with values, without duplicates. */
export const propertiesIn = (value: unknown): Property[] =>
  once(
    listIn(at(value, "properties")).flatMap((each): Property[] => {
      const property = propertyIn(at(each, "structuredProperty"));
      return property ? [{ ...property, values: listIn(at(each, "values")).flatMap((one) => valueIn(one) ?? []), refs: refsIn(at(each, "valueEntities")) }] : [];
    }),
  );
