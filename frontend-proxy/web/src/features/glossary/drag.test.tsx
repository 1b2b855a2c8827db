import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";

import { scrollNearEdge } from "./drag";

afterEach(cleanup);

// A browser would place the element at 100 to 300 px; jsdom has no layout. scrollHeight decides whether the element
// scrolls by itself.
function show(scrollHeight: number) {
  render(<div data-testid="tree" onDragOver={scrollNearEdge} />);
  const tree = screen.getByTestId("tree");
  const scrolled = { tree: vi.fn<(x: number, y: number) => void>(), page: vi.fn<(x: number, y: number) => void>() };
  Object.defineProperties(tree, {
    scrollHeight: { value: scrollHeight },
    clientHeight: { value: 200 },
    scrollBy: { value: scrolled.tree },
    getBoundingClientRect: { value: () => ({ top: 100, bottom: 300 }) },
  });
  vi.stubGlobal("scrollBy", scrolled.page);
  const over = (y: number) => fireEvent(tree, new MouseEvent("dragover", { bubbles: true, clientY: y }));
  return { over, scrolled };
}

it("scrolls a tree that scrolls by itself near its edges, and not between them", () => {
  const { over, scrolled } = show(900);
  for (const y of [290, 110, 200]) {
    over(y);
  }
  expect(scrolled.tree.mock.calls.map(([, by]) => Math.sign(by))).toEqual([1, -1, 0]);
  expect(scrolled.page).not.toHaveBeenCalled();
});

it("scrolls the page where all of the tree is in sight", () => {
  const { over, scrolled } = show(200);
  for (const y of [innerHeight - 10, 10, innerHeight / 2]) {
    over(y);
  }
  expect(scrolled.page.mock.calls.map(([, by]) => Math.sign(by))).toEqual([1, -1, 0]);
  expect(scrolled.tree).not.toHaveBeenCalled();
});
