/** Examines a page at every width, and with axe in some or all of its views. */
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { COLOURS, judge } from "./axe.ts";

/** A phone, the narrowest screen with the side bar, and a wide screen with the same elements. */
const WIDTHS = [360, 768, 1280] as const;

/** A width and a theme in which axe examines a page. */
export interface View {
  readonly width: (typeof WIDTHS)[number];
  readonly colorScheme: "light" | "dark";
}

const VIEWS: readonly View[] = [
  { width: 360, colorScheme: "light" },
  { width: 768, colorScheme: "dark" },
  { width: 360, colorScheme: "dark" },
  { width: 768, colorScheme: "light" },
  { width: 1280, colorScheme: "light" },
];

/** The extent of a crawl: each page in one view, or each page in every view. */
export type Extent = "each page" | "every view";

/** Returns the views of one page. In a crawl of each page, the views alternate between the pages. */
export const viewsOf = (extent: Extent, index: number): readonly View[] =>
  extent === "every view" ? VIEWS : VIEWS.slice(index % VIEWS.length, (index % VIEWS.length) + 1);

export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

/** Fails if the page is wider than a screen, or has axe violations in one of the views. */
export const examine = async (page: Page, name: string, views: readonly View[]): Promise<void> => {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 760 });
    expect({ name, width, isTooWide: await isTooWide(page) }).toEqual({ name, width, isTooWide: false });
    for (const [index, { colorScheme }] of views.filter((view) => view.width === width).entries()) {
      await page.emulateMedia({ colorScheme });
      // The second theme only changes colours.
      const violations = await judge(page, index > 0 ? COLOURS : {});
      expect({ name, width, colorScheme, violations }).toEqual({ name, width, colorScheme, violations: [] });
    }
  }
};
