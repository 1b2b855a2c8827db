import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, expect, it, vi } from "vitest";

import { theme } from "../theme/theme";
import { Button } from "./button";

beforeAll(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  vi.stubGlobal("ResizeObserver", class {
    observe() {}
    unobserve() {}
    disconnect() {}
  });
});
afterEach(cleanup);

function show(button: React.ReactNode) {
  render(
    <MantineProvider theme={theme} env="test">
      {button}
    </MantineProvider>,
  );
  return userEvent.setup();
}

it("is reached by Tab, tells the reason there and does nothing while it is not allowed", async () => {
  const act = vi.fn<() => void>();
  const user = show(<Button reason="You need the privilege Create Tags." onClick={act}>Create tag</Button>);
  await user.tab();
  const button = screen.getByRole("button", { name: "Create tag" });
  expect(document.activeElement).toBe(button);
  expect(button.getAttribute("aria-disabled")).toBe("true");
  expect(await screen.findByText("You need the privilege Create Tags.")).toBeTruthy();
  await user.keyboard("{Enter} ");
  await user.click(button);
  expect(act).not.toHaveBeenCalled();
});

it("does what it says once, and not again while that is under way", async () => {
  const act = vi.fn<() => void>();
  const user = show(<Button onClick={act}>Create tag</Button>);
  await user.tab();
  await user.keyboard("{Enter}");
  expect(act).toHaveBeenCalledOnce();
  cleanup();
  const again = show(<Button busy onClick={act}>Create tag</Button>);
  await again.click(screen.getByRole("button", { name: "Create tag" }));
  expect(act).toHaveBeenCalledOnce();
});
