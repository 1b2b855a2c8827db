// Edits of users, roles, groups, the user's own profile, service accounts and tokens.
import assert from "node:assert/strict";

import { admin } from "../stack.mjs";
import { inTurn } from "./edit.mjs";

const moss = "urn:li:corpuser:moss.hosepipe";
const row = (page, name) => page.getByRole("row").filter({ hasText: name });

// remove deletes an entity by its menu, where the user has to type its name.
async function remove(edit, name, item, verb, typed = name) {
  const { page } = edit;
  await edit.more(name, item);
  await page.getByRole("dialog").getByLabel(/^Type/).fill(typed);
  await edit.change(() => page.getByRole("dialog").getByRole("button", { name: verb }).click());
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

async function users(edit) {
  const { page, stack } = edit;
  const robin = await stack.person("Robin Sparrow");
  const role = page.getByRole("button", { name: /^Role of Robin Sparrow/ });
  const dialog = page.getByRole("dialog");
  await edit.open("/settings/users?find=sparrow");
  await edit.made(
    async () => {
      await role.click();
      await edit.change(() => page.getByRole("menuitemradio", { name: "Editor" }).click());
      await edit.more("Robin Sparrow", "Suspend");
      await edit.change(() => dialog.getByRole("button", { name: "Suspend", exact: true }).click());
      await dialog.waitFor({ state: "detached" });
    },
    async () => {
      await row(page, "Robin Sparrow").getByText("Suspended").waitFor();
      await role.getByText("Editor").waitFor();
    },
    [
      [robin.urn, "RoleMembership", "a.roles", ["urn:li:dataHubRole:Editor"]],
      [robin.urn, "CorpUserStatus", "a.status", "SUSPENDED"],
    ],
  );
  await edit.made(
    async () => {
      await edit.more("Robin Sparrow", "Activate");
      await edit.change(() => dialog.getByRole("button", { name: "Activate", exact: true }).click());
      await dialog.waitFor({ state: "detached" });
      await role.click();
      await edit.change(() => page.getByRole("menuitemradio", { name: "No role" }).click());
    },
    async () => {
      await row(page, "Robin Sparrow").getByText("Active", { exact: true }).waitFor();
      await role.getByText("No role").waitFor();
    },
    [
      [robin.urn, "RoleMembership", "a.roles", []],
      [robin.urn, "CorpUserStatus", "a.status", "ACTIVE"],
    ],
  );
  await edit.made(
    () => remove(edit, "Robin Sparrow", "Delete user", "Delete user", robin.username),
    () => page.getByText("Nobody is found").waitFor(),
    [[robin.urn, null, "graph.exists(urn)", false]],
  );
}

async function invitation(edit) {
  const { page } = edit;
  const link = page.getByLabel("Link", { exact: true });
  const invited = "graph.execute_graphql('{ getInviteToken(input: {}) { inviteToken } }')['getInviteToken']['inviteToken']";
  const open = async () => {
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await page.getByLabel("They join as").selectOption({ label: "No role" });
    await page.getByRole("button", { name: "Copy link" }).waitFor();
    return new URL(await link.inputValue()).searchParams.get("invite_token");
  };
  await edit.open("/settings/users");
  let before, after;
  await edit.made(
    async () => {
      before = await open();
      await edit.change(() => page.getByRole("button", { name: "New link" }).click());
    },
    async () => {
      after = await open();
      assert.notEqual(after, before);
    },
    () => [["", null, invited, after]],
  );
}

async function joining(edit) {
  const { page } = edit;
  const link = page.getByLabel("Link", { exact: true });
  const username = "wren@people.example";
  const urn = `urn:li:corpuser:${username}`;
  const account = (other) => other.page.getByRole("button", { name: "Account of Wren Newcomer" });
  const linkTo = async () => {
    const { pathname, search } = new URL(await link.inputValue());
    return pathname + search;
  };
  await edit.open("/settings/users");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await page.getByLabel("They join as").selectOption({ label: "Editor" });
  await page.getByText("can make an account with the role Editor").waitFor();
  await page.getByRole("button", { name: "Copy link" }).waitFor();
  await edit.other(await linkTo(), (other) =>
    other.made(
      async () => {
        for (const [label, text] of [["Full name", "Wren Newcomer"], ["Mail address", username], ["Title", "Tester"]]) {
          await other.page.getByLabel(label, { exact: true }).fill(text);
        }
        await other.page.getByLabel("Password", { exact: true }).fill("A word for Wren 42");
        await other.page.keyboard.press("Enter");
        await account(other).waitFor();
      },
      () => account(other).waitFor(),
      [
        [urn, "CorpUserInfo", "[a.fullName, a.email, a.title]", ["Wren Newcomer", username, "Tester"]],
        [urn, "RoleMembership", "a.roles", ["urn:li:dataHubRole:Editor"]],
      ],
    ));
  await edit.open("/settings/users?find=wren");
  let reset;
  await edit.made(
    async () => {
      await edit.more("Wren Newcomer", "Link for a new password");
      await edit.change(() => page.getByRole("button", { name: "Make link" }).click());
      reset = await linkTo();
    },
    () => row(page, "Wren Newcomer").waitFor(),
    [],
  );
  const password = "Another word 42";
  await edit.other(reset, (other) =>
    other.made(
      async () => {
        await other.page.getByLabel("User name").fill(username);
        await other.page.getByLabel("New password", { exact: true }).fill(password);
        await other.page.keyboard.press("Enter");
        await account(other).waitFor();
      },
      () => account(other).waitFor(),
      [],
    ));
  await edit.other("/login", (other) =>
    other.made(
      async () => {
        await other.page.getByLabel("User name").fill(username);
        await other.page.getByLabel("Password", { exact: true }).fill(password);
        await other.page.keyboard.press("Enter");
        await account(other).waitFor();
      },
      () => account(other).waitFor(),
      [],
    ));
}

async function roles(edit) {
  const { page } = edit;
  const dialog = page.getByRole("dialog");
  await edit.open("/settings/roles");
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Add people to Reader" }).click();
      await dialog.getByLabel("Find a person").fill("moss");
      await dialog.getByRole("checkbox", { name: /Moss Hosepipe/ }).check();
      await edit.change(() => dialog.getByRole("button", { name: "Give the role Reader" }).click());
      await dialog.waitFor({ state: "detached" });
    },
    async () => {
      await page.getByRole("button", { name: "See all 1 who have Reader" }).click();
      await page.getByRole("button", { name: "Take away the role from Moss Hosepipe" }).waitFor();
    },
    [[moss, "RoleMembership", "a.roles", ["urn:li:dataHubRole:Reader"]]],
  );
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Take away the role from Moss Hosepipe" }).click();
      await edit.change(() => page.getByRole("button", { name: "Take it away" }).click());
      await page.getByText("Moss Hosepipe has no role").waitFor();
    },
    async () => {
      await page.getByRole("button", { name: "Add people to Reader" }).waitFor();
      await page.getByRole("button", { name: "See all 1 who have Reader" }).waitFor({ state: "detached" });
    },
    [[moss, "RoleMembership", "a.roles", []]],
  );
}

