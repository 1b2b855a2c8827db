import { useState } from "react";

import { Button } from "../../components/button";
import { DomainIcon, PersonIcon, TagIcon, TermIcon, WarnIcon } from "../../components/icons";
import { Fallback, lazy } from "../../lib/lazy";
import type { Line } from "../../lib/line";
import type { Kind } from "./change";
import styles from "./search.module.css";

const Change = lazy(() => import("./change"));

interface Props {
  selected: ReadonlyMap<string, string>;
  /** The visible results. */
  all: readonly Line[];
  onSelect: (lines: readonly Line[], on: boolean) => void;
  onClear: () => void;
}

const icons = { tag: TagIcon, term: TermIcon, owner: PersonIcon, domain: DomainIcon, deprecation: WarnIcon } as const;
const words: Readonly<Record<Kind, string>> = { tag: "Tag", term: "Term", owner: "Owner", domain: "Domain", deprecation: "Deprecate" };

/** The bar with bulk actions. It appears with the first selected asset. */
export function SelectionBar({ selected, all, onSelect, onClear }: Props) {
  const [kind, setKind] = useState<Kind | null>(null);
  if (selected.size === 0) {
    return null;
  }
  const rest = all.filter(({ urn }) => !selected.has(urn));
  return (
    <>
      <section className={styles["bar"]} aria-label="Selection">
        <span role="status">
          <b className="num">{selected.size}</b> selected
        </span>
        {(Object.keys(words) as Kind[]).map((each) => {
          const Icon = icons[each];
          return (
            <Button key={each} size="small" icon={<Icon size={14} stroke={1.5} aria-hidden />} onClick={() => setKind(each)}>
              {words[each]}
            </Button>
          );
        })}
        {rest.length > 0 && (
          <Button size="small" look="quiet" onClick={() => onSelect(rest, true)}>
            Select all {all.length} here
          </Button>
        )}
        <Button size="small" look="quiet" onClick={onClear}>
          Clear
        </Button>
      </section>
      {kind && (
        <Fallback show={null}>
          <Change kind={kind} selected={selected} onClose={() => setKind(null)} />
        </Fallback>
      )}
    </>
  );
}
