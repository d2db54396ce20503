/** Checks a page on a phone in both themes: no horizontal overflow, no axe violation. */
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { judge } from "./axe.ts";
import { isTooWide } from "./crawl.ts";

/** Without animations, because axe would measure intermediate colours. */
export const PHONE = {
  ...{ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
  reducedMotion: "reduce",
} as const;

/** Fails if the page is too wide or has axe violations. */
export const expectFit = async (page: Page): Promise<void> => {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect({ colorScheme, isTooWide: await isTooWide(page), violations: await judge(page) }).toEqual({
      ...{ colorScheme, isTooWide: false, violations: [] },
    });
  }
};
