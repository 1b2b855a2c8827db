import { AddIcon, EditIcon, LessIcon } from "../../components/icons";

/** The icons and tones for differences of columns. The tone repeats the meaning of the icon. */
export const differenceSigns = {
  added: { Icon: AddIcon, tone: "ok" },
  changed: { Icon: EditIcon, tone: "warn" },
  removed: { Icon: LessIcon, tone: "bad" },
} as const;
