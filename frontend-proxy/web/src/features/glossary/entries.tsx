import { Link } from "wouter";

import { TermPill } from "../../components/asset";
import { Rows } from "../../components/rows";
import { assetPath } from "../../lib/asset";
import { counted } from "../../lib/text";
import type { Entry } from "./entry";

/** A table of terms and groups. */
export function Entries({ label, entries }: { label: string; entries: readonly Entry[] }) {
  return (
    <Rows
      label={label}
      head={["Name", "Definition", "Holds"]}
      items={entries}
      keyOf={(entry) => entry.urn}
      row={(entry) => (
        <>
          <td>{entry.group ? <Link className="name break" href={assetPath(entry.urn)}>{entry.name}</Link> : <TermPill name={entry.name} urn={entry.urn} />}</td>
          <td className="muted break" data-label="Definition" dir="auto">
            {entry.definition || <span className="faint">No definition yet</span>}
          </td>
          <td className="num muted nowrap" data-label="Holds">
            {entry.group ? counted(entry.count, "entry", "entries") : "Term"}
          </td>
        </>
      )}
    />
  );
}
