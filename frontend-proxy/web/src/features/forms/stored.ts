import { useQuery } from "@tanstack/react-query";

import { listIn, textIn, textsIn } from "../../lib/answer";
import { send } from "../../lib/request";
import { groupsIn, type Assignment, type Group } from "./rule";

/** A stored prompt. Members that the page does not show are preserved. */
interface Prompt {
  id?: string | null;
  title?: string | null;
  description?: string | null;
  required?: boolean | null;
}

/** The aspect formInfo. Members that the page does not show are preserved. */
interface FormInfo {
  prompts?: readonly (Prompt | null)[] | null;
  actors?: { ownershipTypes?: readonly (string | null)[] | null } | null;
}

// The entity as the service stores it.
interface Entity {
  formInfo?: { value?: FormInfo | null; systemMetadata?: { version?: string | null } | null } | null;
  dynamicFormAssignment?: { value?: Assignment | null } | null;
}

/** A stored form with data that is missing in GraphQL: the rule that assigns it, and the version of its definition. */
export interface Stored {
  info: FormInfo;
  version: string | null;
  rule: readonly Group[];
  /** The ownership types of respondents, if not all owners are respondents. */
  ownerKinds: readonly string[];
}

const path = "/openapi/v3/entity/form";

/** The REST path of a stored form. */
export const storedPath = (urn: string) => `${path}/${encodeURIComponent(urn)}?aspects=formInfo&aspects=dynamicFormAssignment&systemMetadata=true`;

/** Reads a stored form. */
export async function readStored(urn: string, signal?: AbortSignal): Promise<Stored> {
  const entity = await send<Entity | null>(storedPath(urn), { signal });
  const info = entity?.formInfo?.value ?? {};
  return {
    info,
    version: textIn(entity?.formInfo?.systemMetadata?.version) || null,
    rule: groupsIn(entity?.dynamicFormAssignment?.value),
    ownerKinds: textsIn(info.actors?.ownershipTypes),
  };
}

/** Replaces the prompts of a form if it still has the version that was read. Other parts are unchanged. */
export async function writeQuestions(urn: string, { info, version }: Stored, change: (questions: readonly Prompt[]) => readonly Prompt[]): Promise<void> {
  const value = { ...info, prompts: change(listIn(info.prompts)) };
  await send(`${path}?async=false`, { method: "POST", body: [{ urn, formInfo: { value, headers: { "If-Version-Match": version ?? "-1" } } }] });
}

/** Stores the ownership types of respondents, if not all owners are respondents. */
export async function writeOwnerKinds(urn: string, kinds: readonly string[]): Promise<void> {
  const patch = [{ op: "add", path: "/actors/ownershipTypes", value: kinds }];
  await send(`${path}?async=false`, { method: "PATCH", body: [{ urn, formInfo: { value: { patch, forceGenericPatch: true } } }] });
}

/** Deletes the rule that assigns a form. Assets keep the form. */
export const dropRule = (urn: string) => send(`${path}/${encodeURIComponent(urn)}/dynamicFormAssignment`, { method: "DELETE" });

/**
 * Reports whether the current user may edit forms. Until that is known, or if the request fails, the UI allows it and
 * the server decides.
 */
export function useManages(): boolean {
  const { data } = useQuery({
    queryKey: ["manages-forms"],
    staleTime: 5 * 60_000,
    queryFn: async ({ signal }) => (await send<{ allowed: boolean }>("/openapi/v1/access/explain?privilege=MANAGE_DOCUMENTATION_FORMS", { signal })).allowed,
  });
  return data ?? true;
}
