import { useMemo, useState } from "react";

import { rendered } from "../lib/markdown";
import { numberText } from "../lib/text";
import { Button } from "./button";
import styles from "./markdown.module.css";
import { Note } from "./parts";

/** Renders Markdown. The parser is large, so only lazily loaded components import this module. */
export default function Markdown({ text }: { text: string }) {
  const { html, rest } = useMemo(() => rendered(text), [text]);
  return (
    <div className={styles["markdown"]} dir="auto">
      {html && <div dangerouslySetInnerHTML={{ __html: html }} />}
      {rest && <Rest key={rest.length} text={rest} whole={html === ""} />}
    </div>
  );
}

// The number of characters of plain text that are added to the page at once.
const piece = 20_000;

function Rest({ text, whole }: { text: string; whole: boolean }) {
  const [shown, setShown] = useState(whole ? piece : 0);
  return (
    <>
      {whole && <Note title="Shown as it is written">Its quotes or lists are nested too deeply to be rendered.</Note>}
      {shown > 0 && <p className={styles["plain"]}>{text.slice(0, shown)}</p>}
      {shown < text.length && (
        <p>
          <Button size="small" onClick={() => setShown(shown + piece)}>
            {`Show more as text, ${numberText(text.length - shown)} characters are left`}
          </Button>
        </p>
      )}
    </>
  );
}
