import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, expect, it, vi } from "vitest";

import { Problem } from "../lib/problem";
import { Editable } from "./editable";

beforeAll(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
});
afterEach(cleanup);

function show(onSave: (value: string, seen: string) => Promise<unknown>, value = "Analyst") {
  render(
    <MantineProvider>
      <Editable label="title" value={value} empty="No title" onSave={onSave} />
    </MantineProvider>,
  );
  return userEvent.setup();
}

it("saves with Enter what was typed, and goes back to the pencil", async () => {
  const save = vi.fn<(value: string, seen: string) => Promise<void>>(() => Promise.resolve());
  const user = show(save);
  await user.click(screen.getByRole("button", { name: "Edit title" }));
  await user.clear(screen.getByRole("textbox"));
  await user.keyboard(" Baker {Enter}");
  expect(save).toHaveBeenCalledExactlyOnceWith("Baker", "Analyst");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Edit title" }));
});

it("keeps the text and says why when it is refused", async () => {
  const user = show(() => Promise.reject(new Error("title: it is too long")));
  await user.click(screen.getByRole("button", { name: "Edit title" }));
  await user.keyboard("!{Enter}");
  expect(screen.getByRole("alert").textContent).toBe("title: it is too long");
  const field = screen.getByRole<HTMLInputElement>("textbox");
  expect(field.value).toBe("Analyst!");
  expect(field.getAttribute("aria-invalid")).toBe("true");
});

it("leaves everything as it was on Escape, and asks nothing of the server when nothing changed", async () => {
  const save = vi.fn<(value: string) => Promise<void>>(() => Promise.resolve());
  const user = show(save);
  await user.click(screen.getByRole("button", { name: "Edit title" }));
  await user.keyboard("x{Backspace}{Escape}");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Edit title" }));
  await user.click(screen.getByRole("button", { name: "Edit title" }));
  await user.keyboard("{Enter}");
  expect(save).not.toHaveBeenCalled();
});

it("asks on Escape before it lets go what was typed, and typing on keeps it", async () => {
  const save = vi.fn<(value: string) => Promise<void>>(() => Promise.resolve());
  const user = show(save);
  await user.click(screen.getByRole("button", { name: "Edit title" }));
  await user.keyboard("x{Escape}");
  expect(screen.getByRole("alert").textContent).toContain("Discard what you wrote?");
  const field = screen.getByRole<HTMLInputElement>("textbox");
  expect(document.activeElement).toBe(field);
  await user.keyboard("y");
  expect(field.value).toBe("Analystxy");
  expect(screen.queryByRole("alert")).toBeNull();
  await user.keyboard("{Escape}{Escape}");
  expect(screen.getByText("Analyst")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Edit title" }));
  await user.keyboard("x");
  expect(screen.queryByRole("alert")).toBeNull();
  expect(save).not.toHaveBeenCalled();
});

it("lets text be written from right to left", async () => {
  const user = show(() => Promise.resolve());
  await user.click(screen.getByRole("button", { name: "Edit title" }));
  expect(screen.getByRole("textbox").getAttribute("dir")).toBe("auto");
});

it("names a cell by all of the text that stands in it, however long", () => {
  const value = "word ".repeat(100).trim();
  render(
    <MantineProvider>
      <Editable label="title" value={value} empty="No title" cell onSave={() => Promise.resolve()} />
    </MantineProvider>,
  );
  expect(screen.getByRole("button", { name: `Edit title: ${value}` })).toBeTruthy();
});

it("takes no text while it saves, which would not be saved", async () => {
  let refuse: ((error: Error) => void) | undefined;
  const user = show(() => new Promise((_, reject) => (refuse = reject)));
  await user.click(screen.getByRole("button", { name: "Edit title" }));
  await user.keyboard("!{Enter} too late");
  const field = screen.getByRole<HTMLInputElement>("textbox");
  expect(field.value).toBe("Analyst!");
  refuse?.(new Error("title: it is too long"));
  await screen.findByRole("alert");
  await user.keyboard("?");
  expect(field.value).toBe("Analyst!?");
});

it("leaves the focus where it went while the text was saved", async () => {
  let accept: (() => void) | undefined;
  const user = show(() => new Promise<void>((resolve) => (accept = resolve)));
  const elsewhere = document.body.appendChild(document.createElement("button"));
  await user.click(screen.getByRole("button", { name: "Edit title" }));
  await user.keyboard("!{Enter}");
  await user.click(elsewhere);
  accept?.();
  await screen.findByRole("button", { name: "Edit title" });
  expect(document.activeElement).toBe(elsewhere);
  elsewhere.remove();
});

it("counts as seen what a refusal told, before the page shows it", async () => {
  const save = vi.fn<(value: string, seen: string) => Promise<void>>();
  save.mockRejectedValueOnce(new Problem("invalid", "It now says: “Cook”.", { now: "Cook" })).mockResolvedValueOnce();
  const user = show(save);
  await user.click(screen.getByRole("button", { name: "Edit title" }));
  await user.keyboard("!{Enter}");
  await user.keyboard("{Enter}");
  expect(save.mock.calls).toEqual([
    ["Analyst!", "Analyst"],
    ["Analyst!", "Cook"],
  ]);
});
