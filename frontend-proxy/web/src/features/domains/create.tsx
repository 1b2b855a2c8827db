import { Textarea, TextInput } from "@mantine/core";
import { useState } from "react";

import { FormDialog } from "../../components/dialog";
import { toast } from "../../components/toast";
import { change } from "../../lib/request";
import { CreateDomain as Create } from "./create.operations";

interface Props {
  parent: { urn: string; name: string } | null;
  onMade: () => Promise<unknown>;
  onClose: () => void;
}

/** A dialog that creates a domain at the top level or below a parent. */
export default function CreateDomain({ parent, onMade, onClose }: Props) {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const what = parent ? "sub-domain" : "domain";
  return (
    <FormDialog
      title={`Create ${what}`}
      verb={`Create ${what}`}
      failed="No domain was created"
      complete={name.trim() !== ""}
      onClose={onClose}
      onSubmit={async () => {
        await change(Create, { input: { name: name.trim(), ...(description.trim() ? { description: description.trim() } : {}), ...(parent ? { parentDomain: parent.urn } : {}) } });
        await onMade();
        toast({ title: `${name.trim()} was created` });
        onClose();
      }}
    >
      {(tried) => (
        <>
          <p className="muted break">{parent ? `It stands below ${parent.name}.` : "It stands at the top. Domains can be nested later."}</p>
          <TextInput
            label="Name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={tried && name.trim() === "" ? "A domain needs a name." : null}
            maxLength={200}
            autoComplete="off"
            data-autofocus
          />
          <Textarea label="What is in it" value={description} onChange={(event) => setDescription(event.currentTarget.value)} maxLength={10_000} rows={3} />
        </>
      )}
    </FormDialog>
  );
}
