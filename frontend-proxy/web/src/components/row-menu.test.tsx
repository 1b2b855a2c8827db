import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, expect, it, vi } from "vitest";

import { theme } from "../theme/theme";
import { RowMenu } from "./row-menu";

beforeAll(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  vi.stubGlobal("ResizeObserver", class {
    observe() {}
    unobserve() {}
    disconnect() {}
  });
});
afterEach(cleanup);

function show() {
  const [rename, remove] = [vi.fn<() => void>(), vi.fn<() => void>()];
  render(
    <MantineProvider theme={theme} env="test">
      <RowMenu
        label="More for sales"
        actions={[
          { name: "Rename", icon: null, onClick: rename },
          { name: "Delete", icon: null, onClick: remove, reason: "You need the privilege Manage Tags." },
        ]}
      />
    </MantineProvider>,
  );
  return { user: userEvent.setup(), rename, remove };
}

it("opens by keyboard, and does what the arrow keys choose", async () => {
  const { user, rename } = show();
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "More for sales" }));
  await user.keyboard("{Enter}");
  const first = await screen.findByRole("menuitem", { name: "Rename" });
  for (let pressed = 0; pressed < 3 && document.activeElement !== first; pressed++) {
    await user.keyboard("{ArrowDown}");
  }
  expect(document.activeElement).toBe(first);
  await user.keyboard("{ArrowDown}{ArrowUp}{Enter}");
  expect(rename).toHaveBeenCalledOnce();
  await waitFor(() => expect(screen.queryByRole("menuitem")).toBe(null));
});

it("stays open and does nothing where a privilege is missing, and names it", async () => {
  const { user, remove } = show();
  await user.click(screen.getByRole("button", { name: "More for sales" }));
  const item = await screen.findByRole("menuitem", { name: /^Delete.*You need the privilege Manage Tags\./ });
  expect(item.getAttribute("aria-disabled")).toBe("true");
  await user.click(item);
  expect(remove).not.toHaveBeenCalled();
  expect(screen.getByRole("menuitem", { name: "Rename" })).toBeTruthy();
});
