import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";

import type { Access } from "./access";
import { Banner } from "./banner";

afterEach(cleanup);

function show(access: Access, signIn: string | null = "/authenticate") {
  const actions = { onPasteToken: vi.fn<() => void>(), onRetry: vi.fn<() => void>() };
  render(<Banner access={access} signIn={signIn} {...actions} />);
  return actions;
}

it.each<Access>(["unknown", "granted"])("says nothing when access is %s", (access) => {
  show(access);
  expect(screen.getByRole("status").textContent).toBe("");
});

it("leads to the sign-in page and says how to paste a token", () => {
  show("signed-out");
  expect(screen.getByRole("link", { name: "Sign in" }).getAttribute("href")).toBe("/authenticate");
  expect(screen.getByRole("status").textContent).toContain('{"Authorization": "Bearer TOKEN"}');
});

it.each<Access>(["signed-out", "no-token", "refused"])("offers no sign-in where there is no page for it: %s", (access) => {
  show(access, null);
  expect(screen.queryByRole("link")).toBeNull();
  expect(screen.getByRole("button", { name: "Paste a token" })).toBeDefined();
});

it("says how to make a token where there is no sign-in page", () => {
  show("signed-out", null);
  expect(screen.getByRole("status").textContent).toContain("metadata-service token create --actor datahub --name explorer");
});

it.each<[Access, RegExp]>([
  ["refused", /expired or revoked/],
  ["absent", /no GraphQL at this address/],
  ["unavailable", /may be starting/],
  ["unreachable", /cannot be reached/],
])("tells %s apart", (access, want) => {
  show(access);
  expect(screen.getByRole("status").textContent).toMatch(want);
});

it("does not ask for a credential when that is not what is missing", () => {
  show("unavailable");
  expect(screen.queryByRole("link")).toBeNull();
  expect(screen.queryByRole("button", { name: "Paste a token" })).toBeNull();
});

it("does what its buttons say", async () => {
  const actions = show("signed-out");
  await userEvent.click(screen.getByRole("button", { name: "Paste a token" }));
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(actions.onPasteToken).toHaveBeenCalledOnce();
  expect(actions.onRetry).toHaveBeenCalledOnce();
});
