import { run } from "../../lib/request";
import { Exists } from "./removed.operations";

/** Which of some entities were removed. */
export async function removedOf(urns: readonly string[]): Promise<ReadonlySet<string>> {
  const answers = await Promise.all(urns.map((urn) => run(Exists, { urn })));
  return new Set(urns.filter((_, at) => answers[at]?.data.entityExists === false));
}
