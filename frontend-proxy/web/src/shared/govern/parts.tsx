import { Tabs } from "../../components/tabs";

const parts = [
  { value: "/domains", label: "Domains" },
  { value: "/data-products", label: "Data products" },
  { value: "/applications", label: "Applications" },
] as const;

type Part = (typeof parts)[number]["value"];

/** The tabs for domains, products and the other groupings of assets. Each has a page of its own. */
export function GovernParts({ here }: { here: Part }) {
  return <Tabs label="Ways to put assets together" tabs={parts} value={here} hrefOf={(value) => value} />;
}
