import { run } from "../../lib/request";
import { Exists } from "./removed.operations";

/** The subset of entities that no longer exist. */
export async function removedOf(urns: readonly string[]): Promise<ReadonlySet<string>> {
  const answers = await Promise.all(urns.map((urn) => run(Exists, { urn })));
  return new Set(urns.filter((_, at) => answers[at]?.data.entityExists === false));
}
