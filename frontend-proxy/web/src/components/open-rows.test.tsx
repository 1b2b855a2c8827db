import { MantineProvider } from "@mantine/core";
import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { Problem } from "../lib/problem";
import { Editable } from "./editable";
import { KeepOpen, withKept } from "./open-rows";
import { Rows } from "./rows";

beforeAll(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
});
afterEach(cleanup);

interface Listed {
  items: readonly string[];
  all?: readonly string[];
  scope?: string;
  removedOf?: (keys: readonly string[]) => Promise<ReadonlySet<string>>;
  onSaveAnew?: (text: string) => Promise<unknown>;
}

const nameOf = (name: string) => name;

const saved = vi.fn<() => Promise<void>>(() => Promise.resolve());

const list = ({ items, all, scope, removedOf, onSaveAnew }: Listed) => (
  <MantineProvider>
    <KeepOpen value={items.length > 0 ? items : undefined} gone={false} empty="Nothing is here" {...(scope ? { scope } : {})}>
      {() => (
        <Rows
          label="Names"
          head={["Name"]}
          items={items}
          all={all ?? items}
          {...(scope ? { scope } : {})}
          {...(removedOf ? { removedOf } : {})}
          keyOf={nameOf}
          row={(name) => (
            <td>
              <Editable label={name} value={`About ${name}`} empty="" onSave={saved} {...(onSaveAnew ? { onSaveAnew } : {})} />
            </td>
          )}
        />
      )}
    </KeepOpen>
  </MantineProvider>
);

async function openOne(listed: Listed, name: string) {
  const user = userEvent.setup();
  const { rerender } = render(list(listed));
  await user.click(screen.getByRole("button", { name: `Edit ${name}` }));
  await user.keyboard(", typed");
  return { user, show: (after: Listed) => rerender(list(after)) };
}

const rows = () => screen.getAllByRole("row").slice(1).map((row) => row.querySelector("input")?.value ?? row.textContent);

describe("a row with an open field", () => {
  it("stays in its place with what was typed when it is removed, until that is left", async () => {
    const { user, show } = await openOne({ items: ["a", "b", "c"] }, "b");
    show({ items: ["a", "c", "d"] });
    expect(rows()).toEqual(["About a", "About b, typed", "About c", "About d"]);
    expect(screen.getByRole("status").textContent).toContain("Somebody removed this meanwhile. Copy");
    expect(screen.getByRole("button", { name: "Save" }).getAttribute("aria-disabled")).toBe("true");
    await user.click(screen.getByRole("textbox"));
    await user.keyboard("{Enter}");
    expect(saved).not.toHaveBeenCalled();
    show({ items: ["c", "d"] });
    expect(rows()).toEqual(["About b, typed", "About c", "About d"]);
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(rows()).toEqual(["About c", "About d"]);
  });

  it("stays when nothing else is left, and is there again as it was when it comes back", async () => {
    const { user, show } = await openOne({ items: ["a"] }, "a");
    show({ items: [] });
    expect(rows()).toEqual(["About a, typed"]);
    show({ items: ["a"] });
    expect(screen.queryByRole("status")).toBeNull();
    show({ items: [] });
    await user.keyboard("{Escape}{Escape}");
    expect(screen.getByText("Nothing is here")).toBeTruthy();
  });

  it("saves anew where that makes sense, and says why that is refused", async () => {
    const onSaveAnew = vi.fn<(text: string) => Promise<unknown>>().mockRejectedValueOnce(new Error("the name is taken")).mockResolvedValue(undefined);
    const { user, show } = await openOne({ items: ["a", "b"], onSaveAnew }, "a");
    show({ items: ["b"], onSaveAnew });
    await user.click(screen.getByRole("button", { name: "Save anew" }));
    expect(screen.getByRole("alert").textContent).toBe("the name is taken");
    await user.click(screen.getByRole("button", { name: "Save anew" }));
    expect(onSaveAnew).toHaveBeenLastCalledWith("About a, typed");
    expect(rows()).toEqual(["About b"]);
  });

  it("is not called removed where it does not match alone, and goes with another question", async () => {
    const { show } = await openOne({ items: ["a", "b"], scope: "1" }, "a");
    show({ items: ["b"], all: ["a", "b"], scope: "1" });
    expect(rows()).toEqual(["About a, typed", "About b"]);
    expect(screen.queryByRole("status")).toBeNull();
    show({ items: ["b"], scope: "2" });
    expect(rows()).toEqual(["About b"]);
  });

  it("is called removed on a page of many only once that is known, and can be saved until then", async () => {
    const removedOf = vi.fn<(keys: readonly string[]) => Promise<ReadonlySet<string>>>().mockRejectedValueOnce(new Error("away")).mockResolvedValueOnce(new Set()).mockResolvedValue(new Set(["a"]));
    const { show } = await openOne({ items: ["a", "b"], removedOf }, "a");
    for (const items of [["b"], ["a", "b"], ["c"]]) {
      show({ items, removedOf });
      await act(() => Promise.resolve());
      expect(screen.queryByRole("status")).toBeNull();
      expect(screen.getByRole("button", { name: "Save" }).getAttribute("aria-disabled")).not.toBe("true");
    }
    expect(removedOf.mock.calls).toEqual([[["a"]], [["a"]]]);
    show({ items: ["a", "c"], removedOf });
    show({ items: ["c"], removedOf });
    await screen.findByText(/Somebody removed this meanwhile/);
  });

  it("stays alone when nothing matches any more", async () => {
    const { show } = await openOne({ items: ["a", "b"] }, "a");
    show({ items: [], all: ["a", "b"] });
    expect(rows()).toEqual(["About a, typed"]);
  });
});

it("shows what became of a row that does not match any more, so that a refused change can be made after all", async () => {
  const user = userEvent.setup();
  const onSave = vi.fn<(text: string, seen: string) => Promise<unknown>>().mockRejectedValueOnce(new Problem("invalid", "it was changed meanwhile", { now: "theirs" })).mockResolvedValue(undefined);
  const table = (items: readonly { name: string; about: string }[], all = items) => (
    <MantineProvider>
      <Rows
        label="Names"
        head={["Name"]}
        items={items}
        all={all}
        keyOf={({ name }) => name}
        row={({ name, about }) => (
          <td>
            <Editable label={name} value={about} empty="" onSave={onSave} />
          </td>
        )}
      />
    </MantineProvider>
  );
  const [before, after] = [{ name: "a", about: "" }, { name: "a", about: "theirs" }];
  const { rerender } = render(table([before]));
  await user.click(screen.getByRole("button", { name: "Edit a" }));
  await user.keyboard("mine");
  rerender(table([], [after]));
  await user.keyboard("{Enter}");
  await screen.findByRole("alert");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(onSave.mock.calls).toEqual([["mine", ""], ["mine", "theirs"]]);
});

const keptIn = (items: string, before: string, open: string) => withKept([...items], [...before], (item) => open.includes(item), nameOf).join("");

it("puts what is kept behind what it stood behind", () => {
  expect(keptIn("bd", "abcd", "ac")).toBe("abcd");
  expect(keptIn("xdb", "abcd", "c")).toBe("xdbc");
  expect(keptIn("", "abc", "b")).toBe("b");
  expect(keptIn("ab", "abc", "")).toBe("ab");
});
