import { describe, expect, test } from "bun:test";
import { placeBelow } from "./placement.ts";

const WINDOW = { innerWidth: 400, innerHeight: 300 };

interface Box {
  readonly top: number;
  readonly right: number;
}

/** Places a panel beside an opener that is 20 pixels high, and returns the panel's position. */
const place = (size: { readonly width: number; readonly height: number }, { top, right }: Box) => {
  const panel = {
    ownerDocument: { defaultView: WINDOW },
    style: { left: "", top: "" },
    getBoundingClientRect: () => size,
  };
  const opener = { getBoundingClientRect: () => ({ top, bottom: top + 20, right }) };
  placeBelow(panel as unknown as HTMLElement, opener as unknown as Element);
  return panel.style;
};

describe("a panel", () => {
  const size = { width: 120, height: 100 };
  test.each([
    ["is below its opener, with the same right edge", { top: 50, right: 300 }, { left: "180px", top: "70px" }],
    ["is below if it just fits", { top: 180, right: 300 }, { left: "180px", top: "200px" }],
    ["is above if there is no space below", { top: 181, right: 300 }, { left: "180px", top: "81px" }],
    ["stays within the left edge", { top: 50, right: 80 }, { left: "0px", top: "70px" }],
    ["stays within the right edge", { top: 50, right: 420 }, { left: "280px", top: "70px" }],
  ])("%s", (_title, box, position) => {
    expect(place(size, box)).toEqual(position);
  });

  test.each([
    ["with space on neither side is as low as it fits", 250, { top: 100, right: 300 }, "50px"],
    ["that is higher than the window begins at its top", 350, { top: 100, right: 300 }, "0px"],
  ])("%s", (_title, height, box, top) => {
    expect(place({ width: 120, height }, box).top).toBe(top);
  });
});
