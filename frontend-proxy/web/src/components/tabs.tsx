import { Link } from "wouter";

import styles from "./tabs.module.css";

interface Tab<Value extends string> {
  value: Value;
  label: string;
  count?: number | undefined;
}

interface Props<Value extends string> {
  label: string;
  tabs: readonly Tab<Value>[];
  value: Value;
  /** The address of a tab; the selected tab is part of the address. */
  hrefOf: (value: Value) => string;
}

/** Tabs of a page. They are links, so that the address contains the selection and Back undoes it. */
export function Tabs<Value extends string>({ label, tabs, value, hrefOf }: Props<Value>) {
  return (
    <nav className={styles["tabs"]} aria-label={label}>
      {tabs.map((tab) => (
        <Link key={tab.value} href={hrefOf(tab.value)} {...(tab.value === value ? { "aria-current": "page" as const } : {})}>
          {tab.label}
          {tab.count !== undefined && <span>{tab.count.toLocaleString("en-US")}</span>}
        </Link>
      ))}
    </nav>
  );
}
