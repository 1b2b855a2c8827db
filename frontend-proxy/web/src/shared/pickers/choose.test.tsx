import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, expect, it, vi } from "vitest";

import { theme } from "../../theme/theme";
import { Choose, type Choice } from "./choose";

const [first, second, third] = ["first", "second", "third"].map((name): Choice => ({ urn: `urn:li:tag:${name}`, name })) as [Choice, Choice, Choice];

vi.mock("../entities/find-entities", () => ({ findEntities: () => Promise.resolve([first, second, third].map(({ urn, name }) => [urn, name])) }));

beforeAll(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  vi.stubGlobal("ResizeObserver", class {
    observe() {}
    unobserve() {}
    disconnect() {}
  });
});
afterEach(cleanup);

function show(chosen: readonly Choice[], single = false) {
  const saved = vi.fn<(choices: Choice[]) => Promise<void>>(() => Promise.resolve());
  const queries = new QueryClient();
  const list = (now: readonly Choice[]) => (
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queries}>
        <Choose label="Choose tags" types={["TAG"]} chosen={now} single={single} onSave={saved} />
      </QueryClientProvider>
    </MantineProvider>
  );
  const { rerender } = render(list(chosen));
  return { saved, user: userEvent.setup(), others: (now: readonly Choice[]) => rerender(list(now)) };
}

it("keeps what others choose and drop while the list is open", async () => {
  const { saved, user, others } = show([first]);
  await user.click(screen.getByRole("button", { name: "Choose tags" }));
  await user.click(await screen.findByRole("checkbox", { name: "third" }));
  others([first, second]);
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(saved).toHaveBeenLastCalledWith([first, second, third]);

  await user.click(screen.getByRole("button", { name: "Choose tags" }));
  await user.click(await screen.findByRole("checkbox", { name: "second" }));
  await user.click(screen.getByRole("checkbox", { name: "third" }));
  others([second]);
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(saved).toHaveBeenLastCalledWith([third]);
});

it("takes one at most where there is one, and none when it is taken out", async () => {
  const { saved, user } = show([first], true);
  const open = () => user.click(screen.getByRole("button", { name: "Choose tags" }));
  const tick = async (name: string) => user.click(await screen.findByRole("checkbox", { name }));
  await open();
  await tick("second");
  await tick("third");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(saved).toHaveBeenLastCalledWith([third]);
  await open();
  await tick("first");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(saved).toHaveBeenLastCalledWith([]);
});
