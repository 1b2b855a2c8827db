import { useId, useMemo, useRef, useState } from "react";

import { Button } from "../../components/button";
import { LeftIcon, RightIcon } from "../../components/icons";
import { CopyButton, Empty, Find, Section, Segments } from "../../components/parts";
import { counted, numberText } from "../../lib/text";
import { linesOf, type Line } from "./report";
import styles from "./ingestion.module.css";

// Logs can have up to a million characters. This many lines are shown at a time.
const few = 500;

/** The log of a run with a search field. */
export function Log({ text }: { text: string }) {
  const lines = useMemo(() => linesOf(text), [text]);
  const troubled = useMemo(() => lines.filter(({ level }) => level !== "info"), [lines]);
  const [sought, setSought] = useState("");
  const [only, setOnly] = useState<"all" | "trouble">("all");
  const [at, setAt] = useState(0);
  const [most, setMost] = useState(few);
  const box = useRef<HTMLDivElement>(null);
  const matches = useId();
  const of = only === "all" ? lines : troubled;
  const word = sought.trim().toLowerCase();
  const found = word === "" ? [] : of.flatMap(({ text: line }, index) => (line.toLowerCase().includes(word) ? [index] : []));
  const shown = of.slice(0, most);
  const chosen = found[Math.min(at, found.length - 1)];
  const go = (next: number) => {
    const index = found[next];
    if (index !== undefined) {
      setAt(next);
      setMost(Math.max(most, index + few / 2));
      requestAnimationFrame(() => box.current?.querySelector('[data-chosen="true"]')?.scrollIntoView({ block: "nearest" }));
    }
  };
  return (
    <Section
      title="Log"
      tools={
        text !== "" && (
          <>
            <span className="faint small num">{counted(lines.length, "line")}</span>
            <CopyButton text={text} label="Copy log" />
          </>
        )
      }
    >
      {text === "" ? (
        <Empty title="No log yet">The executor reports it, at the latest when the run ends.</Empty>
      ) : (
        <>
          <div className={styles["logtools"]}>
            <Find
              label="Find in the log"
              value={sought}
              onChange={(value) => {
                setSought(value);
                setAt(0);
              }}
            />
            {word !== "" && (
              <>
                <span className="muted small num" role="status" id={matches}>
                  {found.length === 0 ? "No match" : `${numberText(Math.min(at, found.length - 1) + 1)} of ${numberText(found.length)}`}
                </span>
                <Button size="small" unlocked label="Match before" reason={at <= 0 || found.length === 0 ? "There is none before." : null} icon={<LeftIcon size={14} stroke={1.5} aria-hidden />} onClick={() => go(at - 1)} />
                <Button size="small" unlocked label="Next match" reason={at >= found.length - 1 ? "There is none behind." : null} icon={<RightIcon size={14} stroke={1.5} aria-hidden />} onClick={() => go(at + 1)} />
              </>
            )}
            <Segments
              label="Which lines"
              size="small"
              value={only}
              options={[
                { value: "all", label: "All" },
                { value: "trouble", label: "Warnings and errors", count: troubled.length },
              ]}
              onChange={(value) => {
                setOnly(value);
                setAt(0);
              }}
            />
          </div>
          {of.length === 0 ? (
            <p className="muted">No line warns or tells of an error.</p>
          ) : (
            /* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- who has no mouse scrolls it by keys */
            <div className={styles["log"]} ref={box} tabIndex={0} role="region" aria-label="Log">
              {shown.map((line, index) => (
                <LogLine key={line.number} line={line} word={word} chosen={index === chosen} />
              ))}
            </div>
          )}
          {of.length > shown.length && (
            <Button size="small" onClick={() => setMost(most + few)}>
              Show {numberText(Math.min(few, of.length - shown.length))} more of {counted(of.length, "line")}
            </Button>
          )}
        </>
      )}
    </Section>
  );
}

function LogLine({ line: { number, text, level }, word, chosen }: { line: Line; word: string; chosen: boolean }) {
  const from = word === "" ? -1 : text.toLowerCase().indexOf(word);
  return (
    <div data-level={level} data-chosen={chosen}>
      <span className={styles["number"]} aria-hidden>
        {number}
      </span>
      <code>
        {level !== "info" && <span className="sr">{level === "warn" ? "Warning: " : "Error: "}</span>}
        {from < 0 ? (
          text
        ) : (
          <>
            {text.slice(0, from)}
            <mark>{text.slice(from, from + word.length)}</mark>
            {text.slice(from + word.length)}
          </>
        )}
      </code>
    </div>
  );
}
