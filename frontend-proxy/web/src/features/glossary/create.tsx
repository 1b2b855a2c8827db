import { Textarea, TextInput } from "@mantine/core";
import { useState } from "react";

import { FormDialog } from "../../components/dialog";
import { toast } from "../../components/toast";
import { change } from "../../lib/request";
import type { Above } from "./entry";
import { CreateGroupOfTerms, CreateTerm } from "./create.operations";

interface Props {
  group: boolean;
  /** The parent group; null for the top level. */
  parent: Above | null;
  onMade: (urn: string) => void;
  onClose: () => void;
}

/** A dialog that creates a term or a group. */
export default function CreateEntry({ group, parent, onMade, onClose }: Props) {
  const [name, setName] = useState("");
  const [definition, setDefinition] = useState("");
  const what = group ? "group" : "term";
  const create = async () => {
    const input = { name: name.trim(), ...(definition.trim() ? { description: definition.trim() } : {}), ...(parent ? { parentNode: parent.urn } : {}) };
    const urn = group ? (await change(CreateGroupOfTerms, { input })).createGlossaryNode : (await change(CreateTerm, { input })).createGlossaryTerm;
    toast({ title: `${name.trim()} was created` });
    onMade(urn ?? "");
  };
  return (
    <FormDialog title={`Create ${what}`} verb={`Create ${what}`} failed={`No ${what} was created`} complete={name.trim() !== ""} onSubmit={create} onClose={onClose}>
      {(tried) => (
        <>
          <p className="muted break">{parent ? `It goes into ${parent.name}.` : "It stands at the top of the glossary."}</p>
          <TextInput
            label="Name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={tried && name.trim() === "" ? `A ${what} needs a name.` : null}
            maxLength={200}
            autoComplete="off"
            data-autofocus
          />
          <Textarea
            label="Definition"
            description="What the word means here, so that two people understand the same."
            value={definition}
            onChange={(event) => setDefinition(event.currentTarget.value)}
            maxLength={10_000}
            rows={4}
          />
        </>
      )}
    </FormDialog>
  );
}
