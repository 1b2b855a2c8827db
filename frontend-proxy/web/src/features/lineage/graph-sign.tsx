import { FailIcon, PassIcon, WarnIcon } from "../../components/icons";
import type { Asset } from "./asset";

/** The icon of the health of an asset. */
export function Sign({ health, healthText }: Pick<Asset, "health" | "healthText">) {
  switch (health) {
    case "pass":
      return <PassIcon size={14} stroke={1.5} className="ok" aria-label={healthText} role="img" />;
    case "warn":
      return <WarnIcon size={14} stroke={1.5} className="warn" aria-label={healthText} role="img" />;
    case "fail":
      return <FailIcon size={14} stroke={1.5} className="bad" aria-label={healthText} role="img" />;
    case "none":
      return null;
  }
}
