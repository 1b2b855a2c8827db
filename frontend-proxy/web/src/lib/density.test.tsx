import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";

import { setDensity, useDensity } from "./density";

function Shown() {
  return <p>{useDensity()}</p>;
}

afterEach(cleanup);

it("changes the rows of the page that is shown, and keeps the choice for the next one", () => {
  render(<Shown />);
  expect(screen.getByText("roomy")).toBeTruthy();
  act(() => setDensity("compact"));
  expect(screen.getByText("compact")).toBeTruthy();
  expect(document.documentElement.dataset["density"]).toBe("compact");
  expect(localStorage.getItem("cartulary-density")).toBe("compact");
  act(() => setDensity("roomy"));
  expect(document.documentElement.dataset["density"]).toBeUndefined();
});
