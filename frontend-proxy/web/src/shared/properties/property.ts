import { listIn, numberIn, textIn } from "../../lib/answer";
import { shortOf } from "../../lib/text";
import type { Named } from "../../lib/name";
import { once, refsIn, type Ref } from "../entities/refs";
import type { PropertyDefinedFragment } from "./definition.operations";

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

type List<Element> = readonly (Element | null)[] | null | undefined;

interface Value {
  numberValue?: number | null;
  stringValue?: string | null;
}

/** The definition of a structured property in a response. */
type Defined = Partial<PropertyDefinedFragment> & { settings?: { isHidden: boolean | null } | null };

const valueIn = (value: Value | null | undefined): string | number | undefined => numberIn(value?.numberValue) ?? (textIn(value?.stringValue) || undefined);

/** Reads the definition of a structured property, without values. */
export function propertyIn(value: Defined | null | undefined): Property | null {
  const urn = textIn(value?.urn);
  const definition = value?.definition;
  return urn
    ? {
        urn,
        name: textIn(definition?.displayName) || textIn(definition?.qualifiedName) || shortOf(urn),
        description: textIn(definition?.description),
        values: [],
        kind: shortOf(textIn(definition?.valueType?.urn)).replace(/^datahub\./u, ""),
        many: textIn(definition?.cardinality) === "MULTIPLE",
        immutable: definition?.immutable === true,
        hidden: value?.settings?.isHidden === true,
        allowed: listIn(definition?.allowedValues).flatMap((each) => {
          const one = valueIn(each.value);
          return one === undefined ? [] : [{ value: one, description: textIn(each.description) }];
        }),
        types: listIn(definition?.typeQualifier?.allowedTypes).flatMap((each) => textIn(each.info?.type) || []),
        platforms: refsIn(definition?.allowedPlatforms).map((each) => each.urn),
        refs: [],
      }
    : null;
}

/** The structured properties of an asset with values, without duplicates. */
export const propertiesIn = (value: { properties: List<{ structuredProperty: Defined | null; values: List<Value>; valueEntities?: List<Named> }> } | null | undefined): Property[] =>
  once(
    listIn(value?.properties).flatMap((each): Property[] => {
      const property = propertyIn(each.structuredProperty);
      return property ? [{ ...property, values: listIn(each.values).flatMap((one) => valueIn(one) ?? []), refs: refsIn(each.valueEntities) }] : [];
    }),
  );
