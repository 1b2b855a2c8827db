// Written by scripts/codegen.mjs from sources.graphql and the schema; not to be edited.
import type { EntityType, HealthStatus, HealthStatusType } from "../../lib/schema";

export type { EntityType, HealthStatus, HealthStatusType };

export type SourceFragment = { urn: string | null, type: EntityType | null, name?: string | null, editableProperties?: { name: string | null } | null, properties?: { name: string | null } | null, health?: Array<{ type: HealthStatusType | null, status: HealthStatus | null, message: string | null } | null> | null };
