import { useQuery } from "@tanstack/react-query";

import { at, listIn, members, textIn, textsIn } from "../../lib/loose";
import { send } from "../../lib/request";
import { groupsIn, type Group } from "./rule";

/** A form as it is stored, with what GraphQL does not tell: the rule that assigns it, and the version of its definition. */
export interface Stored {
  info: Readonly<Record<string, unknown>>;
  version: string | null;
  rule: readonly Group[];
  /** The kinds of owners that fill it in, where not all of them do. */
  ownerKinds: readonly string[];
}

const path = "/openapi/v3/entity/form";

/** The address of a form as it is stored. */
export const storedPath = (urn: string) => `${path}/${encodeURIComponent(urn)}?aspects=formInfo&aspects=dynamicFormAssignment&systemMetadata=true`;

/** Reads a form whole. */
export async function readStored(urn: string, signal?: AbortSignal): Promise<Stored> {
  const entity = await send<unknown>(storedPath(urn), { signal });
  const info = members(at(entity, "formInfo", "value"));
  return {
    info,
    version: textIn(at(entity, "formInfo", "systemMetadata", "version")) || null,
    rule: groupsIn(at(entity, "dynamicFormAssignment", "value")),
    ownerKinds: textsIn(at(info, "actors", "ownershipTypes")),
  };
}

/** Stores the questions of a form in the place of the version that was read; the rest of it stays. */
export async function writeQuestions(urn: string, { info, version }: Stored, change: (questions: readonly unknown[]) => readonly unknown[]): Promise<void> {
  const value = { ...info, prompts: change(listIn(info["prompts"])) };
  await send(`${path}?async=false`, { method: "POST", body: [{ urn, formInfo: { value, headers: { "If-Version-Match": version ?? "-1" } } }] });
}

/** Stores which kinds of owners fill a form in, where not all of them do. */
export async function writeOwnerKinds(urn: string, kinds: readonly string[]): Promise<void> {
  const patch = [{ op: "add", path: "/actors/ownershipTypes", value: kinds }];
  await send(`${path}?async=false`, { method: "PATCH", body: [{ urn, formInfo: { value: { patch, forceGenericPatch: true } } }] });
}

/** Takes away the rule that assigns a form. Assets keep it. */
export const dropRule = (urn: string) => send(`${path}/${encodeURIComponent(urn)}/dynamicFormAssignment`, { method: "DELETE" });

/** Whether who looks at the page may change forms. Until it is known, and where it cannot be asked, the server has the word. */
export function useManages(): boolean {
  const { data } = useQuery({
    queryKey: ["manages-forms"],
    staleTime: 5 * 60_000,
    queryFn: async ({ signal }) => (await send<{ allowed: boolean }>("/openapi/v1/access/explain?privilege=MANAGE_DOCUMENTATION_FORMS", { signal })).allowed,
  });
  return data ?? true;
}
