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
  /** The address of a tab, which holds the choice. */
  hrefOf: (value: Value) => string;
}

/** The parts of a page, of which one is shown. They are links, so that an address holds the choice and Back undoes it. */
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
