import type { ReactNode } from "react";
import { Link } from "wouter";

import { Bones, Empty, Failure } from "../../components/parts";

interface Props {
  /** A noun phrase for the content, as in "the run". */
  what: string;
  icon: ReactNode;
  /** Undefined while loading, null if not found. */
  value: unknown;
  error: unknown;
  onRetry: () => void;
}

/** The placeholder of a source or a run while it is loading, and if it is missing. */
export function NotThere({ what, icon, value, error, onRetry }: Props) {
  return (
    <div className="page">
      <h1 className="sr">Ingestion</h1>
      {error && value === undefined ? (
        <Failure what={what} error={error} onRetry={onRetry} />
      ) : value === undefined ? (
        <Bones rows={6} what={what} />
      ) : (
        <Empty icon={icon} title={`There is no such ${what.replace(/^the (ingestion )?/u, "")}`}>
          It was deleted, or never was. <Link href="/ingestion">All sources</Link>
        </Empty>
      )}
    </div>
  );
}
