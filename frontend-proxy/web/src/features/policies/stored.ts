import { problemOf } from "../../lib/problem";
import { change, send } from "../../lib/request";
import { DeletePolicy } from "./policies.operations";
import type { Info } from "../../shared/policies/policy";

interface Entity {
  urn: string;
  dataHubPolicyInfo?: { value: Info; systemMetadata?: { version?: string }; auditStamp?: { time?: number; actor?: string } };
}

/** A stored policy, with the version that detects concurrent changes. */
export interface Stored {
  info: Info;
  version: string | null;
  changed: { at: number; by: string } | null;
}

const path = "/openapi/v3/entity/datahubpolicy";

/** Reads a policy with its roles. */
export async function readPolicy(urn: string, signal?: AbortSignal): Promise<Stored | null> {
  const entity = await send<Entity>(`${path}/${encodeURIComponent(urn)}?aspects=dataHubPolicyInfo&systemMetadata=true`, { signal }).catch((error: unknown) => {
    if (problemOf(error).reason === "missing") {
      return null;
    }
    throw error;
  });
  const aspect = entity?.dataHubPolicyInfo;
  if (!aspect) {
    return null;
  }
  const { time, actor } = aspect.auditStamp ?? {};
  return { info: aspect.value, version: aspect.systemMetadata?.version ?? null, changed: time && actor ? { at: time, by: actor } : null };
}

/** Stores a complete policy: a new one, or a replacement of the version that was read. */
export async function writePolicy(urn: string, info: Info, version: string | null): Promise<void> {
  const headers = { "If-Version-Match": version ?? "-1" };
  await send(`${path}?async=false`, { method: "POST", body: [{ urn, dataHubPolicyInfo: { value: { ...info, lastUpdatedTimestamp: Date.now() }, headers } }] });
}

/** Activates or deactivates a policy. The rest of it is unchanged. */
export async function turn(urn: string, on: boolean): Promise<void> {
  const patch = [{ op: "add", path: "/state", value: on ? "ACTIVE" : "INACTIVE" }];
  await send(`${path}?async=false`, { method: "PATCH", body: [{ urn, dataHubPolicyInfo: { value: { patch, forceGenericPatch: true } } }] });
}

export const deletePolicy = (urn: string) => change(DeletePolicy, { urn });

/** Creates a URN for a new policy. randomUUID is missing on pages without TLS. */
export function newUrn(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `urn:li:dataHubPolicy:${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
