import { Textarea, TextInput } from "@mantine/core";
import { useState } from "react";

import { EntityField } from "../../shared/pickers/entity-picker";
import { Confirm, FormDialog } from "../../components/dialog";
import { useNames } from "../../shared/entities/entities";
import { EditIcon, PassIcon, WarnIcon } from "../../components/icons";
import { RowMenu, type RowAction } from "../../components/row-menu";
import { toast } from "../../components/toast";
import { kindOf, typeInGraphQL } from "../../lib/asset";
import { dayOf, startOf } from "../../lib/day";
import RenameDialog from "../../shared/govern/rename";
import type { Asset } from "../../shared/asset/asset";
import { deprecate, isNamable, reasonOf, rename, useEdit } from "../../shared/asset/edit";

const icon = { size: 16, stroke: 1.5, "aria-hidden": true } as const;

/** Actions on an asset as a whole: renaming and deprecation. */
export default function Acts({ asset }: { asset: Asset }) {
  const { urn, type, name, deprecation, has } = asset;
  const edit = useEdit(urn);
  const [asked, setAsked] = useState<"rename" | "deprecate" | "restore" | null>(null);
  const close = () => setAsked(null);
  const may = reasonOf(asset, "canEditDeprecation");
  const actions: RowAction[] = [
    ...(isNamable(type) ? [{ name: "Rename", icon: <EditIcon {...icon} />, reason: type === "dataset" ? reasonOf(asset, "canEditProperties") : null, onClick: () => setAsked("rename") }] : []),
    ...(has.has("deprecation") ? [{ name: deprecation ? "Change the deprecation" : "Deprecate", icon: <WarnIcon {...icon} />, reason: may, onClick: () => setAsked("deprecate") }] : []),
    ...(deprecation ? [{ name: "End the deprecation", icon: <PassIcon {...icon} />, reason: may, onClick: () => setAsked("restore") }] : []),
  ];
  if (actions.length === 0) {
    return null;
  }
  return (
    <>
      <RowMenu label={`More for ${name}`} actions={actions} />
      {asked === "rename" && (
        <RenameDialog
          what={kindOf(type).one}
          name={name}
          onClose={close}
          onRename={(after) =>
            edit(
              (before) => ({ ...before, name: after }),
              () => rename(urn, after),
            )
          }
        />
      )}
      {asked === "deprecate" && (
        <Deprecation
          asset={asset}
          onClose={close}
          onSave={(after) =>
            edit(
              (before) => ({ ...before, deprecation: after }),
              () => deprecate(urn, after),
            )
          }
        />
      )}
      {asked === "restore" && (
        <Confirm
          title={`May ${name} be used again?`}
          verb="End the deprecation"
          danger={false}
          onClose={close}
          onConfirm={async () => {
            await edit(
              (before) => ({ ...before, deprecation: null }),
              () => deprecate(urn, null),
            );
            toast({ title: `${name} is not deprecated any more` });
          }}
        >
          <p>The note, the day it goes and what to use instead are taken out.</p>
        </Confirm>
      )}
    </>
  );
}

function Deprecation({ asset: { urn, type, name, deprecation }, onSave, onClose }: { asset: Asset; onSave: (deprecation: Asset["deprecation"]) => Promise<unknown>; onClose: () => void }) {
  const [note, setNote] = useState(deprecation?.note ?? "");
  const [day, setDay] = useState(deprecation?.until === undefined ? "" : dayOf(deprecation.until));
  const [successor, setSuccessor] = useState<string | null>(deprecation?.successor || null);
  const names = useNames(deprecation?.successor ? [deprecation.successor] : []);
  const goes = startOf(day);
  const until = deprecation?.until !== undefined && dayOf(deprecation.until) === day ? deprecation.until : (goes ?? undefined); // keep the time of day
  const wrong = successor === urn ? "It cannot take its own place." : null;
  return (
    <FormDialog
      title={deprecation ? `Deprecation of ${name}` : `Deprecate ${name}`}
      verb={deprecation ? "Save changes" : "Deprecate"}
      failed="The deprecation stays as it is"
      complete={wrong === null && (day === "" || goes !== null)}
      onClose={onClose}
      onSubmit={async () => {
        await onSave({ note: note.trim(), until, by: deprecation?.by ?? "", successor: successor ?? "" });
        toast({ title: deprecation ? "The deprecation was changed" : `${name} is deprecated` });
        onClose();
      }}
    >
      {(tried) => (
        <>
          <Textarea label="Why it should not be used any more" value={note} maxLength={10_000} rows={3} onChange={(event) => setNote(event.currentTarget.value)} data-autofocus />
          <TextInput label="Goes on" description="The day it is switched off, where that is known." type="date" value={day} onChange={(event) => setDay(event.currentTarget.value)} error={tried && day !== "" && goes === null ? "This is no day." : null} />
          <EntityField label="Use instead" placeholder={`Find a ${kindOf(type).one}`} types={[typeInGraphQL(type)]} names={names} value={successor} onChange={setSuccessor} />
          {wrong && (
            <p className="bad small" role="alert">
              {wrong}
            </p>
          )}
        </>
      )}
    </FormDialog>
  );
}
