import { notifications } from "@mantine/notifications";
import type { ReactNode } from "react";

import { FailIcon, InfoIcon, PassIcon } from "./icons";

interface Toast {
  tone?: "ok" | "bad" | "info";
  title: string;
  text?: ReactNode;
}

const signs = { ok: PassIcon, bad: FailIcon, info: InfoIcon } as const;

/** Shows the result of an action in the corner. It disappears after six seconds, except for failures. */
export function toast({ tone = "ok", title, text }: Toast) {
  const Sign = signs[tone];
  notifications.show({
    title,
    message: text ?? "",
    autoClose: tone === "bad" ? false : 6000,
    icon: <Sign size={16} stroke={1.5} className={tone} aria-hidden />,
    withBorder: true,
    closeButtonProps: { "aria-label": "Close" },
  });
}
