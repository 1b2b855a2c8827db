import { hashKey, type QueryClient, type QueryKey } from "@tanstack/react-query";

// The optimistic updates of one cached response.
interface Updates {
  /** The response as received, to which the updates are applied. */
  read: unknown;
  /** The updates in order of creation. They stay until all are done, because no newer response is read before. */
  applied: ((data: unknown) => unknown)[];
  /** The number of updates not done yet, and the number of updates ever begun. */
  pending: number;
  begun: number;
  /** Settles when the last update settles, and never rejects. */
  last: Promise<unknown>;
}

const byClient = new WeakMap<QueryClient, Map<string, Updates>>();

function updatesOf(client: QueryClient, queryKey: QueryKey): Updates {
  const all = byClient.get(client) ?? new Map<string, Updates>();
  byClient.set(client, all);
  const hash = hashKey(queryKey);
  const updates = all.get(hash) ?? { read: undefined, applied: [], pending: 0, begun: 0, last: Promise.resolve() };
  all.set(hash, updates);
  return updates;
}

interface Update<Data> {
  /** The key of the response that is updated. Its query function must come from readSettled. */
  queryKey: QueryKey;
  /** Computes the expected response. */
  expected: (before: Data) => Data;
  /** Sends the change to the server. */
  act: () => Promise<unknown>;
  /** The key prefix of the queries that are invalidated afterwards; defaults to queryKey. */
  invalidated?: QueryKey;
}

/**
 * Shows the expected result of a change at once. If the server refuses the change, it reverts the result and
 * throws the error. Changes of the same response reach the server in their order; a refusal reverts no other
 * change.
 */
export async function updateOptimistically<Data>(client: QueryClient, { queryKey, expected, act, invalidated = queryKey }: Update<Data>): Promise<void> {
  const updates = updatesOf(client, queryKey);
  const show = () => {
    if (updates.read !== undefined) {
      const shown = updates.applied.reduce<unknown>((data, apply) => apply(data), updates.read);
      client.setQueryData<unknown>(queryKey, shown);
    }
  };
  if (updates.pending === 0) {
    updates.read = client.getQueryData(queryKey);
  }
  const update = (before: unknown) => expected(before as Data);
  updates.applied.push(update);
  updates.pending++;
  updates.begun++;
  show();
  const done = updates.last.then(act);
  updates.last = done.catch(() => undefined);
  try {
    await done;
  } catch (error) {
    updates.applied = updates.applied.filter((each) => each !== update);
    show();
    throw error;
  } finally {
    updates.pending--;
    if (updates.pending === 0) {
      updates.applied = [];
      updates.read = undefined;
      void client.invalidateQueries({ queryKey: invalidated });
    }
  }
}

interface Reading {
  client: QueryClient;
  queryKey: QueryKey;
  signal: AbortSignal;
}

/**
 * Wraps a query function whose response is updated optimistically: it reads after the pending changes, and
 * again if a change began meanwhile. Thus a response from before a change never replaces the optimistic
 * result.
 */
export function readSettled<Data>(read: (signal: AbortSignal) => Promise<Data>): (reading: Reading) => Promise<Data> {
  return async function readAfterUpdates(reading): Promise<Data> {
    const updates = updatesOf(reading.client, reading.queryKey);
    await settled(updates);
    reading.signal.throwIfAborted();
    const { begun } = updates;
    const data = await read(reading.signal);
    return updates.begun === begun ? data : readAfterUpdates(reading);
  };
}

// Further changes may begin during the wait.
async function settled(updates: Updates): Promise<void> {
  await updates.last;
  return updates.pending > 0 ? settled(updates) : undefined;
}
