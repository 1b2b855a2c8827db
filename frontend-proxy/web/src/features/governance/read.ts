import { queryOptions } from "@tanstack/react-query";

import { run } from "../../lib/request";
import { formsIn, resultsIn } from "./forms";
import { Governance } from "./governance.operations";

/** Asks for the tests and forms of an asset. */
export const governanceQuery = (urn: string) =>
  queryOptions({
    queryKey: ["asset", urn, "governance"],
    queryFn: async ({ signal }) => {
      const { entity } = (await run(Governance, { urn }, signal)).data;
      return { forms: formsIn(entity), results: resultsIn(entity && "testResults" in entity ? entity.testResults : null) };
    },
  });
