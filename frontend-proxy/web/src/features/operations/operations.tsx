import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";

import { useTitle } from "../../lib/title";
import { PageHead } from "../../components/parts";
import { Tabs } from "../../components/tabs";
import { BackupsTab } from "./backups-tab";
import { HealthTab } from "./health-tab";
import { RebuildTab } from "./rebuild-tab";
import { SizesTab } from "./sizes-tab";
import { readTasks, tasksPath } from "./task";
import { TasksTab } from "./tasks-tab";

const tabs = { sizes: SizesTab, tasks: TasksTab, rebuild: RebuildTab, health: HealthTab, backups: BackupsTab } as const;
type Tab = keyof typeof tabs;

const titles: Record<Tab, string> = { sizes: "Index sizes", tasks: "Tasks", rebuild: "Rebuild search", health: "Health", backups: "Backups" };

/** The operations page: sizes, tasks and health of the catalog. */
export default function OperationsPage() {
  const [parameters] = useSearchParams();
  const asked = parameters.get("tab") ?? "sizes";
  const tab: Tab = Object.hasOwn(tabs, asked) ? (asked as Tab) : "sizes";
  useTitle(titles[tab], "Operations");
  const path = tasksPath("queued,running", 0, 1);
  const waiting = useQuery({ queryKey: ["tasks", path], queryFn: ({ signal }) => readTasks(path, signal), retry: false });
  const Shown = tabs[tab];
  return (
    <div className="page">
      <Shown
        head={(actions) => (
          <>
            <PageHead title="Operations" actions={actions}>
              How much history the catalog keeps, and what to cut when it grows too large.
            </PageHead>
            <Tabs
              label="Operations"
              value={tab}
              hrefOf={(value) => (value === "sizes" ? "/operations" : `/operations?tab=${value}`)}
              tabs={[
                { value: "sizes", label: titles.sizes },
                { value: "tasks", label: titles.tasks, count: waiting.data?.total || undefined },
                { value: "rebuild", label: titles.rebuild },
                { value: "health", label: titles.health },
                { value: "backups", label: titles.backups },
              ]}
            />
          </>
        )}
      />
    </div>
  );
}
