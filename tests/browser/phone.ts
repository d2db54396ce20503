/** A page on a phone: in either theme nothing sticks out, and axe finds nothing. */
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { judge } from "./axe.ts";

/** Without motion: a colour that is on its way to the other theme is of neither. */
export const PHONE = {
  ...{ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
  reducedMotion: "reduce",
} as const;

/** Fails for a page that is wider than its screen, or not for everybody, as it stands. */
export const expectFit = async (page: Page): Promise<void> => {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const isTooWide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect({ colorScheme, isTooWide, violations: await judge(page) }).toEqual({
      ...{ colorScheme, isTooWide: false, violations: [] },
    });
  }
};
