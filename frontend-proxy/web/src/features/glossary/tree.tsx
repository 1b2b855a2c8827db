import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore, type CSSProperties, type ReactNode } from "react";
import { Link } from "wouter";

import { DownIcon, LockIcon, RightIcon, TermIcon } from "../../components/icons";
import { Bones, Failure, Find } from "../../components/parts";
import { assetPath } from "../../lib/asset";
import { pageIn } from "../../lib/found";
import { run } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import { scrollNearEdge, useDrag, type Drag } from "./drag";
import { aboveIn, entryIn, type Entry } from "./entry";
import styles from "./glossary.module.css";
import { FindEntries } from "./glossary.operations";
import { levelQuery, openGroups, top, type Level } from "./levels";

interface Props {
  /** The URN of the selected entry. */
  here: string;
  /** False until the parents of that entry are known. */
  ready: boolean;
  actions: ReactNode;
}

/** The tree of groups and terms, loaded by level, with a search field. The server performs the search. */
export function Tree({ here, ready, actions }: Props) {
  const [text, setText] = useState("");
  const [sought] = useDebouncedValue(text.trim(), 200);
  const open = useSyncExternalStore(openGroups.subscribe, openGroups.get);
  const urns = [top, ...open];
  const levels = useQueries({ queries: urns.map((urn) => ({ ...levelQuery(urn), enabled: ready })) });
  const byUrn = new Map(urns.map((urn, at) => [urn, levels[at]?.data]));
  const first = levels[0];
  // The page of an entry expands its parents, and reads their levels together with the top level.
  const overview = here === top ? first?.data : undefined;
  useEffect(() => overview && openGroups.begin(overview), [overview]);
  const drag = useDrag();
  const failed = levels.find(({ error }) => error);
  return (
    <aside className={styles["tree"]} aria-label="Glossary" {...(drag.moved ? { onDragOver: scrollNearEdge } : {})}>
      <header {...drag.target({ urn: top, name: "the top", path: [] })}>
        <h2>
          <Link href="/glossary">Glossary</Link>
        </h2>
        {first?.data?.terms !== undefined && (
          <span className="faint num" title={counted(first.data.terms, "term")}>
            {numberText(first.data.terms)}
          </span>
        )}
        <span className="end">{actions}</span>
      </header>
      <div className={`row ${styles["find"]}`}>
        <Find label="Find a term" value={text} onChange={setText} />
      </div>
      {sought !== "" ? (
        <Found text={sought} here={here} />
      ) : failed && !first?.data ? (
        <div className={styles["note"]}>
          <Failure what="the glossary" error={failed.error} onRetry={() => levels.forEach((each) => void each.refetch())} />
        </div>
      ) : first?.data ? (
        <Branch level={first.data} levels={byUrn} open={open} drag={drag} here={here} depth={0} label="Terms and groups" path={[]} />
      ) : (
        <div className={styles["note"]}>
          <Bones rows={6} what="the glossary" />
        </div>
      )}
      {drag.moved && <DragNote {...drag} name={drag.moved.entry.name} />}
    </aside>
  );
}

// Describes the effect of a drop at the current position.
function DragNote({ name, over, refusal }: Pick<Drag, "over" | "refusal"> & { name: string }) {
  return (
    <p className={`small ${styles["dragging"]}`} role="status">
      {refusal && <LockIcon size={14} stroke={1.5} aria-hidden />}
      <span className="break">{refusal ?? (over ? `Drop to move ${name} ${over.urn === top ? "to the top" : `into ${over.name}`}.` : `Drop ${name} on a group, or on Glossary for the top. Esc leaves it.`)}</span>
    </p>
  );
}

interface BranchProps {
  drag: Drag;
  level: Level;
  levels: ReadonlyMap<string, Level | undefined>;
  open: ReadonlySet<string>;
  here: string;
  depth: number;
  label: string;
  /** The parent groups, which cut off cycles. */
  path: readonly string[];
}

