import type { ReactNode } from "react";

import { listIn } from "../../lib/answer";
import { assetPath, typeName } from "../../lib/asset";
import { entitiesIn } from "../../lib/found";
import { kindText, lineOf, type Line } from "../../lib/line";
import { wordsOf } from "../../lib/marks";
import { run } from "../../lib/request";
import { Glyph, Path } from "../../components/asset";
import { SearchIcon } from "../../components/icons";
import { Marked } from "../../components/marked";
import { Complete } from "./search-field.operations";
import styles from "./search-field.module.css";

const mostOfType = 3;
const most = 10;

/** A suggested asset, with the path of its page. */
export type Suggestion = Line & { path: string };

/** Assets whose names begin with the typed text, a few of each type. */
export async function complete(query: string, signal: AbortSignal): Promise<Suggestion[]> {
  const { data } = await run(Complete, { input: { query, limit: mostOfType } }, signal);
  return listIn(data.autoCompleteForMultiple?.suggestions).flatMap(({ entities }) => entitiesIn(entities).slice(0, mostOfType).map((entity) => Object.assign(lineOf(entity), { path: assetPath(entity.urn) }))).slice(0, most);
}

interface Props {
  id: string;
  lines: readonly Line[];
  typed: string;
  /** The index of the active option. The last option searches for all results. */
  at: number;
  stale: boolean;
  onHover: (index: number) => void;
  onChoose: (index: number) => void;
}

/** The suggestions below a search field, grouped by type. The last line leads to all results. */
export default function SuggestionList({ id, lines, typed, at, stale, onHover, onChoose }: Props) {
  const words = wordsOf(typed);
  const last = lines.length;
  const option = (index: number) => ({ id: `${id}-${index}`, selected: index === at, onHover: () => onHover(index), onChoose: () => onChoose(index) });
  return (
    <div className={styles["list"]} role="listbox" id={`${id}-list`} aria-label="Suggestions" data-stale={stale}>
      {groups(lines).map(({ type, members }) => (
        <div key={type} role="group" aria-label={typeName(type, 2)}>
          <span className={styles["group"]} aria-hidden>
            {typeName(type, 2)}
          </span>
          {members.map(({ line, index }) => (
            <Option key={line.urn} {...option(index)}>
              <Glyph type={line.type} subType={line.subType} />
              <span className={`clip ${styles["name"]}`}>
                <Marked of={line.name} words={words} />
              </span>
              <span className="sr">, {kindText(line)}</span>
              <span className={styles["where"]}>
                <Path platform={line.platform} steps={line.steps.slice(-2).map(({ name }) => name)} />
              </span>
            </Option>
          ))}
        </div>
      ))}
      <Option {...option(last)}>
        <SearchIcon size={16} stroke={1.5} aria-hidden />
        <span className="clip">
          All results for <b>{typed}</b>
        </span>
      </Option>
    </div>
  );
}

// The lines are already sorted by type. Each keeps its overall index.
function groups(lines: readonly Line[]) {
  const all = new Map<string, { line: Line; index: number }[]>();
  for (const [index, line] of lines.entries()) {
    all.set(line.type, [...(all.get(line.type) ?? []), { line, index }]);
  }
  return [...all].map(([type, members]) => ({ type, members }));
}

interface OptionProps {
  id: string;
  selected: boolean;
  onHover: () => void;
  onChoose: () => void;
  children: ReactNode;
}

function Option({ id, selected, onHover, onChoose, children }: OptionProps) {
  return (
    // The search field keeps the focus and handles the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="option"
      aria-selected={selected}
      className={styles["option"]}
      onPointerMove={selected ? undefined : onHover}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      {children}
    </div>
  );
}
