import { run } from "../../lib/request";
import { domainIn } from "./domain";
import { DomainsOf } from "./domains.operations";

/** More than these of one level are not shown; the find field reaches the others. */
export const most = 200;

/** Reads the domains right below one, or those at the top. */
export async function readLevel(parent: string, signal: AbortSignal) {
  const { data } = await run(DomainsOf, { input: { start: 0, count: most, ...(parent ? { parentDomain: parent } : {}) } }, signal);
  return { domains: (data.listDomains?.domains ?? []).flatMap(domainIn), total: data.listDomains?.total ?? 0 };
}