function Branch({ drag, level, levels, open, here, depth, label, path }: BranchProps) {
  return (
    <>
      <ul aria-label={label}>
        {level.entries.map((entry) => {
          const isOpen = entry.group && open.has(entry.urn) && !path.includes(entry.urn);
          const below = isOpen ? levels.get(entry.urn) : undefined;
          return (
            <li key={entry.urn}>
              <Line drag={drag} entry={entry} open={isOpen} here={here} depth={depth} path={path} />
              {isOpen && !below && (
                <div className={styles["note"]}>
                  <Bones rows={2} what={entry.name} />
                </div>
              )}
              {below && <Branch drag={drag} level={below} levels={levels} open={open} here={here} depth={depth + 1} label={entry.name} path={[...path, entry.urn]} />}
            </li>
          );
        })}
      </ul>
      {level.total > level.entries.length && (
        <p className={`faint small num ${styles["note"]}`}>
          {numberText(level.entries.length)} of {numberText(level.total)} are shown. Find the others by name.
        </p>
      )}
    </>
  );
}

interface LineProps {
  entry: Entry;
  here: string;
  depth: number;
  open?: boolean;
  beside?: string;
  /** The drag state, and the parent groups. */
  drag?: Drag;
  path?: readonly string[];
}

function Line({ entry, open, here, depth, beside, drag, path }: LineProps) {
  const Twist = open ? DownIcon : RightIcon;
  const above = path ?? [];
  return (
    <div
      className={styles["entry"]}
      style={{ "--depth": `${8 + Math.min(depth, 8) * 18}px` } as CSSProperties}
      data-here={entry.urn === here}
      data-dragged={drag?.moved?.entry.urn === entry.urn || undefined}
      {...(entry.group && drag?.target({ urn: entry.urn, name: entry.name, path: above }))}
    >
      {entry.group && open !== undefined ? (
        <button
          type="button"
          className={styles["twist"]}
          aria-expanded={open}
          aria-label={`${open ? "Close" : "Open"} ${entry.name}`}
          onClick={() => openGroups.set([entry.urn], !open)}
        >
          <Twist size={14} stroke={1.5} aria-hidden />
        </button>
      ) : (
        <span className={styles["leaf"]}>
          <TermIcon size={14} stroke={1.5} aria-hidden />
        </span>
      )}
      <Link href={assetPath(entry.urn)} title={beside ? `${entry.name}, in ${beside}` : entry.name} {...drag?.source({ entry, from: above.at(-1) ?? top })} {...(entry.urn === here ? { "aria-current": "page" as const } : {})}>
        <span className="clip" dir="auto">
          {entry.name}
        </span>
      </Link>
      {entry.group && entry.count > 0 && <span className="faint small num">{numberText(entry.count)}</span>}
    </div>
  );
}

const mostFound = 50;

function Found({ text, here }: { text: string; here: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["glossary", "find", text],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { data: answer } = await run(
        FindEntries,
        { input: { types: ["GLOSSARY_TERM", "GLOSSARY_NODE"], query: text, start: 0, count: mostFound, searchFlags: { skipAggregates: true, skipHighlighting: true } } },
        signal,
      );
      return pageIn(answer.searchAcrossEntities, (entity) => entryIn(entity).map((entry) => ({ entry, beside: aboveIn(entity.parentNodes).map(({ name }) => name).join(" / ") })));
    },
  });
  if (error) {
    return (
      <div className={styles["note"]}>
        <Failure what="the terms" error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!data) {
    return (
      <div className={styles["note"]}>
        <Bones rows={4} what="the terms" />
      </div>
    );
  }
  return (
    <>
      <ul aria-label="Found">
        {data.items.map(({ entry, beside }) => (
          <li key={entry.urn}>
            <Line entry={entry} here={here} depth={0} beside={beside} />
          </li>
        ))}
      </ul>
      <p className={`faint small num ${styles["note"]}`} role="status">
        {data.total === 0 ? "No term matches." : data.total > data.items.length ? `${numberText(data.items.length)} of ${numberText(data.total)} are shown.` : `${counted(data.total, "match", "matches")}`}
      </p>
    </>
  );
}
