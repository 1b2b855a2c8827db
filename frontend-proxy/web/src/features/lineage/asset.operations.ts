// Written by scripts/codegen.mjs from asset.graphql and the schema; not to be edited.
import type { EntityType, HealthStatus, HealthStatusType } from "../../lib/schema";

export type { EntityType, HealthStatus, HealthStatusType };

export type LineageAssetFragment = { urn: string | null, type: EntityType | null, platform?: { urn: string | null, name: string | null, properties: { displayName: string | null } | null } | null, subTypes?: { typeNames: Array<string | null> | null } | null, parentContainers?: { containers: Array<{ urn: string | null, properties: { name: string | null } | null } | null> | null } | null, health?: Array<{ type: HealthStatusType | null, status: HealthStatus | null, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number | null } | null> | null } | null> | null, status?: { removed: boolean | null } | null, exists?: boolean | null, deprecation?: { deprecated: boolean | null } | null, ownership?: { owners: Array<{ owner: { urn?: string | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null } | null } | null> | null } | null, properties?: { name: string | null } | null, flowId?: string | null, name?: string | null, jobPlatform?: { urn: string | null, name: string | null, properties: { displayName: string | null } | null } | null, jobId?: string | null, dataFlow?: { urn: string | null, flowId: string | null, properties: { name: string | null } | null } | null, featureNamespace?: string | null };

export type PlatformNameFragment = { urn: string | null, name: string | null, properties: { displayName: string | null } | null };

export type ContainersFragment = { containers: Array<{ urn: string | null, properties: { name: string | null } | null } | null> | null };

export type OwnerNamesFragment = { owners: Array<{ owner: { urn?: string | null, username?: string | null, properties?: { displayName: string | null, fullName: string | null } | null, editableProperties?: { displayName: string | null } | null, name?: string | null } | null } | null> | null };

export type SoundFragment = { type: HealthStatusType | null, status: HealthStatus | null, message: string | null, latestAssertionStatusByType: Array<{ statusCount: number | null } | null> | null };
