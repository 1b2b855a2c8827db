import { Textarea, TextInput } from "@mantine/core";
import { useState } from "react";

import { FormDialog } from "../../components/dialog";
import { toast } from "../../components/toast";
import { change } from "../../lib/request";
import { isAddress, type Announcement } from "./announcement";
import { CreateAnnouncement, UpdateAnnouncement } from "./edit.operations";

interface Props {
  /** The edited announcement; null for a new one. */
  announcement: Announcement | null;
  onDone: () => Promise<unknown>;
  onClose: () => void;
}

/** A dialog that creates or edits an announcement for all users. */
export default function EditAnnouncement({ announcement, onDone, onClose }: Props) {
  const [title, setTitle] = useState(announcement?.title ?? "");
  const [text, setText] = useState(announcement?.text ?? "");
  const [link, setLink] = useState(announcement?.link ?? "");
  const untitled = title.trim() === "";
  const wrong = link.trim() !== "" && !isAddress(link.trim());
  const submit = async () => {
    const content = {
      contentType: link.trim() ? ("LINK" as const) : ("TEXT" as const),
      title: title.trim(),
      ...(text.trim() ? { description: text.trim() } : {}),
      ...(link.trim() ? { link: link.trim() } : {}),
    };
    const postType = announcement && !announcement.home ? "ENTITY_ANNOUNCEMENT" : "HOME_PAGE_ANNOUNCEMENT";
    await (announcement ? change(UpdateAnnouncement, { input: { urn: announcement.urn, postType, content } }) : change(CreateAnnouncement, { input: { postType, content } }));
    await onDone();
    toast({ title: announcement ? `${title.trim()} was changed` : `${title.trim()} was announced` });
    onClose();
  };
  return (
    <FormDialog
      title={announcement ? "Change announcement" : "Announce something"}
      verb={announcement ? "Save changes" : "Announce"}
      failed={announcement ? "The announcement stays as it was" : "Nothing was announced"}
      complete={!untitled && !wrong}
      onSubmit={submit}
      onClose={onClose}
    >
      {(tried) => (
        <>
          <TextInput
            label="Title"
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
            error={tried && untitled ? "An announcement needs a title." : null}
            maxLength={200}
            autoComplete="off"
            data-autofocus
          />
          <Textarea label="Text" value={text} onChange={(event) => setText(event.currentTarget.value)} maxLength={10_000} rows={4} />
          <TextInput
            label="Leads to"
            description="An address where there is more to read. It may stay empty."
            value={link}
            onChange={(event) => setLink(event.currentTarget.value)}
            error={tried && wrong ? "An address begins with https://, http:// or, in this catalog, with one slash." : null}
            maxLength={200}
            autoComplete="off"
          />
        </>
      )}
    </FormDialog>
  );
}
