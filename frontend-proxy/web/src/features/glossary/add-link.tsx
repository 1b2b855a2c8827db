import { TextInput } from "@mantine/core";
import { useState } from "react";

import { FormDialog } from "../../components/dialog";
import { change } from "../../lib/request";
import { AddALink } from "./add-link.operations";

/** A dialog that adds a link to external documentation. */
export default function AddLink({ urn, name, isAddress, onChanged, onClose }: { urn: string; name: string; isAddress: (url: string) => boolean; onChanged: () => Promise<unknown>; onClose: () => void }) {
  const [url, setUrl] = useState("");
  const [label, setLabel] = useState("");
  const wrong = !isAddress(url.trim());
  return (
    <FormDialog
      title={`Add a link to ${name}`}
      verb="Add link"
      failed="No link was added"
      complete={!wrong}
      onClose={onClose}
      onSubmit={async () => {
        await change(AddALink, { input: { resourceUrn: urn, linkUrl: url.trim(), label: label.trim() || url.trim() } });
        await onChanged();
        onClose();
      }}
    >
      {(tried) => (
        <>
          <TextInput
            label="Address"
            placeholder="https://"
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            error={tried && wrong ? "An address begins with https://, http:// or mailto:." : null}
            maxLength={2000}
            autoComplete="off"
            data-autofocus
          />
          <TextInput label="Shown as" value={label} onChange={(event) => setLabel(event.currentTarget.value)} maxLength={200} autoComplete="off" />
        </>
      )}
    </FormDialog>
  );
}
