import { Checkbox } from "@mantine/core";
import { useEffect, useEffectEvent, useRef } from "react";
import { Link } from "wouter";

import { Glyph, Path, TagPill, TermPill } from "../../components/asset";
import { WarnIcon } from "../../components/icons";
import { Badge, Person } from "../../components/parts";
import { StateText } from "../../components/state-text";
import { Marked } from "../../components/marked";
import { assetPath } from "../../lib/asset";
import { kindText, type Line } from "../../lib/line";
import { counted, plainText } from "../../lib/text";
import { matchedIn } from "./match";
import styles from "./search.module.css";

interface Result {
  line: Line;
  matched: readonly { name: string; value: string }[];
}

interface Props {
  results: readonly Result[];
  words: readonly string[];
  selected: ReadonlyMap<string, string>;
  onSelect: (lines: readonly Line[], on: boolean) => void;
}

/** The list of results with their matches. j and k move the focus, x selects, Enter opens. */
export function Results({ results, words, selected, onSelect }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target instanceof HTMLElement ? event.target : null;
    const typing = target?.matches('textarea, select, input:not([type="checkbox"], [type="radio"])') || target?.isContentEditable;
    if (event.defaultPrevented || typing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('[role="dialog"], [role="menu"]')) {
      return;
    }
    const names = [...(list.current?.querySelectorAll<HTMLElement>("[data-name]") ?? [])];
    const at = names.findIndex((name) => name.closest("li")?.contains(document.activeElement));
    if (event.key === "j" || event.key === "k") {
      event.preventDefault();
      const next = event.key === "j" ? Math.min(at + 1, names.length - 1) : Math.max(at - 1, 0);
      names[next]?.focus();
      names[next]?.closest("li")?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "x" && at >= 0) {
      event.preventDefault();
      const line = results[at]?.line;
      if (line) {
        onSelect([line], !selected.has(line.urn));
      }
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  return (
    <ol className={styles["list"]} ref={list} aria-label="Results">
      {results.map(({ line, matched }) => (
        <li key={line.urn} className={styles["result"]} data-selected={selected.has(line.urn)}>
          <Checkbox size="xs" aria-label={`Select ${line.name}`} checked={selected.has(line.urn)} onChange={(event) => onSelect([line], event.currentTarget.checked)} />
          <One line={line} matched={matched} words={words} />
        </li>
      ))}
    </ol>
  );
}

const most = 3;
const longest = 600;

function One({ line, matched, words }: Result & { words: readonly string[] }) {
  const match = matchedIn(matched, line, words);
  const pills = [
    ...line.tags.map((tag) => <TagPill key={tag.urn} name={tag.name} urn={tag.urn} colour={tag.colour} />),
    ...line.terms.map((term) => <TermPill key={term.urn} name={term.name} urn={term.urn} />),
  ];
  const kind = kindText(line);
  const way = line.steps.map(({ name }) => name);
  const isOwned = owned.has(line.type);
  const who = (line.owners.length > 0 || isOwned || (line.people ?? 0) > 0) && <Who line={line} />;
  return (
    <div className={styles["what"]}>
      <div className={styles["first"]}>
        <Link className={styles["name"] ?? ""} href={assetPath(line.urn)} data-name>
          <Glyph type={line.type} subType={line.subType} />
          <span className="break">
            <Marked of={line.name} words={words} />
          </span>
          <span className="sr">, {kind}</span>
        </Link>
        {line.deprecated && (
          <Badge tone="warn" icon={<WarnIcon size={13} stroke={1.5} aria-hidden />}>
            Deprecated
          </Badge>
        )}
        <span className={styles["state"]}>{(line.state || checked.has(line.type)) && <StateText state={line.state} />}</span>
      </div>
      <div className={styles["where"]}>
        <Path platform={line.platform} steps={line.platform ? [line.platform, ...way] : way.length > 0 ? way : [kind.charAt(0).toUpperCase() + kind.slice(1)]} />
        {pills.length === 0 && who}
      </div>
      {line.description ? (
        <p className={styles["description"]}>
          <Marked of={plainText(line.description.slice(0, longest))} words={words} />
        </p>
      ) : (
        isOwned && <p className={`faint ${styles["description"]}`}>No description yet</p>
      )}
      {match && (
        <p className={styles["match"]}>
          <span className="faint">{match.what}</span>{" "}
          {match.values.map((value, at) => (
            <span key={value}>
              {at > 0 && <span className="faint"> and </span>}
              {match.code ? (
                <code className="break">
                  <Marked of={value} words={words} />
                </code>
              ) : (
                <span className="break">
                  <Marked of={value} words={words} />
                </span>
              )}
            </span>
          ))}
          {match.more > 0 && <span className="faint"> and {match.more} more</span>}
        </p>
      )}
      {pills.length > 0 && (
        <div className={styles["meta"]}>
          {pills.slice(0, most)}
          {pills.length > most && <span className="faint small">+{pills.length - most}</span>}
          {who}
        </div>
      )}
    </div>
  );
}

// The owner and the number of users of a result.
function Who({ line: { type, owners, people = 0 } }: { line: Line }) {
  const [owner] = owners;
  return (
    <span className={styles["who"]}>
      {owner ? (
        <>
          <Person name={owner.name} shape={owner.shape} />
          {owners.length > 1 && <span className="faint">+{owners.length - 1}</span>}
        </>
      ) : (
        owned.has(type) && <span className="warn">No owner</span>
      )}
      {people > 0 && <span className="faint num nowrap">{counted(people, "person", "people")}</span>}
    </span>
  );
}

// The types that should have a description and an owner, and the types that should have checks.
const owned: ReadonlySet<string> = new Set(["DATASET", "DASHBOARD", "CHART", "DATA_FLOW", "DATA_JOB", "CONTAINER", "MLMODEL", "MLFEATURE_TABLE", "DATA_PRODUCT"]);
const checked: ReadonlySet<string> = new Set(["DATASET"]);
