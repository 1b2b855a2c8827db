import { Checkbox, MultiSelect, Select, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";

import { FormDialog } from "../../components/dialog";
import { EntitiesField } from "../../shared/pickers/entities-picker";
import { toast } from "../../components/toast";
import { kindOf } from "../../lib/asset";
import { change } from "../../lib/request";
import { kindName } from "../../shared/properties/values";
import { allowedIn, allowedText, places, typeUrn, valueOf, type Definition, type Place } from "../../shared/properties/definition";
import { CreateProperty, UpdateProperty } from "./structured-properties.operations";
import { carriers } from "./uses";

const kinds = ["string", "rich_text", "number", "date", "urn"];

const none: ReadonlyMap<string, string> = new Map();

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

// The reason why previously allowed values cannot be removed.
const kept = <Value,>(before: readonly Value[], now: readonly Value[]) => (before.some((each) => !now.includes(each)) ? "Some may be in use already, so they stay." : "");

/** A dialog that creates a property, or changes one in ways that keep existing values valid. */
export default function EditProperty({ property, onSaved, onClose }: { property: Definition | null; onSaved: () => Promise<unknown>; onClose: () => void }) {
  const [name, setName] = useState(property?.name ?? "");
  const [id, setId] = useState("");
  const [description, setDescription] = useState(property?.description ?? "");
  const [kind, setKind] = useState(property?.kind ?? "string");
  const [many, setMany] = useState(property?.many ?? false);
  const [immutable, setImmutable] = useState(property?.immutable ?? false);
  const [types, setTypes] = useState<readonly string[]>(property?.carriers ?? ["dataset"]);
  // All allowed values are edited as lines. If lines cannot represent the existing values, the user can only add new
  // ones.
  const [written] = useState(() => (property && property.allowed.length > 0 ? allowedText(property.kind, property.allowed) : null));
  const [allowed, setAllowed] = useState(written ?? "");
  const [platforms, setPlatforms] = useState<readonly string[]>(property?.platforms ?? []);
  const [targets, setTargets] = useState<readonly string[]>(property?.targets ?? []);
  const [shown, setShown] = useState<ReadonlySet<Place>>(property?.shown ?? new Set());
  const { values, problem: unreadable } = allowedIn(kind, allowed);
  const problem = unreadable || (written === null || property === null ? "" : kept(property.allowed.map(({ value }) => value), values.map(valueOf)));
  const dropped = (property?.carriers ?? []).filter((type) => !types.includes(type));
  const typesProblem = types.length === 0 ? "Choose at least one type." : dropped.length > 0 ? `${dropped.map((type) => capital(kindOf(type).many)).join(", ")} may have values already, so they stay.` : "";
  const platformsProblem = kept(property?.platforms ?? [], platforms);
  const targetsProblem = kept(property?.targets ?? [], targets);
  // If all platforms or types are allowed, adding some would narrow the property.
  const limitsPlatforms = property === null || property.platforms.length > 0;
  const limitsTargets = kind === "urn" && (property === null || property.targets.length > 0);
  const hiddenProblem = shown.has("isHidden") && shown.size > 1 ? "A hidden property is shown nowhere else." : "";
  const restricts = property === null ? kind !== "urn" && kind !== "rich_text" : property.allowed.length > 0;
  const save = async () => {
    const common = { displayName: name.trim(), description: description.trim(), immutable, settings: Object.fromEntries(places.map((place) => [place.name, shown.has(place.name)])) };
    const more = restricts && written === null ? values : [];
    const all = written === null || allowed === written ? {} : { allowedValues: values };
    if (property === null) {
      await change(CreateProperty, {
        input: { ...common, ...(id.trim() ? { qualifiedName: id.trim() } : {}), valueType: `urn:li:dataType:datahub.${kind}`, cardinality: many ? "MULTIPLE" : "SINGLE", entityTypes: types.map(typeUrn), ...(more.length > 0 ? { allowedValues: more } : {}), ...(platforms.length > 0 ? { allowedPlatforms: [...platforms] } : {}), ...(kind === "urn" && targets.length > 0 ? { typeQualifier: { allowedTypes: targets.map(typeUrn) } } : {}) },
      });
    } else {
      const added = types.filter((type) => !property.carriers.includes(type)).map(typeUrn);
      const newPlatforms = platforms.filter((urn) => !property.platforms.includes(urn));
      const newTargets = targets.filter((type) => !property.targets.includes(type)).map(typeUrn);
      await change(UpdateProperty, {
        input: { ...common, ...all, urn: property.urn, ...(many && !property.many ? { setCardinalityAsMultiple: true } : {}), ...(added.length > 0 ? { newEntityTypes: added } : {}), ...(more.length > 0 ? { newAllowedValues: more } : {}), ...(newPlatforms.length > 0 ? { newAllowedPlatforms: newPlatforms } : {}), ...(newTargets.length > 0 ? { typeQualifier: { newAllowedTypes: newTargets } } : {}) },
      });
    }
    await onSaved();
    toast({ title: property === null ? `${name.trim()} was created` : `${name.trim()} was changed` });
    onClose();
  };
  return (
    <FormDialog
      title={property === null ? "Create property" : `Edit ${property.name}`}
      verb={property === null ? "Create property" : "Save changes"}
      failed={property === null ? "No property was created" : "Nothing was changed"}
      complete={name.trim() !== "" && problem === "" && typesProblem === "" && platformsProblem === "" && targetsProblem === "" && hiddenProblem === ""}
      onSubmit={save}
      onClose={onClose}
    >
      {(tried) => (
        <>
          <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} error={tried && name.trim() === "" ? "A property needs a name." : null} maxLength={200} autoComplete="off" data-autofocus />
          <Textarea label="Description" value={description} onChange={(event) => setDescription(event.currentTarget.value)} maxLength={10_000} rows={2} />
          {property === null && (
            <>
              <TextInput label="Qualified name" description="As searches name it, such as care.tier. It stays; one is made up where this is empty." value={id} onChange={(event) => setId(event.currentTarget.value)} maxLength={200} autoComplete="off" spellCheck={false} />
              <Select label="Values" data={kinds.map((value) => ({ value, label: kindName(value) }))} value={kind} allowDeselect={false} onChange={(value) => setKind(value ?? "string")} />
            </>
          )}
          <MultiSelect label="Applies to" data={[...new Set([...carriers, ...types])].map((value) => ({ value, label: capital(kindOf(value).many) }))} value={[...types]} onChange={setTypes} error={(tried || dropped.length > 0) && typesProblem !== "" ? typesProblem : null} />
          {limitsPlatforms && (
            <div>
              <EntitiesField label="On assets of these platforms alone" placeholder={platforms.length === 0 ? "Any platform" : ""} types={["DATA_PLATFORM"]} names={none} value={platforms} onChange={setPlatforms} />
              {platformsProblem && (
                <p className="bad small" role="alert">
                  {platformsProblem}
                </p>
              )}
            </div>
          )}
          {limitsTargets && (
            <MultiSelect label="A value is one of" placeholder={targets.length === 0 ? "Any type" : ""} data={[...new Set([...carriers, ...targets])].map((value) => ({ value, label: capital(kindOf(value).many) }))} value={[...targets]} onChange={setTargets} error={targetsProblem || null} searchable hidePickedOptions />
          )}
          {restricts && (
            <Textarea
              label={property === null || written !== null ? "Allowed values" : "More allowed values"}
              description={
                property === null
                  ? "One a line, in the order of menus, with what it means behind a bar: gold | Within an hour. None allows any; values can be added later, not taken away."
                  : written === null
                    ? "One a line, with what it means behind a bar, added to those there are."
                    : "One a line, in the order of menus, with what it means behind a bar. Those there are stay."
              }
              value={allowed}
              onChange={(event) => setAllowed(event.currentTarget.value)}
              error={problem || null}
              rows={Math.min(8, Math.max(3, allowed.split("\n").length))}
            />
          )}
          <Checkbox label="Assets may have several values" checked={many} disabled={property?.many ?? false} onChange={(event) => setMany(event.currentTarget.checked)} />
          <Checkbox label="A value stays once it is set" checked={immutable} onChange={(event) => setImmutable(event.currentTarget.checked)} />
          <Checkbox.Group label="Shown" error={hiddenProblem || null} value={[...shown]} onChange={(names) => setShown(new Set(places.flatMap((place) => (names.includes(place.name) ? [place.name] : []))))}>
            {places.map((place) => (
              <Checkbox key={place.name} value={place.name} label={place.text} mt={6} />
            ))}
          </Checkbox.Group>
        </>
      )}
    </FormDialog>
  );
}
