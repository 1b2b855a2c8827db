import { Checkbox, MultiSelect, Radio, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { FormDialog } from "../../components/dialog";
import { EntitiesField } from "../../shared/pickers/entities-picker";
import { toast } from "../../components/toast";
import { textIn } from "../../lib/answer";
import { shortOf } from "../../lib/text";
import { change } from "../../lib/request";
import { useOwnershipTypes } from "../../shared/asset/ownership-types";
import type { Definition } from "../../shared/forms/forms";
import { CreateForm, UpdateForm } from "./forms.operations";
import { readStored, writeOwnerKinds } from "./stored";

const isUser = (urn: string) => urn.startsWith("urn:li:corpuser:");

interface Props {
  /** The edited form; null for a new one. */
  form: Definition | null;
  /** Called with the URN after the form was saved. */
  onSaved: (urn: string) => Promise<unknown>;
  onClose: () => void;
}

/** A dialog for the name, the description and the respondents of a form. */
export function EditForm({ form, onSaved, onClose }: Props) {
  const [name, setName] = useState(form?.name ?? "");
  const [description, setDescription] = useState(form?.description ?? "");
  const [verifies, setVerifies] = useState(form?.verifies ?? false);
  const [owners, setOwners] = useState(form?.forOwners ?? true);
  const [people, setPeople] = useState<readonly string[]>(form?.people.map(({ urn }) => urn) ?? []);
  const stored = useQuery({ queryKey: ["forms", "stored", form?.urn], enabled: form !== null, queryFn: ({ signal }) => readStored(form?.urn ?? "", signal) }).data;
  const types = useOwnershipTypes();
  const kindsBefore = stored?.ownerKinds ?? [];
  const [kindsChosen, setKinds] = useState<readonly string[] | null>(null);
  const kinds = kindsChosen ?? kindsBefore;
  // The saved state: ownership types are written last, and that request can fail separately.
  const [kept, setKept] = useState(form && { urn: form.urn, people: form.people.map((each) => each.urn) });
  const [saved, setSaved] = useState(false);
  const [partly, setPartly] = useState(false);
  const names = new Map((form?.people ?? []).map((each) => [each.urn, each.name]));
  // Until the form is fully loaded, it may have ownership types as respondents.
  const nobody = !owners && people.length === 0 && kinds.length === 0 && (form === null || stored !== undefined);
  const others =
    form === null || name.trim() !== form.name || description.trim() !== form.description || verifies !== form.verifies || owners !== form.forOwners || [...people].toSorted().join() !== form.people.map(({ urn }) => urn).toSorted().join();
  const store = async (): Promise<string> => {
    const common = { name: name.trim(), type: verifies ? ("VERIFICATION" as const) : ("COMPLETION" as const) };
    if (kept === null) {
      const { createForm } = await change(CreateForm, {
        input: { ...common, ...(description.trim() ? { description: description.trim() } : {}), actors: { owners, users: people.filter(isUser), groups: people.filter((each) => !isUser(each)) } },
      });
      return textIn(createForm?.urn);
    }
    const added = people.filter((each) => !kept.people.includes(each));
    const dropped = kept.people.filter((each) => !people.includes(each));
    const not = (each: string) => !isUser(each);
    await change(UpdateForm, {
      input: {
        ...common,
        urn: kept.urn,
        description: description.trim(),
        actors: { owners, usersToAdd: added.filter(isUser), usersToRemove: dropped.filter(isUser), groupsToAdd: added.filter(not), groupsToRemove: dropped.filter(not) },
      },
    });
    return kept.urn;
  };
  const save = async () => {
    setPartly(false);
    const urn = await store();
    setKept({ urn, people: [...people] });
    setSaved(true);
    if (!owners && kinds.join() !== kindsBefore.join()) {
      setPartly(true);
      await writeOwnerKinds(urn, kinds);
    }
    toast({ title: form === null ? `${name.trim()} was created` : `${name.trim()} was changed` });
    onClose();
    await onSaved(urn);
  };
  return (
    <FormDialog
      title={form === null ? "Create form" : `Edit ${form.name}`}
      verb={kept === null ? "Create form" : "Save changes"}
      failed={partly ? (others ? "The form was saved, but not the types of its owners" : "The types of its owners were not saved") : kept === null ? "No form was created" : saved ? "Nothing more was saved" : "Nothing was changed"}
      complete={name.trim() !== "" && !nobody}
      onSubmit={save}
      onClose={() => {
        onClose();
        if (saved && kept !== null) {
          void onSaved(kept.urn);
        }
      }}
    >
      {(tried) => (
        <>
          <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} error={tried && name.trim() === "" ? "A form needs a name." : null} maxLength={200} autoComplete="off" data-autofocus />
          <Textarea label="What it is for" description="Those who fill it in read it above the questions." value={description} onChange={(event) => setDescription(event.currentTarget.value)} maxLength={10_000} rows={3} />
          <Radio.Group label="Kind" value={verifies ? "VERIFICATION" : "COMPLETION"} onChange={(value) => setVerifies(value === "VERIFICATION")}>
            <Radio value="COMPLETION" label="Completion" description="It is done once the required questions are answered." mt={6} />
            <Radio value="VERIFICATION" label="Verification" description="Somebody confirms the answers, too." mt={6} />
          </Radio.Group>
          <Checkbox label="The owners of an asset fill it in" checked={owners} onChange={(event) => setOwners(event.currentTarget.checked)} />
          {!owners && (
            <MultiSelect
              label="Owners of these types fill it in"
              placeholder={kinds.length === 0 ? "Choose types of owners" : ""}
              data={[...types.map(({ urn, info }) => ({ value: urn, label: info?.name ?? urn })), ...kinds.filter((kind) => !types.some(({ urn }) => urn === kind)).map((kind) => ({ value: kind, label: shortOf(kind) }))]}
              value={[...kinds]}
              onChange={setKinds}
              disabled={form !== null && !stored}
              searchable
              hidePickedOptions
              maxDropdownHeight={220}
            />
          )}
          <EntitiesField label="People and groups who fill it in on every asset" placeholder={people.length === 0 ? "Find a person or group" : ""} types={["CORP_USER", "CORP_GROUP"]} names={names} value={people} onChange={setPeople} />
          {tried && nobody && (
            <p className="bad small" role="alert">
              Somebody has to fill it in: owners, people or groups.
            </p>
          )}
          {form === null && <p className="muted small">Its questions and its assets are chosen on its page, which opens next.</p>}
        </>
      )}
    </FormDialog>
  );
}
