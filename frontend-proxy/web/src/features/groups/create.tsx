import { Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";

import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Note } from "../../components/parts";
import { toast } from "../../components/toast";
import { problemOf } from "../../lib/problem";
import { change } from "../../lib/request";
import { CreateGroup as Create } from "./groups.operations";

/** Asks what a new group is called, and makes it. */
export function CreateGroup({ onMade, onClose }: { onMade: (urn: string) => void; onClose: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [id, setId] = useState("");
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const form = useId();
  const submit = async () => {
    setTried(true);
    if (name.trim() === "") {
      return;
    }
    setBusy(true);
    setRefusal(null);
    try {
      const { createGroup: urn } = await change(Create, {
        input: { name: name.trim(), ...(description.trim() ? { description: description.trim() } : {}), ...(id.trim() ? { id: id.trim() } : {}) },
      });
      await queries.invalidateQueries({ queryKey: ["groups"] });
      toast({ title: `${name.trim()} was created` });
      onMade(urn ?? "");
    } catch (failure) {
      setRefusal(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Create group"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={busy} type="submit" form={form}>
            Create group
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
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
        {refusal !== null && (
          <Note tone="bad" title="No group was created">
            {problemOf(refusal).message}
          </Note>
        )}
      </form>
    </Dialog>
  );
}
