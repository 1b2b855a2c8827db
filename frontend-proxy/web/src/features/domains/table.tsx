import { type CSSProperties } from "react";

import { useSession } from "../../shared/session/session";
import { Asset } from "../../components/asset";
import { AddIcon, BrowseIcon, DatasetIcon, DeleteIcon, DownIcon, EditIcon, IncidentIcon, PersonIcon, RightIcon } from "../../components/icons";
import { Meter } from "../../components/parts";
import { RowMenu } from "../../components/row-menu";
import { Rows } from "../../components/rows";
import { numberText, percent } from "../../lib/text";
import shared from "../../shared/govern/govern.module.css";
import { OwnersCell } from "../../shared/govern/people";
import type { Asked } from "./acts";
import type { Row } from "./domain";
import styles from "./domains.module.css";

interface Props {
  label: string;
  rows: readonly Row[];
  /** Expands or collapses a row; absent for a flat table. */
  onToggle?: (urn: string, open: boolean) => void;
  onAsk: (asked: Asked) => void;
}

/** A table of domains, with statistics about their direct assets. */
export function DomainTable({ label, rows, onToggle, onAsk }: Props) {
  return (
    <Rows
      label={label}
      head={["Domain", "Owner", "Assets", "With owner", "With description", "Incidents", "Actions"]}
      numbers={["Assets", "Incidents"]}
      items={rows}
      keyOf={({ domain, depth }) => `${depth} ${domain.urn}`}
      row={(row) => <Line row={row} onToggle={onToggle} onAsk={onAsk} />}
    />
  );
}

function Line({ row: { domain, depth, open }, onToggle, onAsk }: { row: Row; onToggle: Props["onToggle"]; onAsk: Props["onAsk"] }) {
  const { may } = useSession();
  const manage = may.manageDomains ? null : "You need the privilege Manage Domains.";
  const Twist = open ? DownIcon : RightIcon;
  const ask = (what: Asked["what"]) => () => onAsk({ domain, what });
  return (
    <>
      <td>
        <span className={styles["name"]} style={{ "--depth": `${Math.min(depth, 8) * 22}px` } as CSSProperties}>
          {onToggle &&
            (domain.below > 0 ? (
              <button type="button" className={styles["twist"]} aria-expanded={open} aria-label={`${open ? "Close" : "Open"} ${domain.name}`} onClick={() => onToggle(domain.urn, !open)}>
                <Twist size={14} stroke={1.5} aria-hidden />
              </button>
            ) : (
              <span className={styles["gap"]} aria-hidden />
            ))}
          <span style={{ minWidth: 0 }}>
            <Asset urn={domain.urn} name={domain.name} type="domain" />
            {domain.description && (
              <span className={shared["about"]} dir="auto">
                {domain.description}
              </span>
            )}
          </span>
        </span>
      </td>
      <td data-label="Owner">
        <OwnersCell owners={domain.owners} />
      </td>
      <td className="right num" data-label="Assets">
        {numberText(domain.assets)}
      </td>
      <td data-label="With owner">
        <Share part={domain.owned} whole={domain.assets} />
      </td>
      <td data-label="With text">
        <Share part={domain.described} whole={domain.assets} />
      </td>
      <td className="right num" data-label="Incidents">
        {domain.troubled > 0 ? (
          <span className="bad nowrap">
            <IncidentIcon size={14} stroke={1.5} aria-hidden />
            {" "}
            {numberText(domain.troubled)}
          </span>
        ) : (
          <span className="faint">0</span>
        )}
      </td>
      <td className="right">
        <RowMenu
          label={`More for ${domain.name}`}
          actions={[
            { name: "New sub-domain", icon: <AddIcon size={16} stroke={1.5} aria-hidden />, reason: may.createDomains || may.manageDomains ? null : "You need the privilege Create Domains.", onClick: ask("create") },
            { name: "Add assets", icon: <DatasetIcon size={16} stroke={1.5} aria-hidden />, onClick: ask("assign") },
            { name: "Owners", icon: <PersonIcon size={16} stroke={1.5} aria-hidden />, onClick: ask("owners") },
            { name: "Rename", icon: <EditIcon size={16} stroke={1.5} aria-hidden />, reason: manage, onClick: ask("rename") },
            { name: "Move below", icon: <BrowseIcon size={16} stroke={1.5} aria-hidden />, reason: manage, onClick: ask("move") },
            { name: "Delete domain", icon: <DeleteIcon size={16} stroke={1.5} aria-hidden />, onClick: ask("delete") },
          ]}
        />
      </td>
    </>
  );
}

function Share({ part, whole }: { part: number; whole: number }) {
  const share = percent(part, whole);
  return share === null ? (
    <span className="faint">None</span>
  ) : (
    <span className={styles["share"]}>
      <Meter share={part / whole} />
      <span className="muted num nowrap">{share} %</span>
    </span>
  );
}
