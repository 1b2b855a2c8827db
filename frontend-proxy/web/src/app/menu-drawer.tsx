import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";

import styles from "./shell.module.css";

/** The navigation rail as a drawer, for narrow screens. */
export function MenuDrawer({ opened, onClose, children }: { opened: boolean; onClose: () => void; children: ReactNode }) {
  return (
    <Drawer opened={opened} onClose={onClose} size={288} title="Menu" closeButtonProps={{ "aria-label": "Close menu" }} className={styles["drawer"] ?? ""}>
      <nav aria-label="Main">{children}</nav>
    </Drawer>
  );
}
