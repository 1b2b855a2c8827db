import { Tooltip } from "@mantine/core";
import type { ComponentPropsWithoutRef, ReactNode, Ref } from "react";

import { LockIcon } from "./icons";
import styles from "./button.module.css";

export type Look = "plain" | "primary" | "danger" | "careful" | "quiet";

interface Looks {
  look?: Look;
  size?: "small" | "medium" | "large";
  /** A button with an icon and no children shows the icon alone; label is then its accessible name. */
  icon?: ReactNode;
  full?: boolean;
}

interface Props extends Omit<ComponentPropsWithoutRef<"button">, "disabled">, Looks {
  /** The reason why the button is disabled. The button stays focusable and shows the reason. */
  reason?: string | null | undefined;
  /** Set if the reason is not a missing privilege, as at the end of a list: the icon is then not replaced by a lock. */
  unlocked?: boolean;
  /** Whether the action is running. */
  busy?: boolean;
  label?: string;
  ref?: Ref<HTMLButtonElement>;
}

const classes = ({ look = "plain", size = "medium", full }: Looks, alone: boolean) =>
  [styles["button"], look !== "plain" && styles[look], size !== "medium" && styles[size], alone && styles["icon"], full && styles["full"]].filter(Boolean).join(" ");

/** A button. A disabled button stays visible and states the reason. */
export function Button({ look, size, icon, full, reason, unlocked = false, busy = false, label, children, onClick, className, ref, ...rest }: Props) {
  const alone = children === undefined;
  const off = Boolean(reason) || busy;
  const button = (
    <button
      type="button"
      {...rest}
      ref={ref}
      className={[classes({ ...(look ? { look } : {}), ...(size ? { size } : {}), ...(full ? { full } : {}) }, alone), className].filter(Boolean).join(" ")}
      {...(label ? { "aria-label": label } : {})}
      {...(reason ? { "aria-disabled": true } : {})}
      {...(busy ? { "aria-busy": true } : {})}
      onClick={(event) => {
        if (off) {
          event.preventDefault();
        } else {
          onClick?.(event);
        }
      }}
    >
      {busy ? <span className={styles["spin"]} aria-hidden /> : reason && !unlocked ? <LockIcon size={16} stroke={1.5} aria-hidden /> : icon}
      {children}
    </button>
  );
  const tip = reason ?? (alone ? label : undefined);
  return tip ? <Tooltip label={tip}>{button}</Tooltip> : button;
}

/** A link that looks like a button, for navigation to another page. With an icon alone it needs an aria-label. */
export function ButtonLink({ look, size, icon, full, children, className, ...rest }: ComponentPropsWithoutRef<"a"> & Looks) {
  return (
    <a {...rest} className={[classes({ ...(look ? { look } : {}), ...(size ? { size } : {}), ...(full ? { full } : {}) }, children === undefined), className].filter(Boolean).join(" ")}>
      {icon}
      {children}
    </a>
  );
}
