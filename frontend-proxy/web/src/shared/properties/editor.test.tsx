import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, expect, it, vi } from "vitest";

import { ValueEditor } from "./editor";

beforeAll(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
});
afterEach(cleanup);

const property = {
  urn: "urn:li:structuredProperty:tier",
  name: "Tier",
  description: "",
  values: ["gold"],
  kind: "string",
  many: false,
  immutable: false,
  hidden: false,
  allowed: [],
  types: [],
  platforms: [],
  refs: [],
};

function show() {
  const close = vi.fn<() => void>();
  render(
    <MantineProvider>
      <ValueEditor property={property} onSave={() => Promise.resolve()} onClose={close} />
    </MantineProvider>,
  );
  return { user: userEvent.setup(), close };
}

it("closes on Escape at once when no value was changed", async () => {
  const { user, close } = show();
  await user.click(screen.getByLabelText("Tier"));
  await user.keyboard("{Escape}");
  expect(close).toHaveBeenCalledOnce();
});

it("asks on Escape before it lets a changed value go, and typing on keeps it", async () => {
  const { user, close } = show();
  await user.click(screen.getByLabelText("Tier"));
  await user.keyboard("en{Escape}");
  expect(screen.getByRole("alert").textContent).toContain("Discard what you wrote?");
  expect(close).not.toHaveBeenCalled();
  await user.keyboard("!");
  expect(screen.queryByRole("alert")).toBeNull();
  await user.keyboard("{Escape}{Escape}");
  expect(close).toHaveBeenCalledOnce();
});
