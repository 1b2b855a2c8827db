
import { Confirm } from "../../components/dialog";
import { toast } from "../../components/toast";
import { Fallback, lazy } from "../../lib/lazy";
import { change } from "../../lib/request";
import { counted } from "../../lib/text";
import { ChooseDialog, OwnersDialog, RenameDialog } from "../../shared/govern/dialogs";
import { Rename } from "../../shared/govern/govern.operations";
import { PutIntoDomain } from "../../shared/govern/membership.operations";
import { Uses } from "../../shared/govern/uses";
import type { Domain } from "./domain";
import { DeleteDomain, MoveDomain } from "./domains.operations";

const CreateDomain = lazy(() => import("./create"));

/** The open dialog and its domain; null is the top level. */
export type Asked = { domain: Domain | null; what: "create" | "rename" | "move" | "owners" | "assign" | "delete" };

/** The types that can belong to a domain. */
export const assetTypes = ["DATASET", "DASHBOARD", "CHART", "DATA_FLOW", "DATA_JOB", "CONTAINER", "DATA_PRODUCT", "APPLICATION", "GLOSSARY_TERM", "MLMODEL", "MLFEATURE", "MLFEATURE_TABLE", "NOTEBOOK"] as const;

/** Renders the open dialog. */
export function Acts({ asked: { domain, what }, onChanged, onClose }: { asked: Asked; onChanged: () => Promise<unknown>; onClose: () => void }) {
  if (what === "create") {
    return (
      <Fallback show={null}>
        <CreateDomain parent={domain} onMade={onChanged} onClose={onClose} />
      </Fallback>
    );
  }
  if (!domain) {
    return null;
  }
  switch (what) {
    case "rename":
      return (
        <RenameDialog
          what="domain"
          name={domain.name}
          onClose={onClose}
          onRename={async (name) => {
            await change(Rename, { input: { urn: domain.urn, name } });
            await onChanged();
          }}
        />
      );
    case "move":
      return <Move domain={domain} onChanged={onChanged} onClose={onClose} />;
    case "owners":
      return <OwnersDialog urn={domain.urn} name={domain.name} onChanged={() => void onChanged()} onClose={onClose} />;
    case "assign":
      return <AssignDialog urn={domain.urn} name={domain.name} onChanged={onChanged} onClose={onClose} />;
    case "delete":
      return <Remove domain={domain} onChanged={onChanged} onClose={onClose} />;
  }
}

/** A dialog that adds assets to a domain. */
export function AssignDialog({ urn, name, onChanged, onClose }: { urn: string; name: string; onChanged: () => Promise<unknown>; onClose: () => void }) {
  return (
    <ChooseDialog
      title={`Add assets to ${name}`}
      about="An asset is in one domain. One that is in another domain now leaves it."
      verb="Add to domain"
      what="an asset"
      find="Find an asset"
      types={assetTypes}
      multiple
      onClose={onClose}
      onChoose={async (chosen) => {
        await change(PutIntoDomain, { input: { domainUrn: urn, resources: [...chosen.keys()].map((resourceUrn) => ({ resourceUrn })) } });
        await onChanged();
        toast({ title: `${counted(chosen.size, "asset")} added to ${name}` });
      }}
    />
  );
}

function Move({ domain, onChanged, onClose }: { domain: Domain; onChanged: () => Promise<unknown>; onClose: () => void }) {
  const send = async (parentDomain: string | null, where: string) => {
    await change(MoveDomain, { input: { resourceUrn: domain.urn, ...(parentDomain ? { parentDomain } : {}) } });
    await onChanged();
    toast({ title: `${domain.name} was moved ${where}` });
  };
  return (
    <ChooseDialog
      title={`Move ${domain.name} below`}
      about={`It is ${domain.above.length > 0 ? `below ${domain.above.join(" / ")}` : "at the top"} now. Its sub-domains and assets move along.`}
      verb="Move"
      what="a domain"
      find="Find a domain"
      types={["DOMAIN"]}
      without={new Set([domain.urn])}
      {...(domain.above.length > 0 ? { clear: "Move to the top", onClear: () => send(null, "to the top") } : {})}
      onClose={onClose}
      onChoose={(chosen) => {
        const [urn = "", name = ""] = [...chosen][0] ?? [];
        return send(urn, `below ${name}`);
      }}
    />
  );
}

function Remove({ domain, onChanged, onClose }: { domain: Domain; onChanged: () => Promise<unknown>; onClose: () => void }) {
  return (
    <Confirm
      title={`Delete ${domain.name}?`}
      verb="Delete domain"
      {...(domain.assets > 0 ? { typed: domain.name } : {})}
      onClose={onClose}
      onConfirm={async () => {
        await change(DeleteDomain, { urn: domain.urn });
        await onChanged();
        toast({ title: `${domain.name} was deleted` });
      }}
    >
      <Uses field="domains" urn={domain.urn} verb="are in it" none="Nothing is in it." />
      <p>
        Assets stay, without a domain.
        {domain.below > 0 && ` It has ${counted(domain.below, "sub-domain")}: move or delete them first.`} This cannot be undone.
      </p>
    </Confirm>
  );
}
