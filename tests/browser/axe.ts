/** Finds accessibility violations on a page. */
import { source as axeSource } from "axe-core";
import type { Page } from "playwright-core";

/** Injects axe through the debugger, because the page's policy forbids foreign scripts. */
export const judge = async (page: Page, options: object = {}): Promise<readonly string[]> => {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource);
  const found = await page.evaluate(async (own) => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: readonly Violation[] }> };
    };
    const { violations } = await axe.run({ ...own, resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" · ")}`);
  }, options);
  return found;
};

/** The colour rules of axe: all that a second theme can break. */
export const COLOURS = { runOnly: ["color-contrast", "link-in-text-block"] };

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}
