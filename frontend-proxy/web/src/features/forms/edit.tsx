import type { ComponentProps } from "react";

import { EditForm } from "./edit-form";
import { EditQuestion } from "./edit-question";
import { EditRule } from "./edit-rule";

type Props = ({ what: "form" } & ComponentProps<typeof EditForm>) | ({ what: "question" } & ComponentProps<typeof EditQuestion>) | ({ what: "rule" } & ComponentProps<typeof EditRule>);

/** The dialogs in which a form, one of its questions, or its rule is changed. They share their fields, so they load as one. */
export default function Edit(props: Props) {
  switch (props.what) {
    case "form":
      return <EditForm {...props} />;
    case "question":
      return <EditQuestion {...props} />;
    case "rule":
      return <EditRule {...props} />;
  }
}
