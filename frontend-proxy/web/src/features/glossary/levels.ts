import { queryOptions } from "@tanstack/react-query";

import { listIn, numberIn } from "../../lib/answer";
import { entitiesIn, pageIn } from "../../lib/found";
import { readSettled } from "../../lib/optimistic";
import { run } from "../../lib/request";
import { entryIn, inOrder, type Entry } from "./entry";
import { Levels } from "./glossary.operations";

/** The children of a group, or the top level. */
export interface Level {
  entries: Entry[];
  total: number;
  /** The total number of terms; only for the top level. */
  terms?: number;
}

/** The maximum number of entries per level. The search field finds the others. */
export const most = 500;

/** The key of the top level. */
export const top = "";

interface Waiting {
  resolve: (level: Level) => void;
  reject: (reason: unknown) => void;
  signal: AbortSignal;
}

let waiting = new Map<string, Waiting[]>();

// Levels requested at the same time, such as the parents of a term, are read in one request.
async function flush() {
  const asked = waiting;
  waiting = new Map();
  const urns = [...asked.keys()].filter((urn) => urn !== top);
  try {
    const levels = await readLevels(asked.has(top), urns, unlessAllAborted([...asked.values()].flat().map(({ signal }) => signal)));
    for (const [urn, all] of asked) {
      for (const { resolve } of all) {
        resolve(levels.get(urn) ?? { entries: [], total: 0 });
      }
    }
  } catch (error) {
    for (const { reject } of [...asked.values()].flat()) {
      reject(error);
    }
  }
}

// A signal that aborts once all given signals are aborted, because the request serves several callers.
function unlessAllAborted(signals: readonly AbortSignal[]): AbortSignal {
  const abort = new AbortController();
  const look = () => {
    if (signals.every(({ aborted }) => aborted)) {
      abort.abort();
    }
  };
  for (const signal of signals) {
    signal.addEventListener("abort", look);
  }
  look();
  return abort.signal;
}

function readLevel(urn: string, signal: AbortSignal): Promise<Level> {
  return new Promise((resolve, reject) => {
    if (waiting.size === 0) {
      setTimeout(() => void flush(), 0);
    }
    waiting.set(urn, [...(waiting.get(urn) ?? []), { resolve, reject, signal }]);
  });
}

/** The query of a level, which supports optimistic updates. */
export const levelQuery = (urn: string) => queryOptions({ queryKey: ["glossary", "level", urn], queryFn: readSettled((signal) => readLevel(urn, signal)) });

async function readLevels(root: boolean, urns: string[], signal: AbortSignal): Promise<Map<string, Level>> {
  const { data } = await run(Levels, { root, urns, most, children: { types: ["GLOSSARY_NODE", "GLOSSARY_TERM"], query: "*", count: most } }, signal);
  const levels = new Map<string, Level>();
  if (root) {
    const { getRootGlossaryNodes: nodes, getRootGlossaryTerms: terms } = data;
    levels.set(top, {
      entries: inOrder([...listIn(nodes?.nodes), ...listIn(terms?.terms)].flatMap(entryIn)),
      total: (numberIn(nodes?.total) ?? 0) + (numberIn(terms?.total) ?? 0),
      terms: numberIn(data.terms?.total) ?? 0,
    });
  }
  for (const { urn, glossaryChildrenSearch } of entitiesIn(data.entities)) {
    const { items, total } = pageIn(glossaryChildrenSearch, entryIn);
    levels.set(urn, { entries: inOrder(items), total });
  }
  return levels;
}

let opened: ReadonlySet<string> = new Set();
let touched = false;
const listeners = new Set<() => void>();

/** The expanded groups of the tree, which persist between pages of the glossary. */
export const openGroups = {
  get: () => opened,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  /** Expands a single group at the top level, unless the user has already expanded or collapsed groups. */
  begin: ({ entries }: Level) => {
    const groups = entries.filter(({ group }) => group);
    if (!touched && groups.length === 1) {
      openGroups.set(groups.map(({ urn }) => urn), true);
    }
  },
  set: (urns: Iterable<string>, open: boolean) => {
    const after = new Set(opened);
    for (const urn of urns) {
      if (open) {
        after.add(urn);
      } else {
        after.delete(urn);
      }
    }
    if (after.size !== opened.size) {
      opened = after;
      touched = true;
      for (const tell of listeners) {
        tell();
      }
    }
  },
};
