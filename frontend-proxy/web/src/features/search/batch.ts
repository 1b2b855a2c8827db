import { mayPass, problemOf } from "../../lib/problem";

/** An asset that could not be changed, with the reason. */
export interface Refusal {
  urn: string;
  reason: string;
}

const most = 100;
const atOnce = 6;

/**
 * Changes many assets. A rejected call changes none of its assets, so these are then retried one by one, which
 * identifies the rejected ones.
 */
export async function changeAll(urns: readonly string[], send: (urns: string[]) => Promise<unknown>): Promise<{ done: number; refused: Refusal[] }> {
  const refused: Refusal[] = [];
  let done = 0;
  for (let start = 0; start < urns.length; start += most) {
    const some = urns.slice(start, start + most);
    // oxlint-disable-next-line no-await-in-loop -- what fails early ends it early
    const failed = await changeSome(some, send);
    refused.push(...failed);
    done += some.length - failed.length;
  }
  return { done, refused };
}

async function changeSome(urns: readonly string[], send: (urns: string[]) => Promise<unknown>): Promise<Refusal[]> {
  try {
    await send([...urns]);
    return [];
  } catch (error) {
    const problem = problemOf(error);
    if (mayPass(problem) || problem.reason === "signed-out") {
      throw error;
    }
    if (urns.length === 1) {
      return [{ urn: urns[0] ?? "", reason: problem.message }];
    }
  }
  const refused: Refusal[] = [];
  for (let start = 0; start < urns.length; start += atOnce) {
    // oxlint-disable-next-line no-await-in-loop -- a few at a time
    const found = await Promise.all(urns.slice(start, start + atOnce).map((urn) => changeSome([urn], send)));
    refused.push(...found.flat());
  }
  return refused;
}
