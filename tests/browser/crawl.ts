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

/**
 * Whether the page scrolls sideways. The document never does, because the parts of the page scroll
 * instead. A box for wide content, such as a table of a message, is a group that can be focused.
 */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    [...document.querySelectorAll("*")].some(
      (element) =>
        element.scrollWidth > element.clientWidth &&
        (element === document.documentElement || /auto|scroll/.test(getComputedStyle(element).overflowX)) &&
        !element.matches('[role="group"][tabindex="0"], textarea, input, select'),
    ),
  );

/**
 * Returns the controls of the page that a pointer cannot reach after scrolling to them: outside of
 * the screen, or covered by another element.
 */
export const findUnreachable = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll("main :is(button, a[href], input, select, textarea, summary)")]
      .filter((control) => control.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((control) => {
        control.scrollIntoView({ block: "center", behavior: "instant" });
        const { x, y, width, height } = control.getBoundingClientRect();
        // A link in running text can have several lines, and the middle of their box may be beside them.
        const lines = [...control.getClientRects()];
        const { x: left, y: top, width: long, height: high } = lines[0] ?? { x, y, width, height };
        const hit = document.elementFromPoint(left + long / 2, top + high / 2);
        const label = (control as HTMLInputElement).labels?.[0];
        return !(control.contains(hit) || (hit !== null && label?.contains(hit) === true));
      })
      .map((control) => control.getAttribute("aria-label") ?? (control.textContent.trim() || control.outerHTML)),
  );

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
