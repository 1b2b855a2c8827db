import { TextInput } from "@mantine/core";
import { useState } from "react";

import { FormDialog } from "../../components/dialog";
import { toast } from "../../components/toast";

interface Props {
  /** The noun for the entity, as in "tag". */
  what: string;
  name: string;
  onRename: (name: string) => Promise<unknown>;
  onClose: () => void;
}

/** A dialog for a new name. References remain valid, because they use the URN. */
export default function RenameDialog({ what, name, onRename, onClose }: Props) {
  const [text, setText] = useState(name);
  const empty = text.trim() === "";
  return (
    <FormDialog
      title={`Rename ${name}`}
      verb="Rename"
      failed="The name stays as it is"
      complete={!empty}
      onClose={onClose}
      onSubmit={async () => {
        if (text.trim() !== name) {
          await onRename(text.trim());
          toast({ title: `${name} is now ${text.trim()}` });
        }
        onClose();
      }}
    >
      {(tried) => (
        <TextInput
          label="Name"
          description={`What carries the ${what} keeps it.`}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={tried && empty ? `A ${what} needs a name.` : null}
          maxLength={200}
          autoComplete="off"
          data-autofocus
        />
      )}
    </FormDialog>
  );
}