async function groups(edit) {
  const { page } = edit;
  const dialog = page.getByRole("dialog");
  const heading = page.getByRole("heading", { name: "Night shift", exact: true });
  await edit.open("/settings/groups");
  let urn;
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Create group" }).click();
      await dialog.getByLabel("Name", { exact: true }).fill("Night shift");
      await dialog.getByLabel("Description").fill("Works at night");
      await edit.change(() => dialog.getByRole("button", { name: "Create group" }).click());
      await heading.waitFor();
      urn = new URL(page.url()).searchParams.get("group");
    },
    async () => {
      await heading.waitFor();
      await page.getByText("Works at night").waitFor();
    },
    () => [[urn, "CorpGroupInfo", "[a.displayName, a.description]", ["Night shift", "Works at night"]]],
  );
  await edit.made(
    async () => {
      await edit.write("description", "Watches what runs at night");
      await page.getByRole("button", { name: "Add people" }).click();
      await dialog.getByLabel("Find a person").fill("moss");
      await dialog.getByRole("checkbox", { name: /Moss Hosepipe/ }).check();
      await edit.change(() => dialog.getByRole("button", { name: "Add to group" }).click());
      await dialog.waitFor({ state: "detached" });
    },
    async () => {
      await page.getByText("Watches what runs at night").waitFor();
      await page.getByRole("button", { name: "Take out Moss Hosepipe" }).waitFor();
    },
    () => [
      [urn, "CorpGroupEditableInfo", "a.description", "Watches what runs at night"],
      [moss, "NativeGroupMembership", `"${urn}" in a.nativeGroups`, true],
    ],
  );
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Take out Moss Hosepipe" }).click();
      await edit.change(() => dialog.getByRole("button", { name: "Take out", exact: true }).click());
      await dialog.waitFor({ state: "detached" });
    },
    () => page.getByText("No member yet").waitFor(),
    () => [[moss, "NativeGroupMembership", `"${urn}" in a.nativeGroups`, false]],
  );
  await edit.open("/settings/groups?find=night");
  await edit.made(
    () => remove(edit, "Night shift", "Delete group", "Delete group"),
    () => page.getByText("No group is found").or(page.getByText("No group matches")).waitFor(),
    () => [[urn, null, "graph.exists(urn)", false]],
  );
}

