import { Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { FormDialog } from "../../components/dialog";
import { toast } from "../../components/toast";
import { change } from "../../lib/request";
import { CreateGroup as Create } from "./groups.operations";

/** A dialog that creates a group. */
export function CreateGroup({ onMade, onClose }: { onMade: (urn: string) => void; onClose: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [id, setId] = useState("");
  const create = async () => {
    const { createGroup: urn } = await change(Create, {
      input: { name: name.trim(), ...(description.trim() ? { description: description.trim() } : {}), ...(id.trim() ? { id: id.trim() } : {}) },
    });
    await queries.invalidateQueries({ queryKey: ["groups"] });
    toast({ title: `${name.trim()} was created` });
    onMade(urn ?? "");
  };
  return (
    <FormDialog title="Create group" verb="Create group" failed="No group was created" complete={name.trim() !== ""} onSubmit={create} onClose={onClose}>
      {(tried) => (
        <>
            <TextInput
              label="Name"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              error={tried && name.trim() === "" ? "A group needs a name." : null}
              maxLength={200}
              autoComplete="off"
              data-autofocus
            />
            <Textarea label="Description" value={description} onChange={(event) => setDescription(event.currentTarget.value)} maxLength={10_000} rows={3} />
            <TextInput
              label="Id"
              description="The last part of its URN, which stays. One is made up where this is empty."
              value={id}
              onChange={(event) => setId(event.currentTarget.value)}
              maxLength={200}
              autoComplete="off"
              spellCheck={false}
            />
        </>
      )}
    </FormDialog>
  );
}
