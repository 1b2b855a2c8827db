import { Checkbox, Radio, Select, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { FormDialog } from "../../components/dialog";
import { toast } from "../../components/toast";
import { everyPage } from "../../lib/csv";
import { pageIn } from "../../lib/found";
import { change, run } from "../../lib/request";
import { counted } from "../../lib/text";
import type { Definition, Question } from "../../shared/forms/forms";
import { kindName } from "../../shared/properties/values";
import { definitionIn as propertyIn, type Definition as PropertyDefinition } from "../../shared/properties/definition";
import { DefinedProperties } from "../../shared/properties/defined.operations";
import { UpdateForm } from "./forms.operations";
import { carriers } from "./rule";
import { writeQuestions, type Stored } from "./stored";

interface Props {
  form: Definition;
  /** The edited prompt; null for a new one. */
  question: Question | null;
  stored: Stored | undefined;
  /** The number of assets that already have the form. */
  assets: number;
  onSaved: () => Promise<unknown>;
  onClose: () => void;
}

async function readProperties(signal: AbortSignal): Promise<readonly PropertyDefinition[]> {
  const { items } = await everyPage(
    async (start, count) =>
      pageIn((await run(DefinedProperties, { input: { types: ["STRUCTURED_PROPERTY"], query: "*", start, count, searchFlags: { skipAggregates: true, skipHighlighting: true } } }, signal)).data.searchAcrossEntities, propertyIn),
    { size: 200, most: 2000 },
  );
  return items.toSorted((a, b) => a.name.localeCompare(b.name));
}

const suits = (property: PropertyDefinition, ofColumns: boolean) => (ofColumns ? property.carriers.includes("schemaField") : property.carriers.some((type) => (carriers as readonly string[]).includes(type)));

/**
 * A dialog for a prompt and its property. The property of an existing prompt is fixed, because responses are stored
 * as its values.
 */
export function EditQuestion({ form, question, stored, assets, onSaved, onClose }: Props) {
  const [title, setTitle] = useState(question?.title ?? "");
  const [description, setDescription] = useState(question?.description ?? "");
  const [ofColumns, setOfColumns] = useState(question?.ofColumns ?? false);
  const [property, setProperty] = useState(question?.property?.urn ?? null);
  const [required, setRequired] = useState(question?.required ?? true);
  const { data, error } = useQuery({ queryKey: ["forms", "properties"], enabled: question === null, queryFn: ({ signal }) => readProperties(signal) });
  const options = (data ?? []).filter((each) => suits(each, ofColumns)).map((each) => ({ value: each.urn, label: `${each.name} (${kindName(each.kind).toLowerCase()}${each.many ? ", several" : ""})` }));
  const chosen = question !== null || options.some(({ value }) => value === property);
  const save = async () => {
    const text = description.trim();
    if (question === null) {
      await change(UpdateForm, {
        input: {
          urn: form.urn,
          promptsToAdd: [{ title: title.trim(), ...(text ? { description: text } : {}), type: ofColumns ? "FIELDS_STRUCTURED_PROPERTY" : "STRUCTURED_PROPERTY", required, structuredPropertyParams: { urn: property ?? "" } }],
        },
      });
    } else if (stored) {
      await writeQuestions(form.urn, stored, (questions) =>
        questions.map((each) => {
          if (each.id !== question.id) {
            return each;
          }
          const { description: _, ...rest } = each;
          return { ...rest, title: title.trim(), required, ...(text ? { description: text } : {}) };
        }),
      );
    }
    await onSaved();
    toast({ title: question === null ? "The question was added" : "The question was changed" });
    onClose();
  };
  const about = question !== null ? "keeps what was answered, and what is complete stays so" : required ? "is asked it, too, and what was complete is open until it is answered" : "is asked it, too";
  return (
    <FormDialog
      title={question === null ? "Add question" : "Edit question"}
      verb={question === null ? "Add question" : "Save changes"}
      failed={question === null ? "No question was added" : "Nothing was changed"}
      complete={title.trim() !== "" && chosen}
      onSubmit={save}
      onClose={onClose}
    >
      {(tried) => (
        <>
          <TextInput label="Question" value={title} onChange={(event) => setTitle(event.currentTarget.value)} error={tried && title.trim() === "" ? "Write what is asked." : null} maxLength={200} autoComplete="off" data-autofocus />
          <Textarea label="What helps to answer it" value={description} onChange={(event) => setDescription(event.currentTarget.value)} maxLength={10_000} rows={2} />
          {question === null ? (
            <>
              <Radio.Group label="It is asked" value={ofColumns ? "columns" : "asset"} onChange={(value) => setOfColumns(value === "columns")}>
                <Radio value="asset" label="Once, of the asset" mt={6} />
                <Radio value="columns" label="Of each column" mt={6} />
              </Radio.Group>
              <Select
                label="Answered with the property"
                placeholder="Find a structured property"
                data={options}
                value={property}
                onChange={setProperty}
                searchable
                limit={100}
                maxDropdownHeight={220}
                nothingFoundMessage={error ? "The properties could not be read." : data ? "No property suits. Define one on the page of structured properties." : "Searching"}
                error={tried && !chosen ? "Choose the property that takes the answer." : null}
              />
            </>
          ) : (
            <p className="muted small">Answered with {question.property?.name ?? "a property that is gone"}.</p>
          )}
          <Checkbox label="An answer is required" checked={required} onChange={(event) => setRequired(event.currentTarget.checked)} />
          {assets > 0 && (
            <p className="muted small">
              {counted(assets, "asset")} {assets === 1 ? "has" : "have"} the form; each {about}.
            </p>
          )}
        </>
      )}
    </FormDialog>
  );
}
