import { AddIcon, EditIcon, LessIcon } from "../../components/icons";

/** The signs of what became of a column, with the tones that repeat what they say. */
export const differenceSigns = {
  added: { Icon: AddIcon, tone: "ok" },
  changed: { Icon: EditIcon, tone: "warn" },
  removed: { Icon: LessIcon, tone: "bad" },
} as const;
