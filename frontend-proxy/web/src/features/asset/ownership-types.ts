import { useQuery } from "@tanstack/react-query";

import { run } from "../../lib/request";
import { OwnershipTypes } from "./asset.operations";

/** The ownership types that owners can have, none until they are read. */
export function useOwnershipTypes() {
  const { data } = useQuery({
    queryKey: ["ownership-types"],
    staleTime: 5 * 60_000,
    queryFn: async ({ signal }) => (await run(OwnershipTypes, { input: { start: 0, count: 100 } }, signal)).data.listOwnershipTypes.ownershipTypes,
  });
  return data ?? [];
}