async function profile(edit) {
  const { page } = edit;
  await edit.open("/settings/profile");
  await edit.made(
    async () => {
      await edit.write("name", "Head Gardener", "Enter");
      await edit.write("title", "Keeper", "Enter");
      await edit.write("teams", "Stores, Beds", "Enter");
      await edit.write("about", "Ask me of soil");
    },
    async () => {
      await page.getByRole("button", { name: "Account of Head Gardener" }).waitFor();
      for (const text of ["Keeper", "Stores, Beds", "Ask me of soil"]) {
        await page.getByRole("region", { name: "You", exact: true }).getByText(text, { exact: true }).waitFor();
      }
    },
    [[admin, "CorpUserEditableInfo", "[a.displayName, a.title, a.teams, a.aboutMe]", ["Head Gardener", "Keeper", ["Stores", "Beds"], "Ask me of soil"]]],
  );
}

const tokens = "[t['name'] for t in graph.execute_graphql('{ listAccessTokens(input: {start: 0, count: 100}) { tokens { name } } }')['listAccessTokens']['tokens'] if t['name'].startswith('edits-')]";

// generate creates a token in the open dialog and closes the dialog.
async function generate(edit, name) {
  const dialog = edit.page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await edit.change(() => dialog.getByRole("button", { name: "Generate token", exact: true }).click());
  await dialog.getByLabel("I have saved the token").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await dialog.waitFor({ state: "detached" });
}

async function ownTokens(edit) {
  const { page } = edit;
  await edit.open("/settings/tokens?find=edits-own");
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Generate personal access token" }).click();
      await generate(edit, "edits-own");
    },
    () => page.getByRole("button", { name: "Revoke edits-own" }).waitFor(),
    [["", null, tokens, ["edits-own"]]],
  );
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Revoke edits-own" }).click();
      await edit.change(() => page.getByRole("button", { name: "Revoke token" }).click());
      await page.getByRole("dialog").waitFor({ state: "detached" });
    },
    () => page.getByText("No token matches").waitFor(),
    [["", null, tokens, []]],
  );
}

async function accounts(edit) {
  const { page } = edit;
  const dialog = page.getByRole("dialog");
  const account = "[x['displayName'] for x in graph.execute_graphql('{ listServiceAccounts(input: {start: 0, count: 100}) { serviceAccounts { displayName } } }')['listServiceAccounts']['serviceAccounts']]";
  await edit.open("/settings/service-accounts");
  await edit.made(
    async () => {
      await page.getByRole("button", { name: "Create service account" }).first().click();
      await dialog.getByLabel("Name", { exact: true }).fill("nightly-export");
      await dialog.getByLabel("What is it for").fill("Writes the file of the night");
      await edit.change(() => dialog.getByRole("button", { name: "Create account" }).click());
      await dialog.getByRole("button", { name: "Done" }).click();
      await page.getByRole("button", { name: "Generate token for nightly-export" }).click();
      await generate(edit, "edits-account");
    },
    () => row(page, "nightly-export").getByText("Writes the file of the night").waitFor(),
    [
      ["", null, account, ["nightly-export"]],
      ["", null, tokens, ["edits-account"]],
    ],
  );
  await edit.made(
    () => remove(edit, "nightly-export", "Delete service account", "Delete account"),
    () => page.getByText("No service account yet").waitFor(),
    [
      ["", null, account, []],
      ["", null, tokens, []],
    ],
  );
}

export const stories = {
  "users, links that invite, sign-up and new passwords": inTurn(users, invitation, joining),
  "roles and groups": inTurn(roles, groups),
  "the profile, access tokens and service accounts": inTurn(profile, ownTokens, accounts),
};
