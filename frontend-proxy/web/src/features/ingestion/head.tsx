import type { ReactNode } from "react";

import { PageHead } from "../../components/parts";
import { Tabs } from "../../components/tabs";

/** The header of the ingestion pages, with their tabs. */
export function IngestionHead({ tab, lead, actions }: { tab: "sources" | "secrets"; lead: string; actions: ReactNode }) {
  return (
    <>
      <PageHead title="Ingestion" actions={actions}>
        {lead}
      </PageHead>
      <Tabs
        label="Ingestion"
        value={tab}
        hrefOf={(value) => (value === "sources" ? "/ingestion" : "/ingestion/secrets")}
        tabs={[
          { value: "sources", label: "Sources" },
          { value: "secrets", label: "Secrets" },
        ]}
      />
    </>
  );
}
