/** Measures how far content moves while a page loads: the sum of its layout shifts. */
import { readFile } from "node:fs/promises";
import type { BrowserContext, Page } from "playwright-core";
import { until } from "../journeys/daemon.ts";

/** Maximum layout shift. A value of 0.1 is usually called good. */
const MAX_SHIFT = 0.02;

interface Shift extends PerformanceEntry {
  readonly value: number;
  readonly sources: readonly { readonly node: Element | null }[];
}

/**
 * Records the shifts of every document from its first frame on. The page waits for its slow parts
 * as long as they take, because a busy machine makes every part slow.
 */
export const recordShifts = async (context: BrowserContext): Promise<void> => {
  const source = await readFile(new URL("../../packages/ui/src/house/settled.tsx", import.meta.url), "utf8");
  const [, limitMs] = /MAX_WAIT_MS = (\d+);/.exec(source) ?? [];
  if (limitMs === undefined) throw new Error("settled.tsx states no limit of a wait");
  await context.addInitScript(record, Number(limitMs));
};

const record = (limitMs: number): void => {
  const sleep = globalThis.setTimeout;
  const sleepUnlessLimit = (work: () => void, ms?: number) => sleep(work, ms === limitMs ? 2 ** 31 - 1 : ms);
  Object.assign(globalThis, { setTimeout: sleepUnlessLimit });
  const shifts: string[] = [];
  Object.assign(globalThis, { shifts });
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as Shift[])
      shifts.push(`${value} ${sources.map(({ node }) => node?.textContent?.slice(0, 40)).join(" | ")}`);
  }).observe({ type: "layout-shift", buffered: true });
};

/** Describes the shifts of a page whose content moved too far, otherwise returns `undefined`. */
export const findShift = async (page: Page, path: string): Promise<string | undefined> => {
  const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: readonly string[] }).shifts);
  const sum = shifts.reduce((before, shift) => before + Number.parseFloat(shift), 0);
  return sum > MAX_SHIFT ? `${path}: ${sum.toFixed(3)}\n  ${shifts.join("\n  ")}` : undefined;
};

/** Waits until nothing is loading, and until the next frame, which reports the last shifts. */
export const settle = async (page: Page): Promise<void> => {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForLoadState("networkidle");
  await until(async () => (await page.getByRole("img", { name: "Loading" }).count()) === 0);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
};
