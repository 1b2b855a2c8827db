import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";

import { Asset } from "../../components/asset";
import { Confirm } from "../../components/dialog";
import { Editable } from "../../components/editable";
import { DeleteIcon, EditIcon, FailIcon, IncidentIcon, PersonIcon } from "../../components/icons";
import { RowMenu } from "../../components/row-menu";
import { Rows } from "../../components/rows";
import { toast } from "../../components/toast";
import { pageIn } from "../../lib/found";
import { Fallback, lazy } from "../../lib/lazy";
import { run, change } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import { troubledPath } from "../../shared/failing/holders";
import { OwnersDialog, RenameDialog } from "../../shared/govern/dialogs";
import { OwnersCell } from "../../shared/govern/people";
import { removedOf } from "../../shared/govern/removed";
import { collectionIn, type Collection, type Kind } from "../../shared/products/collection";
import styles from "./list.module.css";
import { Collections, DeleteApplication, DeleteProduct, UpdateApplication, UpdateProduct } from "./products.operations";
import { troubleIn, troubleInput, type Troubled } from "./trouble";
import { Trouble } from "./trouble.operations";

const Create = lazy(() => import("../../shared/products/create"));

/** A dialog that creates a data product or an application. */
export function CreateDialog(props: { kind: Kind; domain?: string; onMade: () => Promise<unknown>; onClose: () => void }) {
  return (
    <Fallback show={null}>
      <Create {...props} />
    </Fallback>
  );
}

const types = { dataProduct: "DATA_PRODUCT", application: "APPLICATION" } as const;

/** The input of a list, also for users to copy. */
export const inputOf = (kind: Kind, { text = "", domain = "", start = 0, count = 50 }) => ({
  types: [types[kind]],
  query: text || "*",
  start,
  count,
  ...(domain ? { orFilters: [{ and: [{ field: "domains", values: [domain] }] }] } : {}),
  ...(text ? {} : { sortInput: { sortCriteria: [{ field: "name", sortOrder: "ASCENDING" as const }] } }),
  searchFlags: { skipAggregates: true, skipHighlighting: true },
});

/** Reads a page of data products or applications, optionally of one domain. */
export async function readCollections(input: ReturnType<typeof inputOf>, signal?: AbortSignal) {
  const { data } = await run(Collections, { input }, signal);
  return pageIn(data.searchAcrossEntities, collectionIn);
}

type Asked = { one: Collection; what: "rename" | "owners" | "delete" };

interface TableProps {
  label: string;
  kind: Kind;
  items: readonly Collection[];
  /** Identifies the query that returned the items. */
  scope?: string;
  onChanged: () => Promise<unknown>;
}

