import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Link } from "wouter";

import { useTitle } from "../../lib/title";
import { Asset, TermPill } from "../../components/asset";
import { Button } from "../../components/button";
import { Editable } from "../../components/editable";
import { Export } from "../../components/export";
import { AddIcon, CloseIcon, DeleteIcon, DomainIcon, EditIcon, PersonIcon, TermIcon, BrowseIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Bones, Empty, Failure, Note, Tools } from "../../components/parts";
import { RowMenu } from "../../components/row-menu";
import { Rows } from "../../components/rows";
import { Tabs } from "../../components/tabs";
import { toast } from "../../components/toast";
import { assetPath } from "../../lib/asset";
import { everyPage } from "../../lib/csv";
import { Fallback, lazy } from "../../lib/lazy";
import { useParameters } from "../../lib/parameters";
import { change } from "../../lib/request";
import { counted } from "../../lib/text";
import { ChooseDialog, OwnersDialog, RenameDialog } from "../../shared/govern/dialogs";
import { Describe, Rename } from "../../shared/govern/govern.operations";
import { OwnersCell, ownersText } from "../../shared/govern/people";
import { someOf, type Listed } from "../../shared/govern/read";
import { readAssets } from "../../shared/govern/uses";
import { Entries } from "./entries";
import type { Relation, Whole } from "./entry";
import styles from "./glossary.module.css";
import { MoveEntry, PutInDomain, PutOn, TakeOutOfDomain } from "./glossary.operations";
import { levelQuery } from "./levels";

const EntryTab = lazy(() => import("./entry-tabs"));
const Remove = lazy(() => import("./remove"));
const TakeOff = lazy(() => import("./take-off"));

/** The page size of the assets of a term. */
export const usesSize = 10;

/** A page of the assets with a term. */
export interface Uses {
  total: number;
  items: Listed[];
}

interface Props {
  entry: Whole;
  uses: Uses | undefined;
  start: number;
  tab: string;
  copy: ReactNode;
  onChanged: () => Promise<unknown>;
  onGone: () => Promise<unknown>;
}

type Asked = "rename" | "move" | "owners" | "domain" | "delete" | "assign";

/** The page of a term or a group: definition, owners, and assets or children. */
export function EntryView({ entry, uses, start, tab, copy, onChanged, onGone }: Props) {
  useTitle(entry.name, "Glossary");
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const what = entry.group ? "group" : "term";
  const manage = entry.mayManage ? null : "You need the privilege Manage Glossaries, or one of the glossary on the group above.";
  const tabs = entry.group
    ? [
        { value: "contents", label: "Contents", count: entry.count },
        { value: "documentation", label: "Documentation", count: entry.links.length || undefined },
        { value: "history", label: "History" },
      ]
    : [
        { value: "used", label: "Used by", count: uses?.total },
        { value: "related", label: "Related terms", count: entry.relations.length },
        { value: "documentation", label: "Documentation", count: entry.links.length || undefined },
        { value: "history", label: "History" },
      ];
  const here = tabs.find(({ value }) => value === tab)?.value ?? tabs[0]?.value ?? "";
  return (
    <>
      <nav className={styles["crumbs"]} aria-label="Where it stands">
        <Link href="/glossary">Glossary</Link>
        {entry.above.map((group) => (
          <span key={group.urn} className="row">
            <span aria-hidden>/</span>
            <Link href={assetPath(group.urn)}>{group.name}</Link>
          </span>
        ))}
      </nav>
      <div className={styles["head"]}>
        <h1 dir="auto">{entry.name}</h1>
        <div className={styles["acts"]}>
          {copy}
          {!entry.group && (
            <Button icon={<AddIcon size={16} stroke={1.5} aria-hidden />} onClick={() => setAsked("assign")}>
              Add to assets
            </Button>
          )}
          <RowMenu
            label={`More for ${entry.name}`}
            actions={[
              { name: "Rename", icon: <EditIcon size={16} stroke={1.5} aria-hidden />, reason: manage, onClick: () => setAsked("rename") },
              { name: "Move to", icon: <BrowseIcon size={16} stroke={1.5} aria-hidden />, reason: manage, onClick: () => setAsked("move") },
              { name: "Owners", icon: <PersonIcon size={16} stroke={1.5} aria-hidden />, onClick: () => setAsked("owners") },
              { name: "Domain", icon: <DomainIcon size={16} stroke={1.5} aria-hidden />, onClick: () => setAsked("domain") },
              { name: `Delete ${what}`, icon: <DeleteIcon size={16} stroke={1.5} aria-hidden />, reason: manage, onClick: () => setAsked("delete") },
            ]}
          />
        </div>
      </div>
      {entry.deprecated !== null && (
        <div className={styles["warn"]}>
          <Note tone="warn" title={`This ${what} is deprecated`}>
            {entry.deprecated}
          </Note>
        </div>
      )}
      <div className={styles["def"]} dir="auto">
        <Editable
          label="definition"
          value={entry.definition}
          empty="No definition yet"
          long
          most={10_000}
          onSave={async (description) => {
            await change(Describe, { input: { resourceUrn: entry.urn, description } });
            await onChanged();
          }}
        />
      </div>
      <Facts entry={entry} onAsk={setAsked} />
      <Tabs label={`Views of ${entry.name}`} tabs={tabs} value={here} hrefOf={(value) => assetPath(entry.urn, value === tabs[0]?.value ? undefined : value)} />
      {here === "used" && uses && <UsedBy entry={entry} uses={uses} start={start} onChanged={onChanged} onAssign={() => setAsked("assign")} />}
      {here === "contents" && <Contents entry={entry} />}
      {(here === "related" || here === "documentation" || here === "history") && (
        <Fallback show={<Bones rows={4} what={here} />}>
          <EntryTab name={here} entry={entry} onChanged={onChanged} />
        </Fallback>
      )}

      {asked === "rename" && (
        <RenameDialog
          what={what}
          name={entry.name}
          onClose={close}
          onRename={async (name) => {
            await change(Rename, { input: { urn: entry.urn, name } });
            await onChanged();
          }}
        />
      )}
      {asked === "move" && <Move entry={entry} onChanged={onChanged} onClose={close} />}
      {asked === "owners" && <OwnersDialog urn={entry.urn} name={entry.name} onChanged={() => void onChanged()} onClose={close} />}
      {asked === "domain" && <SetDomain entry={entry} onChanged={onChanged} onClose={close} />}
      {asked === "assign" && (
        <ChooseDialog
          title={`Add ${entry.name} to assets`}
          about="The term is put on each asset as a whole. On a column it is put where the column is read."
          verb="Add to assets"
          what="an asset"
          find="Find an asset"
          types={assetTypes}
          multiple
          onClose={close}
          onChoose={async (chosen) => {
            await change(PutOn, { input: { termUrns: [entry.urn], resources: [...chosen.keys()].map((resourceUrn) => ({ resourceUrn })) } });
            await onChanged();
            toast({ title: `${entry.name} was added to ${counted(chosen.size, "asset")}` });
          }}
        />
      )}
      {asked === "delete" && (
        <Fallback show={null}>
          <Remove entry={entry} uses={uses?.total} onGone={onGone} onClose={close} />
        </Fallback>
      )}
    </>
  );
}

