// Written by scripts/codegen.mjs from definition.graphql and the schema; not to be edited.
import type { EntityType, PropertyCardinality } from "../../lib/schema";

export type { EntityType, PropertyCardinality };

export type PropertyDefinedFragment = { urn: string | null, definition: { displayName: string | null, qualifiedName: string | null, description: string | null, cardinality: PropertyCardinality | null, immutable: boolean | null, valueType: { urn: string | null } | null, typeQualifier: { allowedTypes: Array<{ info: { type: EntityType | null } | null } | null> | null } | null, allowedPlatforms: Array<{ urn: string | null } | null> | null, allowedValues: Array<{ value: { stringValue?: string | null, numberValue?: number | null } | null, description: string | null } | null> | null } | null };
