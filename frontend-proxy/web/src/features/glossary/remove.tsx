import { Confirm } from "../../components/dialog";
import { toast } from "../../components/toast";
import { change } from "../../lib/request";
import { counted } from "../../lib/text";
import { Uses } from "../../shared/govern/uses";
import type { Whole } from "./entry";
import { DeleteEntry } from "./glossary.operations";

interface Props {
  entry: Whole;
  /** The number of assets with the term. */
  uses: number | undefined;
  onGone: () => Promise<unknown>;
  onClose: () => void;
}

/** A confirmation before a term or a group is deleted. */
export default function Remove({ entry, uses, onGone, onClose }: Props) {
  return (
    <Confirm
      title={`Delete ${entry.name}?`}
      verb={`Delete ${entry.group ? "group" : "term"}`}
      {...((uses ?? entry.count) > 0 ? { typed: entry.name } : {})}
      onClose={onClose}
      onConfirm={async () => {
        await change(DeleteEntry, { urn: entry.urn });
        await onGone();
        toast({ title: `${entry.name} was deleted` });
      }}
    >
      {entry.group ? (
        <p>
          {entry.count === 0 ? "It holds nothing. " : `What it holds, ${counted(entry.count, "entry", "entries")}, is kept and moves to the top of the glossary. `}
          This cannot be undone.
        </p>
      ) : (
        <>
          <Uses field="glossaryTerms" urn={entry.urn} verb="carry it, on the whole or on a column" none="Nothing carries it." />
          <p>It is taken off all of them, and other terms lose their relation to it. This cannot be undone.</p>
        </>
      )}
    </Confirm>
  );
}