/** A table of data products or applications. Descriptions are edited in place. */
export function CollectionTable({ label, kind, items, scope = "", onChanged }: TableProps) {
  const urns = items.map(({ urn }) => urn);
  const { data, error } = useQuery({
    queryKey: ["collections", "trouble", kind, urns],
    enabled: urns.length > 0,
    queryFn: async ({ signal }) => troubleIn(kind, urns, (await run(Trouble, troubleInput(kind, urns), signal)).data),
  });
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <Rows
        label={label}
        head={["Name", "Description", "Domain", "Assets", "Health", "Owner", "Actions"]}
        numbers={["Assets"]}
        items={items}
        scope={scope}
        removedOf={removedOf}
        keyOf={(one) => one.urn}
        row={(one) => (
          <>
            <td>
              <Asset urn={one.urn} name={one.name} />
            </td>
            <td data-label="Description">
              <Editable
                label={`description of ${one.name}`}
                value={one.description}
                empty="No description yet"
                most={10_000}
                onSave={async (description) => {
                  await update(one, { description });
                  await onChanged();
                }}
              />
            </td>
            <td data-label="Domain">{one.domain ? <Asset urn={one.domain.urn} name={one.domain.name} type="domain" /> : <span className="faint">None</span>}</td>
            <td className="right num" data-label="Assets">
              {numberText(one.assets)}
            </td>
            <td data-label="Health">
              <TroubleCell one={one} trouble={data?.get(one.urn)} error={error} />
            </td>
            <td data-label="Owner">
              <OwnersCell owners={one.owners} />
            </td>
            <td className="right">
              <RowMenu
                label={`More for ${one.name}`}
                actions={[
                  { name: "Rename", icon: <EditIcon size={16} stroke={1.5} aria-hidden />, onClick: () => setAsked({ one, what: "rename" }) },
                  { name: "Owners", icon: <PersonIcon size={16} stroke={1.5} aria-hidden />, onClick: () => setAsked({ one, what: "owners" }) },
                  { name: "Delete", icon: <DeleteIcon size={16} stroke={1.5} aria-hidden />, onClick: () => setAsked({ one, what: "delete" }) },
                ]}
              />
            </td>
          </>
        )}
      />
      {asked?.what === "rename" && (
        <RenameDialog
          what={asked.one.kind === "dataProduct" ? "data product" : "application"}
          name={asked.one.name}
          onClose={close}
          onRename={async (name) => {
            await update(asked.one, { name });
            await onChanged();
          }}
        />
      )}
      {asked?.what === "owners" && <OwnersDialog urn={asked.one.urn} name={asked.one.name} onChanged={() => void onChanged()} onClose={close} />}
      {asked?.what === "delete" && <Remove one={asked.one} onChanged={onChanged} onClose={close} />}
    </>
  );
}

// The cell is empty while loading, so that it never wrongly indicates health.
function TroubleCell({ one: { urn, kind, name }, trouble, error }: { one: Collection; trouble: Troubled | undefined; error: Error | null }) {
  if (!trouble) {
    return error && <span className="faint" title={error.message}>Not known</span>;
  }
  const { failing, atLeast, incidents = 0 } = trouble;
  if (failing === 0 && incidents === 0) {
    return <span className="faint">{atLeast || trouble.incidents === undefined ? "Not known" : "Nothing fails"}</span>;
  }
  const fail = `${numberText(failing)} ${atLeast ? "or more fail" : failing === 1 ? "fails" : "fail"} a check`;
  const open = `${numberText(incidents)} with an open incident`;
  return (
    <span className={styles["troubles"]}>
      {failing > 0 && (
        <Link href="/failing" className="bad row" aria-label={`${fail} in ${name}`}>
          <FailIcon size={14} stroke={1.5} aria-hidden />
          {fail}
        </Link>
      )}
      {incidents > 0 && (
        <Link href={troubledPath(kind, urn)} className="bad row" aria-label={`${open} in ${name}`}>
          <IncidentIcon size={14} stroke={1.5} aria-hidden />
          {open}
        </Link>
      )}
    </span>
  );
}

const update = ({ urn, kind }: Collection, input: { name?: string; description?: string }): Promise<unknown> =>
  kind === "dataProduct" ? change(UpdateProduct, { urn, input }) : change(UpdateApplication, { urn, input });

function Remove({ one, onChanged, onClose }: { one: Collection; onChanged: () => Promise<unknown>; onClose: () => void }) {
  const what = one.kind === "dataProduct" ? "data product" : "application";
  return (
    <Confirm
      title={`Delete ${one.name}?`}
      verb={`Delete ${what}`}
      {...(one.assets > 0 ? { typed: one.name } : {})}
      onClose={onClose}
      onConfirm={async () => {
        await (one.kind === "dataProduct" ? change(DeleteProduct, { urn: one.urn }) : change(DeleteApplication, { urn: one.urn }));
        await onChanged();
        toast({ title: `${one.name} was deleted` });
      }}
    >
      {one.assets === 0 ? "Nothing is in it." : `${counted(one.assets, "asset")} in it stay in the catalog and are no longer offered together.`} This cannot be undone.
    </Confirm>
  );
}
