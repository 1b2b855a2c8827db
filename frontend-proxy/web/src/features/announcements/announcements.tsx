import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { useSession } from "../../shared/session/session";
import { useTitle } from "../../lib/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Confirm } from "../../components/dialog";
import { Export } from "../../components/export";
import { AddIcon, DeleteIcon, EditIcon, InfoIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Badge, Bones, Empty, Failure, PageHead, Person, When } from "../../components/parts";
import { RowMenu } from "../../components/row-menu";
import { Rows } from "../../components/rows";
import { toast } from "../../components/toast";
import { listIn, numberIn } from "../../lib/answer";
import { everyPage } from "../../lib/csv";
import { Fallback, lazy } from "../../lib/lazy";
import { startOf, useParameters } from "../../lib/parameters";
import { change, run } from "../../lib/request";
import { keyOf } from "../../lib/text";
import { announcementIn, isAddress, type Announcement } from "./announcement";
import { Announcements, DeleteAnnouncement } from "./announcements.operations";
import styles from "./announcements.module.css";

const EditAnnouncement = lazy(() => import("./edit"));

const size = 25;

async function read(start: number, count: number, signal?: AbortSignal) {
  const { data } = await run(Announcements, { input: { start, count } }, signal);
  return { items: listIn(data.listPosts?.posts).flatMap(announcementIn), total: numberIn(data.listPosts?.total) ?? 0 };
}

/** The announcements for all users, editable for actors with the privilege. */
export default function AnnouncementsPage() {
  useTitle("Announcements");
  const { may } = useSession();
  const queries = useQueryClient();
  const [get, set] = useParameters();
  const start = startOf(get("page"), size);
  const [editing, setEditing] = useState<{ announcement: Announcement | null } | null>(null);
  const [removing, setRemoving] = useState<Announcement | null>(null);
  const { data, error, refetch } = useQuery({ queryKey: ["announcements", start], placeholderData: keepPreviousData, queryFn: ({ signal }) => read(start, size, signal) });
  const changed = () => queries.invalidateQueries({ queryKey: ["announcements"] });
  const reason = may.manageGlobalAnnouncements ? null : "You need the privilege Manage Home Page Posts. Ask an administrator to add you to a policy that has it.";
  return (
    <>
      <PageHead
        title="Announcements"
        actions={
          <>
            <CopyAs call={{ query: Announcements.toString(), variables: { input: { start, count: size } } }} />
            <Export
              name="announcements"
              head={["Title", "Text", "Leads to", "Changed", "By", "URN"]}
              rows={async () => {
                const all = await everyPage((from, count) => read(from, count), { size: 100 });
                return { rows: all.items.map((each) => [each.title, each.text, each.link, each.time > 0 ? new Date(each.time).toISOString() : "", each.actor, each.urn]), total: all.total };
              }}
            />
            <Button look="primary" icon={<AddIcon size={16} stroke={1.5} aria-hidden />} reason={reason} onClick={() => setEditing({ announcement: null })}>
              Announce something
            </Button>
          </>
        }
      >
        Posts for everybody, the newest first. Clients of the catalog show them at their start.
      </PageHead>
      {error ? (
        <Failure what="the announcements" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Bones rows={6} what="the announcements" />
      ) : data.items.length === 0 ? (
        <Empty icon={<InfoIcon size={20} stroke={1.5} aria-hidden />} title="Nothing is announced">
          Tell everybody of a move, a break or a new part of the catalog.
        </Empty>
      ) : (
        <>
          <Rows
            label="Announcements"
            head={["Announcement", "Changed", "By", "Actions"]}
            items={data.items}
            keyOf={(each) => each.urn}
            row={(each) => (
              <>
                <td dir="auto">
                  <span className="name break">{each.title}</span> {!each.home && <Badge>at an asset</Badge>}
                  {each.text && <span className={styles["text"]}>{each.text}</span>}
                  {each.link &&
                    (isAddress(each.link) ? (
                      <a className="small break" href={each.link} rel="noopener noreferrer">
                        {each.link}
                      </a>
                    ) : (
                      <span className="small muted break">{each.link}</span>
                    ))}
                </td>
                <td className="muted" data-label="Changed">
                  {each.time > 0 ? <When at={each.time} /> : "Unknown"}
                </td>
                <td data-label="By">{each.actor ? <Person name={keyOf(each.actor)} /> : <span className="faint">Unknown</span>}</td>
                <td className="right">
                  <RowMenu
                    label={`More for ${each.title}`}
                    actions={[
                      { name: "Change", icon: <EditIcon size={16} stroke={1.5} aria-hidden />, reason, onClick: () => setEditing({ announcement: each }) },
                      { name: "Delete announcement", icon: <DeleteIcon size={16} stroke={1.5} aria-hidden />, reason, onClick: () => setRemoving(each) },
                    ]}
                  />
                </td>
              </>
            )}
          />
          <Pager label="announcements" start={start} size={size} total={data.total} onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />
        </>
      )}
      {editing && (
        <Fallback show={null}>
          <EditAnnouncement announcement={editing.announcement} onDone={changed} onClose={() => setEditing(null)} />
        </Fallback>
      )}
      {removing && (
        <Confirm
          title={`Delete ${removing.title}?`}
          verb="Delete announcement"
          onClose={() => setRemoving(null)}
          onConfirm={async () => {
            await change(DeleteAnnouncement, { urn: removing.urn });
            await changed();
            toast({ title: `${removing.title} was deleted` });
          }}
        >
          It is gone for everybody. This cannot be undone.
        </Confirm>
      )}
    </>
  );
}
