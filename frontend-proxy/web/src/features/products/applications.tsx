import { CollectionsPage } from "./collections";

/** The applications page. */
export default function ApplicationsPage() {
  return <CollectionsPage kind="application" />;
}
