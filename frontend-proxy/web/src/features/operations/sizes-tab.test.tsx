import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { SizesTab } from "./sizes-tab";

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

// The server of this release never returns such a response; another release or a proxy can.
function answered(body: unknown) {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(body))));
  render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <SizesTab head={(actions) => <div>{actions}</div>} />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

describe("a reply about index sizes that cannot be read", () => {
  it.each([
    ["a text that is no JSON", { value: "green open datasetprofile <b>12kb</b>" }, "green open datasetprofile <b>12kb</b>"],
    ["a text that holds no list", { value: '{"total": 12}' }, '{"total": 12}'],
    ["a list of something else", { value: '["a", 12]' }, '["a", 12]'],
    ["an object in place of the text", { value: { later: true } }, '"later": true'],
    ["nothing", { value: "" }, "(empty)"],
    ["null", null, "null"],
  ])("is shown as it came: %s", async (_, body, text) => {
    answered(body);
    const raw = await screen.findByRole("region", { name: "Reply of the server" });
    expect(raw.textContent).toContain(text);
    expect(raw.querySelector("b")).toBe(null);
    expect(screen.getByText("The sizes could not be read")).toBeTruthy();
  });

  it("is read where members are missing, or not known", async () => {
    answered({ value: '{"sizes": [{"aspectName": "datasetProfile", "indexName": "i", "shards": 3, "sizeMb": "a lot"}, {"indexName": "other", "sizeMb": 4}]}' });
    const shown = await screen.findByRole("region", { name: "Index sizes" });
    expect(within(shown).getAllByText(/datasetProfile|^i$/).length).toBeGreaterThan(0);
    expect(screen.queryByText("The sizes could not be read")).toBe(null);
  });
});
