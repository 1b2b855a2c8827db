import { hashKey, type QueryClient, type QueryKey } from "@tanstack/react-query";

// The optimistic updates of one cached answer.
interface Updates {
  /** The answer as it was read, to which the updates are applied. */
  read: unknown;
  /** In the order in which they were made. They stay until all are done, since nothing newer is read before. */
  applied: ((data: unknown) => unknown)[];
  /** How many are not done yet, and how many have ever begun. */
  pending: number;
  begun: number;
  /** Settles when the last of them does, and never rejects. */
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
  /** The answer that is updated. It is read by readSettled. */
  queryKey: QueryKey;
  /** What the answer will be. */
  expected: (before: Data) => Data;
  /** Changes it at the server. */
  act: () => Promise<unknown>;
  /** The answers that are read again afterwards, by the beginning of their keys; else the one that is updated. */
  invalidated?: QueryKey;
}

/**
 * Shows what is expected of a change at once, and takes it back when the change is refused, which it throws. Changes of the
 * same answer reach the server in the order in which they were made; refusing one takes back no other.
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
 * Makes a query function of one whose answer is updated optimistically: it reads after the changes under way, and anew when
 * one began meanwhile. An answer from before a change thus never takes the place of what the change has shown.
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

// Others may begin while the last one is awaited.
async function settled(updates: Updates): Promise<void> {
  await updates.last;
  return updates.pending > 0 ? settled(updates) : undefined;
}
