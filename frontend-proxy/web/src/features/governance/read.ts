import { queryOptions, type QueryClient } from "@tanstack/react-query";

import { textsIn } from "../../lib/answer";
import { typeOf } from "../../lib/asset";
import { run, send } from "../../lib/request";
import { shortOf } from "../../lib/text";
import { ownershipTypesQuery } from "../../shared/asset/ownership-types";
import { entityPath } from "../../shared/asset/read";
import { formsIn, resultsIn, type Form } from "./assigned";
import { Governance } from "./governance.operations";

/** The query for the tests and the forms of an asset. */
export const governanceQuery = (urn: string) =>
  queryOptions({
    queryKey: ["asset", urn, "governance"],
    queryFn: async ({ signal, client }) => {
      const { entity } = (await run(Governance, { urn }, signal)).data;
      return { forms: await withOwnerTypes(formsIn(entity), client, signal), results: resultsIn(entity?.testResults) };
    },
  });

// GraphQL omits the ownership types of respondents. If they cannot be read, the forms from GraphQL are used
// unchanged.
async function withOwnerTypes(forms: readonly Form[], client: QueryClient, signal: AbortSignal): Promise<Form[]> {
  const types = await Promise.all(forms.map((form) => (form.forOwners || typeOf(form.urn) !== "form" ? [] : readOwnerTypes(form.urn, signal).catch(() => []))));
  const known = types.some((urns) => urns.length > 0) ? await client.ensureQueryData(ownershipTypesQuery).catch(() => []) : [];
  const ownershipType = (urn: string) => ({ urn, name: known.find((each) => each.urn === urn)?.info?.name || shortOf(urn) });
  return forms.map((form, index) => Object.assign({}, form, { ownerTypes: (types[index] ?? []).map(ownershipType) }));
}

interface StoredForm {
  formInfo?: { value?: { actors?: { ownershipTypes?: readonly (string | null)[] | null } | null } | null } | null;
}

async function readOwnerTypes(form: string, signal: AbortSignal): Promise<string[]> {
  const stored = await send<StoredForm | null>(`${entityPath(form)}?aspects=formInfo`, { signal });
  return textsIn(stored?.formInfo?.value?.actors?.ownershipTypes);
}
