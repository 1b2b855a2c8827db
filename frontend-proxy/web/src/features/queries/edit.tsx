import { Textarea, TextInput } from "@mantine/core";
import { useState } from "react";

import { FormDialog } from "../../components/dialog";
import { change } from "../../lib/request";
import { CreateQuery, UpdateQuery } from "./queries.operations";
import type { Query } from "./query";
import styles from "./queries.module.css";

interface Props {
  /** The dataset of a new query. */
  dataset: string;
  /** The edited query; null for a new one. */
  query: Query | null;
  onSaved: () => Promise<unknown>;
  onClose: () => void;
}

/** A dialog for a query and its description. If the save fails, the input stays. */
export default function EditQuery({ dataset, query, onSaved, onClose }: Props) {
  const [name, setName] = useState(query?.name ?? "");
  const [description, setDescription] = useState(query?.description ?? "");
  const [statement, setStatement] = useState(query?.statement ?? "");
  return (
    <FormDialog
      title={query ? "Edit query" : "New query"}
      verb={query ? "Save changes" : "Create query"}
      failed={query ? "The query was not changed" : "No query was created"}
      complete={statement.trim() !== ""}
      onClose={onClose}
      onSubmit={async () => {
        const properties = { name: name.trim(), description: description.trim(), statement: { value: statement.trim(), language: "SQL" as const } };
        await (query ? change(UpdateQuery, { urn: query.urn, input: { properties } }) : change(CreateQuery, { input: { properties, subjects: [{ datasetUrn: dataset }] } }));
        await onSaved();
        onClose();
      }}
    >
      {(tried) => (
        <>
          <TextInput label="Name" value={name} maxLength={200} autoComplete="off" data-autofocus onChange={(event) => setName(event.currentTarget.value)} />
          <Textarea label="What it is for" value={description} maxLength={5000} rows={2} onChange={(event) => setDescription(event.currentTarget.value)} />
          <Textarea
            label="SQL"
            value={statement}
            maxLength={100_000}
            rows={10}
            spellCheck={false}
            classNames={{ input: styles["sql"] ?? "" }}
            error={tried && statement.trim() === "" ? "A query needs its text." : null}
            onChange={(event) => setStatement(event.currentTarget.value)}
          />
        </>
      )}
    </FormDialog>
  );
}
