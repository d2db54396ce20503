/** Checks the contrast of the colour tokens in both themes. */
import { expect, test } from "bun:test";

const css = await Bun.file(new URL("tokens.css", import.meta.url)).text();

const pairs = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)].map(([, name = "", light = "", dark = ""]) => [
    name,
    { light, dark },
  ]),
);

/** WCAG 2.2, relative luminance. */
const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(colour.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
};

const tooPale = (inks: readonly string[], surfaces: readonly string[], least: number): readonly string[] =>
  inks.flatMap((ink) =>
    surfaces.flatMap((surface) =>
      (["light", "dark"] as const).flatMap((theme) => {
        const ratio = contrast(pairs.get(ink)![theme], pairs.get(surface)![theme]);
        return ratio < least ? [`${theme}: ${ink} on ${surface} is ${ratio.toFixed(2)}`] : [];
      }),
    ),
  );

const pages = ["surface-sunken", "surface", "surface-raised"];
const surfaces = [...pages, "surface-hover", "surface-selected"];

test("ink, muted ink and accent are readable on every surface", () => {
  expect(tooPale(["ink", "ink-muted", "accent", "accent-hover"], surfaces, 4.5)).toEqual([]);
});

test("faint ink, danger and success are readable on page surfaces", () => {
  expect(tooPale(["ink-faint", "danger", "success"], pages, 4.5)).toEqual([]);
});

test("highlighted code is readable on its surface", () => {
  const inks = ["code-keyword", "code-number", "code-title", "code-type", "success", "ink-muted", "danger"];
  expect(tooPale(inks, ["surface-sunken"], 4.5)).toEqual([]);
});

test("text on coloured surfaces is readable", () => {
  expect(tooPale(["accent-ink"], ["accent", "accent-hover"], 4.5)).toEqual([]);
  expect(tooPale(["ink", "ink-muted", "accent"], ["accent-soft"], 4.5)).toEqual([]);
  expect(tooPale(["ink", "ink-muted", "danger"], ["danger-soft"], 4.5)).toEqual([]);
});

test("series of charts are visible on page surfaces", () => {
  const series = [1, 2, 3, 4, 5, 6, 7].map((place) => `series-${place}`);
  expect(tooPale(series, pages, 3)).toEqual([]);
});

test("borders of controls are visible", () => {
  expect(tooPale(["line-strong", "accent", "danger"], pages, 3)).toEqual([]);
});

test("black on white has the standard's contrast", () => {
  expect(contrast("#000000", "#ffffff")).toBe(21);
  expect(pairs.size).toBeGreaterThan(15);
});