const assetTypes = ["DATASET", "DASHBOARD", "CHART", "DATA_FLOW", "DATA_JOB", "CONTAINER", "DATA_PRODUCT", "MLMODEL", "MLFEATURE", "MLFEATURE_TABLE", "NOTEBOOK"] as const;

function Facts({ entry, onAsk }: { entry: Whole; onAsk: (what: Asked) => void }) {
  const partOf = entry.relations.filter(({ way }) => way === "partOf" || way === "isA");
  const related = entry.relations.filter(({ way }) => way === "related" || way === "hasA" || way === "kind");
  return (
    <dl className={styles["facts"]}>
      <div>
        <dt>Owner</dt>
        <dd>
          {entry.owners.length === 0 ? (
            <Button size="small" look="quiet" icon={<AddIcon size={14} stroke={1.5} aria-hidden />} onClick={() => onAsk("owners")}>
              No owner yet
            </Button>
          ) : (
            <OwnersCell owners={entry.owners} />
          )}
        </dd>
      </div>
      <div>
        <dt>Domain</dt>
        <dd>
          {entry.domain ? (
            <Asset urn={entry.domain.urn} name={entry.domain.name} type="domain" />
          ) : (
            <Button size="small" look="quiet" icon={<AddIcon size={14} stroke={1.5} aria-hidden />} onClick={() => onAsk("domain")}>
              No domain yet
            </Button>
          )}
        </dd>
      </div>
      {partOf.length > 0 && <Terms title="Part of" relations={partOf} />}
      {related.length > 0 && <Terms title="Related" relations={related} />}
    </dl>
  );
}

const fewTerms = 4;

function Terms({ title, relations }: { title: string; relations: readonly Relation[] }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        {relations.slice(0, fewTerms).map(({ way, urn, name }) => (
          <TermPill key={way + urn} name={name} urn={urn} />
        ))}
        {relations.length > fewTerms && <span className="faint small num">+{relations.length - fewTerms}</span>}
      </dd>
    </div>
  );
}

