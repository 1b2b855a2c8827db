import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { Boundary } from "./boundary";
import { Fallback, lazy } from "../lib/lazy";

const page = ({ text }: { text: string }) => <p>{text}</p>;

interface Chunk {
  default: typeof page;
}

describe("a lazy component", () => {
  let box: HTMLElement;
  let root: Root;

  beforeEach(() => {
    vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
    box = document.createElement("div");
    root = createRoot(box);
  });
  afterEach(() => {
    act(() => root.unmount());
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it("shows what stands for it, and itself as soon as it is there", async () => {
    let arrive: ((chunk: Chunk) => void) | undefined;
    const load = vi.fn<() => Promise<Chunk>>(() => new Promise((resolve) => (arrive = resolve)));
    const Page = lazy(load);
    const shown = (
      <Fallback show="loading">
        <Page text="here" />
      </Fallback>
    );
    act(() => root.render(shown));
    expect(box.textContent).toBe("loading");
    await act(async () => arrive?.({ default: page }));
    expect(box.innerHTML).toBe("<p>here</p>");

    act(() => root.render(<Page text="again" />));
    expect(box.textContent).toBe("again");
    expect(load).toHaveBeenCalledTimes(1);
  });

  it("is there at once after it was preloaded", async () => {
    const load = vi.fn<() => Promise<Chunk>>().mockResolvedValue({ default: page });
    const Page = lazy(load);
    Page.preload();
    Page.preload();
    await Promise.resolve().then(() => Promise.resolve());
    act(() => root.render(<Page text="at once" />));
    expect(box.textContent).toBe("at once");
    expect(load).toHaveBeenCalledTimes(1);
  });

  it("tells the boundary that it failed, and is loaded again by the next try", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const load = vi.fn<() => Promise<Chunk>>().mockRejectedValueOnce(new Error("gone")).mockResolvedValue({ default: page });
    const Page = lazy(load);
    await act(async () =>
      root.render(
        <Boundary what="the page">
          <Page text="back" />
        </Boundary>,
      ),
    );
    expect(box.textContent).toContain("The page could not be loaded");
    await act(async () => [...box.querySelectorAll("button")].find(({ textContent }) => textContent?.includes("Try again"))?.click());
    expect(box.innerHTML).toBe("<p>back</p>");
    expect(load).toHaveBeenCalledTimes(2);
  });
});
