import type { ComponentProps } from "react";

import { EditForm } from "./edit-form";
import { EditQuestion } from "./edit-question";
import { EditRule } from "./edit-rule";

type Props = ({ what: "form" } & ComponentProps<typeof EditForm>) | ({ what: "question" } & ComponentProps<typeof EditQuestion>) | ({ what: "rule" } & ComponentProps<typeof EditRule>);

/** The dialogs that edit a form, a prompt or the rule. They share their fields, so they are loaded together. */
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
