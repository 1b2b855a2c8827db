import { Checkbox } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";

import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Confirm } from "../../components/dialog";
import { FilterMenu } from "../../components/filters";
import { RefreshIcon } from "../../components/icons";
import { Bones, Failure, Note, Section, Segments } from "../../components/parts";
import { Rows } from "../../components/rows";
import { kindOf } from "../../lib/asset";
import { problemOf } from "../../lib/problem";
import { send } from "../../lib/request";
import { counted } from "../../lib/text";
import styles from "./operations.module.css";
import { bodyOf, doneIn, types, wishProblem, type Scope, type Wish } from "./rebuild";
import type { TabProps } from "./sizes-tab";
import { goesOn, readTasks, tasksPath, type Task } from "./task";
import { taskHead, TaskLine } from "./task-line";

const path = "/api/gms/operations?action=restoreIndices";
const tasks = `${tasksPath("", 0, 20)}&kind=restoreIndices`;

/** Rebuilds search and relationships from stored aspects, with a choice of scope and the result. */
export function RebuildTab({ head }: TabProps) {
  const queries = useQueryClient();
  const [wish, setWish] = useState<Wish>({ scope: "all", type: types[0], urn: "", aspect: "", complete: false });
  const [asks, setAsks] = useState(false);
  const [waits, setWaits] = useState(false);
  const [ended, setEnded] = useState<{ problem: unknown } | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ["tasks", tasks],
    queryFn: ({ signal }) => readTasks(tasks, signal),
    refetchInterval: ({ state: { data: page } }) => (waits || page?.tasks.some(goesOn) ? 1000 : false),
    retry: false,
  });
  const running = data?.tasks.some(goesOn) ?? false;
  // The response arrives when the rebuild ends. The rebuild continues even if no client waits for it.
  const start = () => {
    setWaits(true);
    setEnded(null);
    send(path, { method: "POST", body: bodyOf(wish) })
      .then(
        () => setEnded({ problem: null }),
        (problem: unknown) => setEnded({ problem }),
      )
      .finally(() => {
        setWaits(false);
        void queries.invalidateQueries({ queryKey: ["tasks"] });
      });
  };
  return (
    <>
      {head(
        <>
          <CopyAs call={{ path, method: "POST", body: bodyOf(wish) }} />
          <Button icon={<RefreshIcon size={16} stroke={1.5} aria-hidden />} onClick={() => void refetch()}>
            Refresh
          </Button>
        </>,
      )}
      <p className={`muted ${styles["lead"]}`}>
        Search and relationships follow each write by themselves. Where they do not say what is stored, they are derived from it again, while everything goes on. Nothing that is stored is lost.
      </p>
      <WishForm wish={wish} onChange={setWish} />
      <div className="row wrap">
        <Button look="primary" busy={waits} reason={wishProblem(wish) ?? (running && !waits ? "One goes on. Wait for its end, or cancel it." : null)} onClick={() => setAsks(true)}>
          Rebuild search
        </Button>
        <span className="muted small">It needs the privilege Restore Indices or Manage System Operations.</span>
      </div>
      <div role="status" className={styles["rebuilt"]}>
        {ended && ended.problem === null && <Note tone="ok" title="Search was rebuilt" />}
        {waits && !running && <span className="muted small">It begins.</span>}
      </div>
      {ended !== null && ended.problem !== null && <Ended problem={ended.problem} />}
      <Section title="Rebuilds of the last 30 days">
        {error && !data ? (
          <Failure what="the rebuilds" error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Bones rows={3} what="the rebuilds" />
        ) : data.tasks.length === 0 ? (
          <p className="muted">None. The catalog has followed its writes by itself.</p>
        ) : (
          <Rows label="Rebuilds" head={taskHead} items={data.tasks} keyOf={({ id }) => id} row={(task) => <TaskLine task={task} told={toldOf(task)} />} />
        )}
      </Section>
      {asks && (
        <Confirm title={`Rebuild search for ${scopeText(wish)}?`} verb="Rebuild search" keep="Not now" danger={false} onClose={() => setAsks(false)} onConfirm={() => Promise.resolve(start())}>
          {wish.scope === "all" ? "Each aspect of the catalog is read, which takes long in a large one, and what nothing makes any more is dropped from search. " : "What is chosen is read again. "}
          People go on working meanwhile, and searches may be slower. It can be cancelled.
        </Confirm>
      )}
    </>
  );
}

function scopeText({ scope, type, urn }: Wish): string {
  return scope === "all" ? "everything" : scope === "type" ? `all ${kindOf(type).many}` : urn.trim();
}

function toldOf({ result }: Task): string {
  const done = doneIn(result);
  return done ? `${counted(done.read, "aspect")} derived again${done.added > 0 ? `, ${counted(done.added, "aspect")} added` : ""}` : "";
}

// The page waits two minutes for a response; a rebuild can take longer.
function Ended({ problem }: { problem: unknown }) {
  const { reason, message } = problemOf(problem);
  return reason === "away" ? (
    <Note tone="info" title="The answer did not come in time">
      A rebuild that has begun goes on. It stands below with how far it is.
    </Note>
  ) : (
    <Note tone="bad" title="Search was not rebuilt">
      {message}
    </Note>
  );
}

const scopes: readonly { value: Scope; label: string }[] = [
  { value: "all", label: "Everything" },
  { value: "type", label: "One type" },
  { value: "urn", label: "By URN" },
];

function WishForm({ wish, onChange }: { wish: Wish; onChange: (wish: Wish) => void }) {
  const [urnField, aspectField] = [useId(), useId()];
  const set = (changes: Partial<Wish>) => onChange({ ...wish, ...changes });
  const wrong = wish.urn === "" ? null : wishProblem(wish);
  return (
    <div className={styles["wish"]}>
      <div className="row wrap">
        <Segments label="What is rebuilt" value={wish.scope} options={scopes} onChange={(scope) => set({ scope })} />
        {wish.scope === "type" && <FilterMenu label={`Type: ${kindOf(wish.type).many}`} value={wish.type} options={types.map((value) => ({ value, name: kindOf(value).many }))} onChange={(type) => set({ type })} />}
      </div>
      {wish.scope === "urn" && (
        <div className={styles["cut"]}>
          <label htmlFor={urnField}>URN of an asset, or a pattern with % for any text</label>
          <input id={urnField} className="mono" value={wish.urn} onChange={(event) => set({ urn: event.currentTarget.value })} placeholder="urn:li:dataset:%" autoComplete="off" spellCheck={false} aria-invalid={wrong !== null} aria-describedby={wrong ? `${urnField}-wrong` : undefined} />
          {wrong && (
            <p className="bad small" id={`${urnField}-wrong`}>
              {wrong}
            </p>
          )}
        </div>
      )}
      <div className={styles["cut"]}>
        <label htmlFor={aspectField}>Aspect, if only one</label>
        <input id={aspectField} className="mono" value={wish.aspect} onChange={(event) => set({ aspect: event.currentTarget.value })} placeholder="all of them" autoComplete="off" spellCheck={false} />
      </div>
      <Checkbox size="xs" label="Add what comes with every asset where it is missing, such as its key and its path in Browse" checked={wish.complete} onChange={(event) => set({ complete: event.currentTarget.checked })} />
    </div>
  );
}
