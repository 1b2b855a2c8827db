import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Link } from "wouter";

import { useSession } from "../../shared/session/session";
import { SignOutEverywhere } from "../../shared/session/sign-out";
import { useTitle } from "../../lib/title";
import { Lines } from "../../components/asset-lines";
import { Button, ButtonLink } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Editable } from "../../components/editable";
import { useNames } from "../../shared/entities/entities";
import { LeaveIcon, LockIcon } from "../../components/icons";
import { Bones, Empty, Failure, PageHead, Person, Section } from "../../components/parts";
import { assetPath } from "../../lib/asset";
import { pageIn } from "../../lib/found";
import { lineOf } from "../../lib/line";
import { change, run } from "../../lib/request";
import { counted, initials, numberText } from "../../lib/text";
import { urnsIn } from "../../shared/policies/policy";
import { policyPath } from "../../shared/policies/policy-path";
import { byWhat, sentenceToYou } from "../../shared/policies/to-you";
import { Browser } from "./browser";
import { Profile, UpdateProfile, type ProfileQuery, type UpdateProfileMutationVariables } from "./profile.operations";
import styles from "./profile.module.css";
import { meIn, ownedBy, readOwn, teamsOf, titlesIn, type Group, type Me } from "./rights";

/** The profile page: identity, privileges and UI settings of the current user. */
export default function ProfilePage() {
  useTitle("Profile");
  const { urn, groups } = useSession();
  const variables = { owned: ownedBy([urn, ...groups]) };
  const { data, error, refetch } = useQuery({
    queryKey: ["profile", variables],
    queryFn: async ({ signal }) => (await run(Profile, variables, signal)).data,
  });
  const me = meIn(data?.me?.corpUser);
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
              <Owned data={data} />
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
  return (
    <section className={styles["you"]} aria-label="You">
      <span className={styles["letters"]} aria-hidden>
        {initials(me.name)}
      </span>
      <dl className={styles["facts"]}>
        <Fact name="Name">
          <Editable label="name" value={me.name} empty="No name" most={500} onSave={(displayName) => save({ displayName })} />
        </Fact>
        <Fact name="Title">
          <Editable label="title" value={me.title} empty="No title" most={500} onSave={(title) => save({ title })} />
        </Fact>
        <Fact name="Teams">
          <Editable label="teams" value={me.teams.join(", ")} empty="None, apart by commas" onSave={(text) => save({ teams: teamsOf(text) })} />
        </Fact>
        <Fact name="About">
          <Editable label="about" value={me.about} empty="What people may ask you about" long most={10_000} onSave={(aboutMe) => save({ aboutMe })} />
        </Fact>
        <Fact name="Groups">
          <Groups groups={me.groups} more={me.moreGroups} />
        </Fact>
        {me.email && (
          <Fact name="Mail">
            <span className={`${styles["fixed"]} break`}>{me.email}</span>
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

// The number of initially visible policies.
const inSight = 8;

function Rights({ data, me }: { data: ProfileQuery; me: Me }) {
  const { may } = useSession();
  const [all, setAll] = useState(false);
  const { data: found, error, refetch } = useQuery({ queryKey: ["profile", me.urn, "policies"], queryFn: ({ signal }) => readOwn(signal) });
  const own = found?.own ?? [];
  const total = found?.total ?? 0;
  const { roles } = me;
  const names = useNames(urnsIn(own.map(({ draft }) => draft)));
  const known = { ...titlesIn(data, own), names: new Map([...names, ...roles.map(({ urn, name }) => [urn, name] as const)]) };
  return (
    <Section
      title="What you may do"
      tools={
        <>
          {found && <span className="faint small num">{`from ${counted(roles.length, "role")} and ${total === 1 ? "1 policy" : `${numberText(total)} policies`}`}</span>}
          {may.managePolicies && <Link href="/settings/policies">Try a case</Link>}
        </>
      }
    >
      {error ? (
        <Failure what="what you may do" error={error} onRetry={() => void refetch()} />
      ) : !found ? (
        <Bones rows={4} what="what you may do" />
      ) : own.length === 0 ? (
        <Empty icon={<LockIcon size={20} stroke={1.5} aria-hidden />} title="No policy grants you anything">
          Ask an administrator for a role, or to add you to a policy.
        </Empty>
      ) : (
        <ul className={styles["may"]} aria-label="What you may do">
          {(all ? own : own.slice(0, inSight)).map(({ urn, draft }) => (
            <li key={urn}>
              <p>{sentenceToYou(draft, known)}</p>
              <span className="small">
                {may.managePolicies ? <Link href={policyPath(urn)}>{draft.name}</Link> : draft.name}
                <span className="faint">{byWhat(draft, known, me.urn)}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {own.length > inSight && (
        <Button size="small" look="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show all ${own.length} policies`}
        </Button>
      )}
      {total > own.length && <p className="muted small">{`${numberText(own.length)} of ${numberText(total)} are told.`}</p>}
    </Section>
  );
}

function Owned({ data }: { data: ProfileQuery }) {
  const { urn: me, groups } = useSession();
  const { items: owned, total } = pageIn(data.owned, lineOf);
  const all = new URLSearchParams({ query: "*", filter_owners___false___EQUAL___0: [me, ...groups].join(",") });
  return (
    <Section
      title="You own"
      tools={
        owned.length > 0 && (
          <>
            <span className="faint num">{numberText(total)}</span>
            <Link href={`/search?${all.toString()}`}>See all</Link>
          </>
        )
      }
    >
      {owned.length === 0 ? (
        <p className="muted">
          Nothing yet. Owners are set beside each asset: <Link href="/search?query=*">find one</Link>
        </p>
      ) : (
        <Lines label="What you own" lines={owned} />
      )}
    </Section>
  );
}
