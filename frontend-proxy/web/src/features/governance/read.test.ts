import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";

import { governanceQuery } from "./read";

const table = "urn:li:dataset:(urn:li:dataPlatform:kafka,a,PROD)";
const steward = "urn:li:ownershipType:steward";
const assigned = (urn: string, owners: boolean) => ({ form: { urn, info: { name: urn, type: "COMPLETION", prompts: [], actors: { owners, isAssignedToMe: false } } }, incompletePrompts: [], completedPrompts: [] });

// A fake server. Requests for stored forms get the given status and ownership types.
function serve(status: number, ownershipTypes: readonly string[]) {
  const stored: string[] = [];
  vi.stubGlobal("fetch", (address: string, { body = "" }: { body?: string }) => {
    if (address.includes("/openapi/v3/entity/form/")) {
      stored.push(address);
      return Promise.resolve(new Response(JSON.stringify({ formInfo: { value: { actors: { owners: false, ownershipTypes } } } }), { status }));
    }
    const data = body.includes("listOwnershipTypes")
      ? { listOwnershipTypes: { ownershipTypes: [{ urn: steward, info: { name: "Data Steward" } }] } }
      : { entity: { forms: { incompleteForms: [assigned("urn:li:form:some", false), assigned("urn:li:form:all", true)] } } };
    return Promise.resolve(new Response(JSON.stringify({ data }), { status: 200 }));
  });
  return stored;
}

const read = async () => {
  const { forms } = await new QueryClient({ defaultOptions: { queries: { retry: false } } }).fetchQuery(governanceQuery(table));
  return forms.map(({ urn, ownerTypes }) => [urn, ownerTypes]);
};

afterEach(() => vi.unstubAllGlobals());

it("tells of which types owners fill in a form, and asks it of no form that all owners fill in", async () => {
  const stored = serve(200, [steward, "urn:li:ownershipType:__system__gone"]);
  await expect(read()).resolves.toEqual([
    ["urn:li:form:some", [{ urn: steward, name: "Data Steward" }, { urn: "urn:li:ownershipType:__system__gone", name: expect.any(String) }]],
    ["urn:li:form:all", []],
  ]);
  expect(stored).toHaveLength(1);
});

it("shows forms whose types of owners cannot be read", async () => {
  serve(403, [steward]);
  await expect(read()).resolves.toEqual([
    ["urn:li:form:some", []],
    ["urn:li:form:all", []],
  ]);
});
