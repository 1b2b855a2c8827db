import { useEffect, useRef, useState } from "react";

import { Note } from "../../components/parts";
import { counted } from "../../lib/text";
import type { Check } from "./check";
import type { Read } from "./definition";
import { Problems } from "./preview";
import styles from "./tests.module.css";

// The debounce time before the form follows the text, in ms. Long texts take longer to parse.
const pauseOf = (length: number) => (length > 50_000 ? 800 : 250);

interface Props {
  text: string;
  onText: (text: string) => void;
  check: Check;
  found: Read;
}

/** The definition as text. The field is uncontrolled, so that long texts do not slow down typing. */
export function DefinitionText({ text, onText, check, found }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [first] = useState(text);
  const latest = useRef(onText);
  useEffect(() => {
    latest.current = onText;
  });
  useEffect(() => {
    if (area.current && timer.current === undefined && area.current.value !== text) {
      area.current.value = text; // the form or another user changed the text
    }
  }, [text]);
  const hand = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    if (area.current) {
      latest.current(area.current.value);
    }
  };
  useEffect(() => {
    const field = area.current;
    return () => {
      if (timer.current !== undefined && field) {
        clearTimeout(timer.current);
        latest.current(field.value); // saves pending input on unmount
      }
    };
  }, []);
  return (
    <section aria-label="Definition" className={styles["definition"]}>
      <div className="row">
        <h2>Definition</h2>
        <span className="faint small end">{found.form === null ? "JSON or YAML" : found.format}, {counted(text.length, "character")}</span>
      </div>
      <textarea
        ref={area}
        aria-label="Definition, JSON or YAML"
        defaultValue={first}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={check.problems.length > 0}
        onChange={(event) => {
          clearTimeout(timer.current);
          timer.current = setTimeout(hand, pauseOf(event.currentTarget.value.length));
        }}
        onBlur={() => timer.current !== undefined && hand()}
      />
      {check.problems.length > 0 ? (
        <Problems check={check} />
      ) : (
        check.warnings.map(({ message }) => (
          <Note key={message} tone="warn">
            {message}
          </Note>
        ))
      )}
    </section>
  );
}
