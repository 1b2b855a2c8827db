import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState, type ReactNode } from "react";

import { Button } from "../../components/button";
import { CloseIcon, DeleteIcon, TickIcon } from "../../components/icons";
import { Code, Note } from "../../components/parts";
import { dayOf, startOf } from "../../lib/day";
import { useNow } from "../../lib/now";
import { problemOf } from "../../lib/problem";
import { send } from "../../lib/request";
import { counted } from "../../lib/text";
import { dateText } from "../../lib/time";
import styles from "./operations.module.css";
import { seriesName } from "./series";
import { sizeWithUnit, type Size } from "./sizes";
import { TaskState } from "./task-state";
import { countsIn, dayProblem, taskIn } from "./truncation";

const year = 365 * 86_400_000;
const path = "/api/gms/operations?action=truncateTimeseriesAspect";

interface Dry {
  day: string;
  text: string;
}

/**
 * Truncates a time series before a date. The steps are the date, a dry run with its result, the typed name, and the
 * progress of the task.
 */
export function Truncate({ size, onClose }: { size: Size; onClose: () => void }) {
  const name = seriesName(size.aspect);
  const queries = useQueryClient();
  const now = useNow();
  const [day, setDay] = useState(() => dayOf(Date.now() - year));
  const [dry, setDry] = useState<Dry | null>(null);
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [answer, setAnswer] = useState<string | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const dayField = useId();
  const nameField = useId();

  const wrongDay = dayProblem(day, now);
  const current = dry?.day === day ? dry : null; // a dry run for another date does not apply
  const call = (dryRun: boolean) =>
    send<{ value?: unknown }>(path, { method: "POST", body: { entityType: size.entity, aspect: size.aspect, endTimeMillis: (startOf(day) ?? 0) - 1, dryRun } });
  const act = async (what: () => Promise<void>) => {
    setBusy(true);
    setError(null);
    try {
      await what();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const tryOut = () =>
    act(async () => {
      setDry(null);
      const { value } = await call(true);
      setDry({ day, text: typeof value === "string" ? value : JSON.stringify(value) });
      setTyped("");
    });
  const remove = () =>
    act(async () => {
      const { value } = await call(false);
      setAnswer(typeof value === "string" ? value : JSON.stringify(value));
      void queries.invalidateQueries({ queryKey: ["tasks"] });
    });
  const counts = current ? countsIn(current.text) : null;
  const task = answer === null ? null : taskIn(answer);

  return (
    <aside className={styles["truncate"]} aria-label={`Truncate ${name}`}>
      <header>
        <h2 ref={title} tabIndex={-1} className="break">
          Truncate {name}
        </h2>
        <Button look="quiet" size="small" label="Close" icon={<CloseIcon size={16} stroke={1.5} aria-hidden />} onClick={onClose} />
      </header>
      <ol>
        <Step number={1} title="Cut-off" done={current !== null || answer !== null}>
          {answer === null ? (
            <form
              className={styles["cut"]}
              onSubmit={(event) => {
                event.preventDefault();
                if (wrongDay === null && !busy) {
                  void tryOut();
                }
              }}
            >
              <label htmlFor={dayField}>Remove everything before</label>
              <div className="row wrap">
                <input id={dayField} type="date" value={day} max={dayOf(now)} onChange={(event) => setDay(event.currentTarget.value)} aria-describedby={wrongDay ? `${dayField}-wrong` : undefined} aria-invalid={wrongDay !== null} />
                <Button type="submit" reason={wrongDay} busy={busy && current === null} look={current ? "plain" : "primary"}>
                  Dry run
                </Button>
              </div>
              {wrongDay && (
                <p className="bad small" id={`${dayField}-wrong`}>
                  {wrongDay}
                </p>
              )}
            </form>
          ) : (
            <p className="muted">
              Everything before <b className="num">{dateText(startOf(day) ?? 0)}</b>.
            </p>
          )}
        </Step>
        <Step number={2} title="Dry run" done={current !== null || answer !== null}>
          {current ? (
            <div role="status">
              <p className="muted">Nothing was removed. The server says:</p>
              <div className={styles["said"]}>
                <Code text={current.text} label="What the dry run says" />
              </div>
              {counts && counts.all > 0 && size.mb !== null && (
                <p className="small muted">
                  Frees about {sizeWithUnit((size.mb * counts.gone) / counts.all).join(" ")}. Charts of this history then begin on {dateText(startOf(day) ?? 0)}.
                </p>
              )}
            </div>
          ) : (
            <p className="muted">It counts what would go, and removes nothing.</p>
          )}
        </Step>
        <Step number={3} title="Confirm" done={answer !== null}>
          {answer !== null ? (
            <p className="muted">Confirmed.</p>
          ) : current && counts?.gone === 0 ? (
            <p className="muted">Nothing is older than {dateText(startOf(day) ?? 0)}, so there is nothing to remove.</p>
          ) : current ? (
            <div className={styles["confirm"]}>
              <Note tone="warn">This cannot be undone. Metadata other than this history is not touched.</Note>
              <div className={styles["cut"]}>
                <label htmlFor={nameField}>
                  Type <code>{name}</code> to go on
                </label>
                <input id={nameField} value={typed} onChange={(event) => setTyped(event.currentTarget.value)} autoComplete="off" spellCheck={false} />
              </div>
            </div>
          ) : (
            <p className="muted">Comes after the dry run.</p>
          )}
        </Step>
        {answer !== null && (
          <Step number={4} title="Removal" done={false}>
            {task ? <TaskState id={task} onEnd={() => void queries.invalidateQueries({ queryKey: ["index-sizes"] })} /> : <Code text={answer} label="What the server says" />}
          </Step>
        )}
      </ol>
      {error !== null && (
        <div className={styles["trouble"]}>
          <Note tone="bad" title="Nothing was removed">
            {problemOf(error).message}
          </Note>
        </div>
      )}
      <footer>
        <Button onClick={onClose}>{answer === null ? "Cancel" : "Close"}</Button>
        {answer === null && (
          <Button
            look="danger"
            icon={<DeleteIcon size={16} stroke={1.5} aria-hidden />}
            busy={busy && current !== null}
            reason={!current ? "Make a dry run first." : counts?.gone === 0 ? "There is nothing to remove." : typed === name ? null : `Type ${name} first.`}
            onClick={() => void remove()}
          >
            {counts ? `Remove ${counted(counts.gone, "document")}` : "Remove them"}
          </Button>
        )}
      </footer>
    </aside>
  );
}

function Step({ number, title, done, children }: { number: number; title: string; done: boolean; children: ReactNode }) {
  return (
    <li data-done={done}>
      <span className={styles["number"]} aria-hidden>
        {done ? <TickIcon size={13} stroke={2} /> : number}
      </span>
      <div>
        <h3>{title}</h3>
        {children}
      </div>
    </li>
  );
}
