import { Asset as Chip } from "../../components/asset";
import { LockIcon } from "../../components/icons";
import type { Source } from "./charts";

/** A link to a source of a chart. A source that the actor may not view has no name. */
export function SourceChip({ source: { urn, name, restricted } }: { source: Source }) {
  return restricted ? (
    <span className="row faint" title="You may not view it">
      <LockIcon size={16} stroke={1.5} aria-hidden />
      {name}
    </span>
  ) : (
    <Chip urn={urn} name={name} />
  );
}
