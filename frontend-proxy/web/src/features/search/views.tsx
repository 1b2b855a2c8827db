import { Menu } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { frameKey, useSession } from "../../shared/session/session";
import { Button } from "../../components/button";
import { Confirm } from "../../components/dialog";
import { AddIcon, DeleteIcon, DownIcon, HomeIcon, LockIcon, TickIcon, ViewIcon } from "../../components/icons";
import { toast } from "../../components/toast";
import { textIn } from "../../lib/answer";
import { entitiesIn } from "../../lib/found";
import { Fallback, lazy } from "../../lib/lazy";
import { problemOf } from "../../lib/problem";
import { change, run } from "../../lib/request";
import type { Asked } from "../../shared/search/filters";
import { DeleteView, SetDefaultView, Views as ViewsQuery, type SavedFragment } from "./search.operations";

const CreateView = lazy(() => import("./create-view"));

const savedIn = (page: { views: readonly (SavedFragment | null)[] | null } | null | undefined) =>
  entitiesIn(page?.views).map(({ urn, name, viewType }) => ({ urn, name: textIn(name) || urn, viewType }));

/** The menu of views: select a view, create one from the current filters, or set the default view. */
export function Views({ asked, onChoose }: { asked: Asked; onChoose: (view: string) => void }) {
  const { usualView, urn: me } = useSession();
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const [creating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const { data, error } = useQuery({ queryKey: ["views", me], enabled: open, queryFn: async ({ signal }) => (await run(ViewsQuery, {}, signal)).data });
  const mine = savedIn(data?.mine);
  const everyone = savedIn(data?.everyone);
  const current = [...mine, ...everyone].find(({ urn }) => urn === asked.view);
  const isUsual = asked.view !== "" && asked.view === usualView;
  const setUsual = async (view: string | null) => {
    try {
      await change(SetDefaultView, { input: { defaultView: view } });
      await queries.invalidateQueries({ queryKey: frameKey });
      toast({ title: view ? "Your searches begin with this view" : "Your searches begin without a view" });
    } catch (failure) {
      toast({ tone: "bad", title: "The usual view was not changed", text: problemOf(failure).message });
    }
  };
  const whyNotSave = asked.filters.length === 0 ? "Choose a filter first." : null;
  return (
    <>
      <Menu opened={open} onChange={setOpen} position="bottom-end" width={280}>
        <Menu.Target>
          <Button size="small" look="quiet" icon={<ViewIcon size={14} stroke={1.5} aria-hidden />}>
            Views
            <DownIcon size={14} stroke={1.5} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Choice name="No view" on={asked.view === ""} onClick={() => onChoose("")} />
          {error && <Menu.Label>{problemOf(error).message}</Menu.Label>}
          {mine.length > 0 && <Menu.Label>Yours</Menu.Label>}
          {mine.map(({ urn, name }) => (
            <Choice key={urn} name={name} on={urn === asked.view} onClick={() => onChoose(urn)} />
          ))}
          {everyone.length > 0 && <Menu.Label>Everyone’s</Menu.Label>}
          {everyone.map(({ urn, name }) => (
            <Choice key={urn} name={name} on={urn === asked.view} onClick={() => onChoose(urn)} />
          ))}
          <Menu.Divider />
          <Menu.Item
            leftSection={whyNotSave ? <LockIcon size={14} stroke={1.5} aria-hidden /> : <AddIcon size={14} stroke={1.5} aria-hidden />}
            closeMenuOnClick={!whyNotSave}
            {...(whyNotSave ? { "aria-disabled": true } : { onClick: () => setCreating(true) })}
          >
            Save filters as a view
            {whyNotSave && <span className="faint small" style={{ display: "block" }}>{whyNotSave}</span>}
          </Menu.Item>
          {asked.view && !isUsual && (
            <Menu.Item leftSection={<HomeIcon size={14} stroke={1.5} aria-hidden />} onClick={() => void setUsual(asked.view)}>
              Begin my searches with this view
            </Menu.Item>
          )}
          {usualView && (isUsual || asked.view === "") && (
            <Menu.Item leftSection={<HomeIcon size={14} stroke={1.5} aria-hidden />} onClick={() => void setUsual(null)}>
              Begin my searches without a view
            </Menu.Item>
          )}
          {current && (
            <Menu.Item leftSection={<DeleteIcon size={14} stroke={1.5} aria-hidden />} onClick={() => setDeleting(true)}>
              Delete this view
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {creating && (
        <Fallback show={null}>
          <CreateView asked={asked} onClose={() => setCreating(false)} onMade={onChoose} />
        </Fallback>
      )}
      {deleting && current && (
        <Confirm
          title={`Delete ${current.name}?`}
          verb="Delete view"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await change(DeleteView, { urn: current.urn });
            await Promise.all([queries.invalidateQueries({ queryKey: ["views"] }), queries.invalidateQueries({ queryKey: frameKey })]);
            onChoose("");
            toast({ title: `${current.name} was deleted` });
          }}
        >
          {current.viewType === "GLOBAL" ? "It is gone for everybody. " : ""}No asset is changed.
        </Confirm>
      )}
    </>
  );
}

function Choice({ name, on, onClick }: { name: string; on: boolean; onClick: () => void }) {
  return (
    <Menu.RadioItem value={name} checked={on} checkIcon={<TickIcon size={14} stroke={1.5} aria-hidden />} closeMenuOnClick onChange={onClick}>
      <span className="break">{name}</span>
    </Menu.RadioItem>
  );
}
