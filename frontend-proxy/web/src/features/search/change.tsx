import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { FormDialog } from "../../components/dialog";
import { EntitiesField } from "../../shared/pickers/entities-picker";
import { EntityField } from "../../shared/pickers/entity-picker";
import { Segments } from "../../components/parts";
import { toast } from "../../components/toast";
import { change } from "../../lib/request";
import { counted } from "../../lib/text";
import { changeAll, type Refusal } from "./batch";
import { AddOwners, AddTags, AddTerms, SetDeprecation, SetDomain } from "./change.operations";
import styles from "./change.module.css";

/** The kinds of bulk changes. */
export type Kind = "tag" | "term" | "owner" | "domain" | "deprecation";

interface Wanted {
  labels: string[];
  owners: string[];
  ownerType: string | null;
  domain: string | null;
  deprecated: boolean;
  note: string;
}

const none: ReadonlyMap<string, string> = new Map();
const ownerTypes: ReadonlyMap<string, string> = new Map([["urn:li:ownershipType:__system__technical_owner", "Technical Owner"]]);

const send = (kind: Kind, wanted: Wanted) => (urns: string[]) => {
  const resources = urns.map((resourceUrn) => ({ resourceUrn }));
  switch (kind) {
    case "tag":
      return change(AddTags, { input: { tagUrns: wanted.labels, resources } });
    case "term":
      return change(AddTerms, { input: { termUrns: wanted.labels, resources } });
    case "owner":
      return change(AddOwners, {
        input: {
          owners: wanted.owners.map((ownerUrn) => ({
            ownerUrn,
            ownerEntityType: ownerUrn.startsWith("urn:li:corpGroup:") ? ("CORP_GROUP" as const) : ("CORP_USER" as const),
            ...(wanted.ownerType ? { ownershipTypeUrn: wanted.ownerType } : {}),
          })),
          resources,
        },
      });
    case "domain":
      return change(SetDomain, { input: { domainUrn: wanted.domain, resources } });
    case "deprecation":
      return change(SetDeprecation, { input: { deprecated: wanted.deprecated, ...(wanted.deprecated ? { note: wanted.note.trim() } : {}), resources } });
  }
};

/** A dialog for a change of the selected assets. It reports the assets whose change was rejected. */
export default function Change({ kind, selected, onClose }: { kind: Kind; selected: ReadonlyMap<string, string>; onClose: () => void }) {
  const queries = useQueryClient();
  const [wanted, setWanted] = useState<Wanted>({ labels: [], owners: [], ownerType: [...ownerTypes.keys()][0] ?? null, domain: null, deprecated: true, note: "" });
  const set = (some: Partial<Wanted>) => setWanted((before) => ({ ...before, ...some }));
  const assets = counted(selected.size, "asset");
  const { title, verb, complete, fields, done } = formOf(kind, wanted, set, assets);
  return (
    <FormDialog
      title={title}
      verb={verb}
      failed="Nothing was changed"
      complete={complete}
      onClose={onClose}
      onSubmit={async () => {
        const outcome = await changeAll([...selected.keys()], send(kind, wanted));
        await queries.invalidateQueries({ queryKey: ["search"] });
        tell(outcome, selected, done);
        onClose();
      }}
    >
      {() => fields}
    </FormDialog>
  );
}

interface Form {
  title: string;
  verb: string;
  complete: boolean;
  fields: ReactNode;
  /** The success message for a number of assets. */
  done: (assets: string) => string;
}

function formOf(kind: Kind, wanted: Wanted, set: (some: Partial<Wanted>) => void, assets: string): Form {
  switch (kind) {
    case "tag":
      return {
        title: `Add tags to ${assets}`,
        verb: "Add tags",
        complete: wanted.labels.length > 0,
        fields: <EntitiesField label="Tags" types={["TAG"]} names={none} value={wanted.labels} onChange={(labels) => set({ labels })} />,
        done: (to) => `${counted(wanted.labels.length, "tag")} added to ${to}`,
      };
    case "term":
      return {
        title: `Add terms to ${assets}`,
        verb: "Add terms",
        complete: wanted.labels.length > 0,
        fields: <EntitiesField label="Terms" types={["GLOSSARY_TERM"]} names={none} value={wanted.labels} onChange={(labels) => set({ labels })} />,
        done: (to) => `${counted(wanted.labels.length, "term")} added to ${to}`,
      };
    case "owner":
      return {
        title: `Add owners to ${assets}`,
        verb: "Add owners",
        complete: wanted.owners.length > 0 && wanted.ownerType !== null,
        fields: (
          <>
            <EntitiesField label="People and groups" types={["CORP_USER", "CORP_GROUP"]} names={none} value={wanted.owners} onChange={(owners) => set({ owners })} />
            <EntityField label="They own as" types={["CUSTOM_OWNERSHIP_TYPE"]} names={ownerTypes} value={wanted.ownerType} onChange={(ownerType) => set({ ownerType })} />
          </>
        ),
        done: (to) => `${counted(wanted.owners.length, "owner")} added to ${to}`,
      };
    case "domain":
      return {
        title: `Set the domain of ${assets}`,
        verb: wanted.domain === null ? "Take out of domain" : "Set domain",
        complete: true,
        fields: (
          <>
            <EntityField label="Domain" types={["DOMAIN"]} names={none} value={wanted.domain} onChange={(domain) => set({ domain })} />
            <p className="muted small">An asset has one domain: this takes the place of the one it has. Without a choice the assets leave their domain.</p>
          </>
        ),
        done: (to) => (wanted.domain === null ? `${to} taken out of the domain` : `Domain set for ${to}`),
      };
    case "deprecation":
      return {
        title: `Deprecation of ${assets}`,
        verb: wanted.deprecated ? "Deprecate" : "End deprecation",
        complete: true,
        fields: (
          <>
            <Segments
              label="State"
              value={wanted.deprecated ? "yes" : "no"}
              options={[
                { value: "yes", label: "Deprecated" },
                { value: "no", label: "Not deprecated" },
              ]}
              onChange={(state) => set({ deprecated: state === "yes" })}
            />
            {wanted.deprecated && (
              <label className={styles["why"]}>
                <span className="name">Why, and what to use instead</span>
                <textarea rows={3} maxLength={2000} value={wanted.note} onChange={(event) => set({ note: event.currentTarget.value })} />
              </label>
            )}
          </>
        ),
        done: (to) => (wanted.deprecated ? `${to} deprecated` : `${to} not deprecated any more`),
      };
  }
}

const mostTold = 5;

// Rejected assets are reported by name, because the user has to handle them.
function tell({ done, refused }: { done: number; refused: readonly Refusal[] }, selected: ReadonlyMap<string, string>, text: (assets: string) => string) {
  if (refused.length === 0) {
    toast({ title: text(counted(done, "asset")) });
    return;
  }
  toast({
    tone: "bad",
    title: `${refused.length} of ${selected.size} not changed`,
    text: (
      <>
        {refused.slice(0, mostTold).map(({ urn, reason }) => (
          <span key={urn} className={styles["refusal"]}>
            <b>{selected.get(urn) ?? urn}</b>: {reason}
          </span>
        ))}
        {refused.length > mostTold && <span className={styles["refusal"]}>And {refused.length - mostTold} more.</span>}
      </>
    ),
  });
}
