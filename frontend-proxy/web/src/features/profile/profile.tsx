import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Link } from "wouter";

import { useSession } from "../../app/session";
import { SignOutEverywhere } from "../../app/sign-out";
import { useTitle } from "../../app/title";
import { Button, ButtonLink } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Editable } from "../../components/editable";
import { LeaveIcon, TickIcon } from "../../components/icons";
import { Bones, Failure, PageHead, Person, Section } from "../../components/parts";
import { assetPath } from "../../lib/asset";
import { personName } from "../../lib/people";
import { change, run } from "../../lib/request";
import { counted, initials } from "../../lib/text";
import { Browser } from "./browser";
import { Profile, UpdateProfile, type ProfileQuery, type UpdateProfileMutationVariables } from "./profile.operations";
import styles from "./profile.module.css";
import { groupsOf, heldBy, rightsOf, teamsOf, type Group, type Me } from "./rights";

/** Who the catalog takes somebody for, what that lets them do, and how the pages look in their browser. */
export default function ProfilePage() {
  useTitle("Profile");
  const { urn } = useSession();
  const variables = { urn };
  const { data, error, refetch } = useQuery({
    queryKey: ["profile", urn],
    queryFn: async ({ signal }) => (await run(Profile, variables, signal)).data,
  });
  const me = data?.me?.corpUser;
  return (
    <>
      <PageHead
        title="Profile"
        actions={
          <>
            <CopyAs call={{ query: Profile.toString(), variables }} urn={urn} />
            <Link href={assetPath(urn)} asChild>
              <ButtonLink icon={<LeaveIcon size={16} stroke={1.5} aria-hidden />}>As others see it</ButtonLink>
            </Link>
          </>
        }
      >
        Who the catalog takes you for, and what that lets you do.
      </PageHead>
      <div className={styles["columns"]}>
        <div>
          {error ? (
            <Failure what="your profile" error={error} onRetry={() => void refetch()} />
          ) : data && me ? (
            <>
              <You me={me} />
              <Rights data={data} me={me} />
            </>
          ) : (
            <Bones rows={8} what="your profile" />
          )}
        </div>
        <Browser />
      </div>
    </>
  );
}

function You({ me }: { me: Me }) {
  const queries = useQueryClient();
  const save = async (input: UpdateProfileMutationVariables["input"]) => {
    await change(UpdateProfile, { urn: me.urn, input });
    await Promise.all([queries.invalidateQueries({ queryKey: ["profile"] }), queries.invalidateQueries({ queryKey: ["frame"] }), queries.invalidateQueries({ queryKey: ["users"] })]);
  };
  const own = me.editableProperties;
  const groups = groupsOf(me);
  const email = own?.email || me.properties?.email;
  return (
    <section className={styles["you"]} aria-label="You">
      <span className={styles["letters"]} aria-hidden>
        {initials(personName(me))}
      </span>
      <dl className={styles["facts"]}>
        <Fact name="Name">
          <Editable label="name" value={personName(me)} empty="No name" most={500} onSave={(displayName) => save({ displayName })} />
        </Fact>
        <Fact name="Title">
          <Editable label="title" value={own?.title || me.properties?.title || ""} empty="No title" most={500} onSave={(title) => save({ title })} />
        </Fact>
        <Fact name="Teams">
          <Editable label="teams" value={(own?.teams ?? []).join(", ")} empty="None, apart by commas" onSave={(text) => save({ teams: teamsOf(text) })} />
        </Fact>
        <Fact name="About">
          <Editable label="about" value={own?.aboutMe ?? ""} empty="What people may ask you about" long most={10_000} onSave={(aboutMe) => save({ aboutMe })} />
        </Fact>
        <Fact name="Groups">
          <Groups groups={groups} more={Math.max(0, (me.groups?.total ?? 0) - (me.groups?.relationships.length ?? 0))} />
        </Fact>
        {email && (
          <Fact name="Mail">
            <span className={`${styles["fixed"]} break`}>{email}</span>
          </Fact>
        )}
        <Fact name="Sessions">
          <Sessions />
        </Fact>
        <Fact name="User name">
          <span className={styles["fixed"]}>
            <code className="break">{me.username}</code>
            <span className="faint small">cannot change</span>
          </span>
        </Fact>
      </dl>
    </section>
  );
}

function Sessions() {
  const [asked, setAsked] = useState(false);
  return (
    <span className={styles["fixed"]}>
      <Button size="small" onClick={() => setAsked(true)}>
        Sign out everywhere
      </Button>
      <span className="faint small">in every browser, this one too</span>
      {asked && <SignOutEverywhere onClose={() => setAsked(false)} />}
    </span>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Groups({ groups, more }: { groups: readonly Group[]; more: number }) {
  return (
    <span className={styles["fixed"]}>
      {groups.length === 0 && <span className="faint">None</span>}
      {groups.map(({ urn, name }) => (
        <Person key={urn} name={name} shape="group" />
      ))}
      {more > 0 && <span className="muted">and {more} more</span>}
      <span className="faint small">set by administrators</span>
    </span>
  );
}

// How many privileges are in sight before somebody asks for all.
const inSight = 12;

function Rights({ data, me }: { data: ProfileQuery; me: Me }) {
  const [all, setAll] = useState(false);
  const roles = heldBy(me);
  const rights = rightsOf(data);
  return (
    <Section title="What you may do" tools={<span className="faint small num">{`${counted(roles.length, "role")}, ${counted(rights.length, "privilege")}`}</span>}>
      <ul className={styles["may"]}>
        {roles.map((role) => (
          <li key={role.urn}>
            <p>{role.description || `You have the role ${role.name}.`}</p>
            <span className="small muted">
              Role {role.name}
              {role.by && `, by ${role.by}`}
            </span>
          </li>
        ))}
        <li>
          <p>{rights.length === 0 ? "You have no privilege over the catalog as a whole." : "Over the catalog as a whole, roles and policies together give you:"}</p>
          <span className="small muted">{counted(rights.length, "privilege")}</span>
        </li>
      </ul>
      {rights.length > 0 && (
        <ul className={styles["rights"]} aria-label="Privileges over the catalog as a whole">
          {(all ? rights : rights.slice(0, inSight)).map(({ type, name, description }) => (
            <li key={type} title={description}>
              <TickIcon size={14} stroke={1.5} aria-hidden />
              <span className="break">{name}</span>
            </li>
          ))}
        </ul>
      )}
      {rights.length > inSight && (
        <Button size="small" look="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show all ${rights.length} privileges`}
        </Button>
      )}
      <p className="muted small" style={{ marginTop: 12 }}>
        Policies may allow more on single assets, such as those you own.
      </p>
    </Section>
  );
}
