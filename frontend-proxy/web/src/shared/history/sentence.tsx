import type { ReactNode } from "react";

import { Asset as Chip, TagPill, TermPill } from "../../components/asset";
import { typeOf } from "../../lib/asset";
import { dayText } from "../../lib/time";
import { isSafeLink } from "../../lib/safe-link";
import { categoryTitle, verbOf, type Change } from "./history";
import styles from "./history.module.css";

/** The date of a time as a heading. */
export function dayTitle(at: number, now: number): string {
  const text = dayText(at, now);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Describes a change in a sentence with a link to the changed entity. */
export function Sentence({ change, nameOf }: { change: Change; nameOf: (urn: string) => string }): ReactNode {
  const { category, noun, urn, column, said, operation } = change;
  if (!noun) {
    return (
      <span className="muted break">
        {said ? `${said.charAt(0).toLowerCase()}${said.slice(1, 500)}` : `${verbOf(change)} something`} <span className="faint small">{categoryTitle(category)}</span>
      </span>
    );
  }
  const word = noun === "description" ? "of" : operation === "ADD" ? "to" : operation === "REMOVE" ? "from" : "of";
  return (
    <span className="muted">
      {verbOf(change)} the {noun} {urn && <Thing urn={urn} name={nameOf(urn)} />}
      {column && (
        <>
          {category === "TECHNICAL_SCHEMA" ? "" : ` ${word} `}
          <code className="break">{column}</code>
        </>
      )}
    </span>
  );
}

/** A link to an entity within a sentence. */
export function Thing({ urn, name }: { urn: string; name: string }) {
  const type = typeOf(urn);
  const Pill = type === "tag" ? TagPill : type === "glossaryTerm" ? TermPill : null;
  return <span className={styles["thing"]}>{Pill ? <Pill urn={urn} name={name} /> : <Chip urn={urn} name={name} />}</span>;
}

const longest = 400;

/** The added, removed or written text below the sentence. */
export function Detail({ change: { noun, operation, detail } }: { change: Change }) {
  const text = detail.length > longest ? `${detail.slice(0, longest)}…` : detail;
  if (!text) {
    return null;
  }
  if (noun === "link" && isSafeLink(detail)) {
    return (
      <p className="small">
        <a href={detail} target="_blank" rel="noreferrer noopener" className="break">
          {text}
        </a>
      </p>
    );
  }
  const Mark = operation === "REMOVE" ? "del" : operation === "ADD" || noun === "description" ? "ins" : "span";
  return (
    <p className={styles["detail"]} dir="auto">
      <Mark>{text}</Mark>
    </p>
  );
}