function UsedBy({ entry, uses, start, onChanged, onAssign }: { entry: Whole; uses: Uses; start: number; onChanged: () => Promise<unknown>; onAssign: () => void }) {
  const [, set] = useParameters();
  const [removing, setRemoving] = useState<Listed | null>(null);
  if (uses.total === 0) {
    return (
      <Empty
        icon={<TermIcon size={20} stroke={1.5} aria-hidden />}
        title="Nothing carries this term yet"
        actions={<Button onClick={onAssign}>Add to assets</Button>}
      >
        Put it on assets and columns whose values mean this, and who finds them knows what they read.
      </Empty>
    );
  }
  return (
    <>
      <Rows
        label={`Assets that carry ${entry.name}`}
        head={["Asset", "Platform", "Column", "Owner", "Actions"]}
        items={uses.items}
        keyOf={(asset) => asset.urn}
        row={(asset) => (
          <>
            <td>
              <Asset urn={asset.urn} name={asset.name} type={asset.type} />
            </td>
            <td className="muted" data-label="Platform">
              {asset.platform || "None"}
            </td>
            <td className="muted" data-label="Column">
              {asset.columns.length > 0 && <code className="break">{someOf(asset.columns)}</code>}
              {asset.whole && <span>{asset.columns.length > 0 ? ", whole asset" : "Whole asset"}</span>}
            </td>
            <td data-label="Owner">
              <OwnersCell owners={asset.owners} />
            </td>
            <td className="right">
              <Button
                size="small"
                look="quiet"
                label={`Take the term off ${asset.name}`}
                reason={asset.whole ? null : "It is on columns alone. Take it off where the columns are read."}
                icon={<CloseIcon size={14} stroke={1.5} aria-hidden />}
                onClick={() => setRemoving(asset)}
              />
            </td>
          </>
        )}
      />
      <div className="row wrap">
        <Pager label="assets" start={start} size={usesSize} total={uses.total} onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />
        <span className="end">
          <Export
            size="small"
            name={`assets of ${entry.name}`}
            head={["Asset", "Platform", "Columns", "Owners", "URN"]}
            rows={async () => {
              const all = await everyPage((from, count) => readAssets("glossaryTerms", entry.urn, { start: from, count, columns: true }), { size: 100 });
              return { rows: all.items.map((asset) => [asset.name, asset.platform, asset.columns.join("; "), ownersText(asset.owners), asset.urn]), total: all.total };
            }}
          />
        </span>
      </div>
      {removing && (
        <Fallback show={null}>
          <TakeOff entry={entry} asset={removing} onChanged={onChanged} onClose={() => setRemoving(null)} />
        </Fallback>
      )}
    </>
  );
}

function Contents({ entry }: { entry: Whole }) {
  const { data, error, refetch } = useQuery(levelQuery(entry.urn));
  if (error) {
    return <Failure what="what the group holds" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return <Bones rows={4} what="what the group holds" />;
  }
  if (data.entries.length === 0) {
    return (
      <Empty icon={<TermIcon size={20} stroke={1.5} aria-hidden />} title="The group holds nothing yet">
        Create a term or a group in it with New, above the tree.
      </Empty>
    );
  }
  return (
    <>
      <Entries label={`Terms and groups in ${entry.name}`} entries={data.entries} />
      <Tools>
        <span className="end">
          <Export
            size="small"
            name={`terms of ${entry.name}`}
            head={["Name", "Kind", "Definition", "Holds", "URN"]}
            rows={async () => ({
              rows: data.entries.map((each) => [each.name, each.group ? "group" : "term", each.definition, each.group ? each.count : "", each.urn]),
              total: data.total,
            })}
          />
        </span>
      </Tools>
    </>
  );
}

function Move({ entry, onChanged, onClose }: { entry: Whole; onChanged: () => Promise<unknown>; onClose: () => void }) {
  const send = async (parentNode: string | null, where: string) => {
    await change(MoveEntry, { input: { resourceUrn: entry.urn, ...(parentNode ? { parentNode } : {}) } });
    await onChanged();
    toast({ title: `${entry.name} was moved ${where}` });
  };
  return (
    <ChooseDialog
      title={`Move ${entry.name} to`}
      about={`It is ${entry.above.length > 0 ? `in ${entry.above.map(({ name }) => name).join(" / ")}` : "at the top"} now.${entry.group ? " What it holds moves along." : ""}`}
      verb="Move"
      what="a group"
      find="Find a group"
      types={["GLOSSARY_NODE"]}
      without={new Set([entry.urn])}
      {...(entry.above.length > 0 ? { clear: "Move to the top", onClear: () => send(null, "to the top") } : {})}
      onClose={onClose}
      onChoose={(chosen) => {
        const [urn = "", name = ""] = [...chosen][0] ?? [];
        return send(urn, `into ${name}`);
      }}
    />
  );
}

function SetDomain({ entry, onChanged, onClose }: { entry: Whole; onChanged: () => Promise<unknown>; onClose: () => void }) {
  return (
    <ChooseDialog
      title={`Domain of ${entry.name}`}
      about={entry.domain ? `It belongs to ${entry.domain.name} now.` : "It belongs to no domain now."}
      verb="Put in domain"
      what="a domain"
      find="Find a domain"
      types={["DOMAIN"]}
      {...(entry.domain
        ? {
            clear: "Take out of its domain",
            onClear: async () => {
              await change(TakeOutOfDomain, { urn: entry.urn });
              await onChanged();
            },
          }
        : {})}
      onClose={onClose}
      onChoose={async (chosen) => {
        await change(PutInDomain, { urn: entry.urn, domain: [...chosen.keys()][0] ?? "" });
        await onChanged();
      }}
    />
  );
}
