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
  page.evaluate(async () => {
    // After a change of the width, a box for wide content becomes a group in the next frame.
    for (const _ of ["resized", "rendered"]) await new Promise(requestAnimationFrame);
    return [...document.querySelectorAll("*")].some(
      (element) =>
        element.scrollWidth > element.clientWidth &&
        element.checkVisibility() &&
        (element === document.documentElement || /auto|scroll/.test(getComputedStyle(element).overflowX)) &&
        !element.matches('[role="group"][tabindex="0"], textarea, input, select'),
    );
  });

/**
 * Returns the controls of the page that a pointer cannot reach after scrolling to them: outside of
 * the screen, or covered by another element. Excludes messages, whose list takes no pointer while
 * it scrolls.
 */
const findUnreachable = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll("main :is(button, a[href], input, select, textarea, summary)")]
      .filter((control) => control.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((control) => control.closest('[role="log"]') === null)
      .filter((control) => {
        control.scrollIntoView({ block: "center", behavior: "instant" });
        // The first line of a link in running text, because the middle of several lines may be beside the link.
        const { left, top, width, height } = control.getClientRects()[0] ?? control.getBoundingClientRect();
        const hit = document.elementFromPoint(left + width / 2, top + height / 2);
        const label = (control as HTMLInputElement).labels?.[0];
        return hit === null || !(control.contains(hit) || label?.contains(hit) === true);
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

/** A screen of 1280 × 720 at 200 %: the browser zooms the page, or only the text has twice the size. */
const ZOOMS = [
  { zoom: "of the page", viewport: { width: 640, height: 360 }, fontSize: 16 },
  { zoom: "of the text", viewport: { width: 1280, height: 720 }, fontSize: 32 },
] as const;

/** Returns the problems of a page at 200 %: it scrolls sideways, or hides a control. */
export const findZoomProblems = async (page: Page, name: string): Promise<readonly string[]> => {
  const problems: string[] = [];
  const devtools = await page.context().newCDPSession(page);
  const setFontSize = (standard: number) => devtools.send("Page.setFontSizes", { fontSizes: { standard } });
  for (const { zoom, viewport, fontSize } of ZOOMS) {
    await page.setViewportSize(viewport);
    await setFontSize(fontSize);
    if (await isTooWide(page)) problems.push(`${name}, zoom ${zoom}: scrolls sideways`);
    for (const control of await findUnreachable(page)) problems.push(`${name}, zoom ${zoom}: hides ${control}`);
  }
  await setFontSize(16);
  await devtools.detach();
  return problems;
};
