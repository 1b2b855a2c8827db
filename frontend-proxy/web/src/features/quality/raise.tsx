import { Textarea, TextInput } from "@mantine/core";
import { useState } from "react";

import { FormDialog } from "../../components/dialog";
import { Bones } from "../../components/parts";
import { toast } from "../../components/toast";
import { Fallback, lazy } from "../../lib/lazy";
import type { Asset } from "../../shared/asset/asset";
import { useRaise } from "./edit";
import { kinds, priorities } from "../../shared/quality/quality";
import styles from "./quality.module.css";

// Loaded lazily; the user can fill in the text fields before it arrives.
const EntitiesField = lazy(async () => ({ default: (await import("../../shared/pickers/entities-picker")).EntitiesField }));

type Kind = keyof typeof kinds;
type Priority = keyof typeof priorities;

interface Props {
  asset: Asset;
  onRaised: (urn: string) => void;
  onClose: () => void;
}

const keyIn = <Key extends string>(table: Readonly<Record<Key, string>>, value: string, fallback: Key): Key => (Object.hasOwn(table, value) ? (value as Key) : fallback);
const none: ReadonlyMap<string, string> = new Map();

/** A dialog that raises an incident on an asset. */
export default function Raise({ asset, onRaised, onClose }: Props) {
  const [title, setTitle] = useState("");
  const [description, setDescription] = useState("");
  const [kind, setKind] = useState<Kind>("OPERATIONAL");
  const [custom, setCustom] = useState("");
  const [priority, setPriority] = useState<Priority | "">("");
  const [assignees, setAssignees] = useState<string[]>([]);
  const raise = useRaise(asset.urn);
  const unnamed = title.trim() === "";
  const unkind = kind === "CUSTOM" && custom.trim() === "";
  return (
    <FormDialog
      title="Raise an incident"
      verb="Raise incident"
      failed="No incident was raised"
      complete={!unnamed && !unkind}
      onClose={onClose}
      onSubmit={async () => {
        const urn = await raise({
          resourceUrn: asset.urn,
          type: kind,
          title: title.trim(),
          startedAt: Date.now(),
          ...(kind === "CUSTOM" ? { customType: custom.trim() } : {}),
          ...(description.trim() ? { description: description.trim() } : {}),
          ...(priority ? { priority } : {}),
          ...(assignees.length > 0 ? { assigneeUrns: assignees } : {}),
        });
        toast({ title: `${title.trim()} was raised`, text: `Everybody who looks at ${asset.name} sees it.` });
        onClose();
        onRaised(urn);
      }}
    >
      {(tried) => (
        <>
          <TextInput
            label="What is wrong"
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
            error={tried && unnamed ? "Tell in a few words what is wrong." : null}
            maxLength={200}
            autoComplete="off"
            data-autofocus
          />
          <Textarea label="What it means for people" value={description} onChange={(event) => setDescription(event.currentTarget.value)} maxLength={100_000} rows={3} />
          <div className={styles["fields"]}>
            <label>
              Kind
              <select className={styles["select"]} value={kind} onChange={(event) => setKind(keyIn(kinds, event.currentTarget.value, "OPERATIONAL"))}>
                {Object.entries(kinds).map(([key, word]) => (
                  <option key={key} value={key}>
                    {word}
                  </option>
                ))}
              </select>
            </label>
            <label>
              Priority
              <select className={styles["select"]} value={priority} onChange={(event) => setPriority(event.currentTarget.value === "" ? "" : keyIn(priorities, event.currentTarget.value, "MEDIUM"))}>
                <option value="">None</option>
                {Object.entries(priorities).map(([key, word]) => (
                  <option key={key} value={key}>
                    {word}
                  </option>
                ))}
              </select>
            </label>
          </div>
          {kind === "CUSTOM" && (
            <TextInput label="Kind in your words" value={custom} onChange={(event) => setCustom(event.currentTarget.value)} error={tried && unkind ? "Another kind needs a name." : null} maxLength={100} autoComplete="off" />
          )}
          <Fallback show={<Bones rows={1} what="the people" />}>
            <EntitiesField label="Who works on it" placeholder={assignees.length === 0 ? "Find a person or group" : ""} types={["CORP_USER", "CORP_GROUP"]} names={none} value={assignees} onChange={setAssignees} />
          </Fallback>
        </>
      )}
    </FormDialog>
  );
}
