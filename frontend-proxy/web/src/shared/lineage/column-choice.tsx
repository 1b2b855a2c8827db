import { Popover } from "@mantine/core";
import { useState } from "react";

import { Button } from "../../components/button";
import { DownIcon } from "../../components/icons";
import { Find } from "../../components/parts";
import { numberText } from "../../lib/text";
import { columnName, columnsFound } from "./columns";
import styles from "./column-choice.module.css";

// The maximum number of columns in the list.
const most = 100;

/** A button that opens the list of columns of an asset with a search field. Enter selects the first match. */
export function ColumnMenu({ columns, onChoose, quiet = false }: { columns: readonly string[]; onChoose: (path: string) => void; quiet?: boolean }) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const found = columnsFound(columns, text);
  const [first] = found;
  const choose = (path: string) => {
    setOpen(false);
    setText("");
    onChoose(path);
  };
  return (
    <Popover opened={open} onChange={setOpen} onClose={() => setText("")} trapFocus returnFocus position="bottom-start" shadow="md">
      <Popover.Target>
        <Button {...(quiet ? { size: "small", look: "quiet" } : {})} aria-expanded={open} onClick={() => setOpen(!open)}>
          Column
          <DownIcon size={14} stroke={1.5} aria-hidden />
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Column">
        <div
          className={styles["choice"]}
          role="presentation"
          onKeyDown={(event) => {
            if (event.key === "Enter" && event.target instanceof HTMLInputElement && first !== undefined) {
              event.preventDefault();
              choose(first);
            }
          }}
        >
          <Find label="Find a column" value={text} onChange={setText} />
          {first === undefined ? (
            <p className="muted small">No column matches</p>
          ) : (
            <ul aria-label="Columns">
              {found.slice(0, most).map((path) => (
                <li key={path}>
                  <button type="button" title={columnName(path)} onClick={() => choose(path)}>
                    <code className="clip">{columnName(path)}</code>
                  </button>
                </li>
              ))}
            </ul>
          )}
          {found.length > most && <p className="faint small num">{numberText(found.length - most)} more. Find them by name.</p>}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
