import { CollectionsPage } from "./collections";

/** The applications. */
export default function ApplicationsPage() {
  return <CollectionsPage kind="application" />;
}
