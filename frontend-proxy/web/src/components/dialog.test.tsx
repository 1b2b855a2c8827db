import { MantineProvider, TextInput } from "@mantine/core";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { theme } from "../theme/theme";
import { Button } from "./button";
import { Confirm, FormDialog } from "./dialog";

beforeAll(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  vi.stubGlobal("ResizeObserver", class {
    observe() {}
    unobserve() {}
    disconnect() {}
  });
});
afterEach(cleanup);

function Page({ onSubmit }: { onSubmit: (name: string) => Promise<unknown> }) {
  const [open, setOpen] = useState(false);
  const [name, setName] = useState("");
  return (
    <>
      <Button onClick={() => setOpen(true)}>New thing</Button>
      {open && (
        <FormDialog title="New thing" verb="Create thing" failed="No thing was created" complete={name !== ""} onClose={() => setOpen(false)} onSubmit={() => onSubmit(name).then(() => setOpen(false))}>
          {(tried) => <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} error={tried && name === "" ? "A thing needs a name." : null} data-autofocus />}
        </FormDialog>
      )}
    </>
  );
}

function show(page: React.ReactNode) {
  render(
    <MantineProvider theme={theme} env="test">
      {page}
    </MantineProvider>,
  );
  return userEvent.setup();
}

describe("a dialog with a form", () => {
  it("opens, is filled in, and submitted by keyboard alone", async () => {
    const create = vi.fn<(name: string) => Promise<void>>(() => Promise.resolve());
    const user = show(<Page onSubmit={create} />);
    await user.tab();
    await user.keyboard("{Enter}");
    const field = await screen.findByLabelText("Name");
    await waitFor(() => expect(document.activeElement).toBe(field));
    await user.keyboard("{Enter}");
    expect(await screen.findByText("A thing needs a name.")).toBeTruthy();
    expect(create).not.toHaveBeenCalled();
    await user.keyboard("By keyboard{Enter}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBe(null));
    expect(create).toHaveBeenCalledExactlyOnceWith("By keyboard");
  });

  it("leads Tab to its buttons and back to its first control, and to nothing behind it", async () => {
    const user = show(<Page onSubmit={() => Promise.resolve()} />);
    await user.click(screen.getByRole("button", { name: "New thing" }));
    const field = await screen.findByLabelText("Name");
    await waitFor(() => expect(document.activeElement).toBe(field));
    const reached = [];
    for (let pressed = 0; pressed < 4; pressed++) {
      await user.tab();
      reached.push(document.activeElement);
      expect(screen.getByRole("dialog").contains(document.activeElement)).toBe(true);
    }
    expect(reached.slice(0, 2).map((each) => each?.textContent)).toEqual(["Cancel", "Create thing"]);
  });

  it("stays with the reason and what was typed when it is refused", async () => {
    const user = show(<Page onSubmit={() => Promise.reject(new Error("The name is taken."))} />);
    await user.click(screen.getByRole("button", { name: "New thing" }));
    await user.type(await screen.findByLabelText("Name"), "Taken{Enter}");
    expect(await screen.findByText("No thing was created")).toBeTruthy();
    expect(screen.getByText("The name is taken.")).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe("Taken");
  });
});

const ask = (onConfirm: () => Promise<unknown>, onClose: () => void, typed?: string) =>
  show(
    <Confirm title="Delete it?" verb="Delete it" {...(typed ? { typed } : {})} onConfirm={onConfirm} onClose={onClose}>
      It is gone then.
    </Confirm>,
  );
const verb = () => screen.getByRole("button", { name: "Delete it" });

describe("a question before something is done", () => {
  it("does nothing before the name is typed, and then by keyboard", async () => {
    const remove = vi.fn<() => Promise<void>>(() => Promise.resolve());
    const close = vi.fn<() => void>();
    const user = ask(remove, close, "sales <b>2</b>");
    expect(verb().getAttribute("aria-disabled")).toBe("true");
    await user.click(verb());
    expect(remove).not.toHaveBeenCalled();
    await user.type(screen.getByLabelText("Type sales <b>2</b> to confirm"), "sales <b>2</b>");
    expect(verb().getAttribute("aria-disabled")).toBe(null);
    await user.tab();
    await user.tab();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(close).toHaveBeenCalledOnce());
    expect(remove).toHaveBeenCalledOnce();
  });

  it("stays with the reason when it is refused", async () => {
    const close = vi.fn<() => void>();
    const user = ask(() => Promise.reject(new Error("It has 2 sub-domains.")), close);
    await user.click(verb());
    expect(await screen.findByText("Nothing was changed")).toBeTruthy();
    expect(screen.getByText("It has 2 sub-domains.")).toBeTruthy();
    expect(close).not.toHaveBeenCalled();
  });
});
