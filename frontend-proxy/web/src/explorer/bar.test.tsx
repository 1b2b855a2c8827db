import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";

import { Bar, nameIn } from "./bar";

const address = new URL("http://catalog.example/api/graphql");
const home = "http://catalog.example/";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const answering = (body: unknown) => vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(body))));

describe("the bar", () => {
  it("says whose session is used, and leads back to the catalog", async () => {
    answering({ data: { me: { corpUser: { username: "noor", properties: { displayName: "Noor" } } } } });
    render(<Bar address={address} home={home} access="granted" credential="none" />);
    expect(await screen.findByText("Signed in as Noor")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Cartulary, home" }).getAttribute("href")).toBe(home);
  });

  it("says that a header counts more than the session", () => {
    render(<Bar address={address} home={home} access="granted" credential="given" />);
    expect(screen.getByText("The header is used, not your session")).toBeTruthy();
  });

  it("knows no session and no pages where there are none", () => {
    render(<Bar address={address} home={null} access="granted" credential="given" />);
    expect(screen.queryByRole("link")).toBeNull();
    expect(screen.getByText("The header is used")).toBeTruthy();
  });

  it("asks for no name, and says nothing, while nobody is let in", () => {
    const asked = vi.fn<typeof fetch>();
    vi.stubGlobal("fetch", asked);
    render(<Bar address={address} home={home} access="signed-out" credential="none" />);
    expect(screen.getByRole("status").textContent).toBe("");
    expect(asked).not.toHaveBeenCalled();
  });
});

it("takes a name from whatever comes", () => {
  for (const answer of [null, {}, { data: null }, { data: { me: null } }, { data: { me: { corpUser: null } } }, { errors: [] }]) {
    expect(nameIn(answer)).toBeNull();
  }
  expect(nameIn({ data: { me: { corpUser: { username: "jo", editableProperties: null, properties: null } } } })).toBe("jo");
});
