/** Opens pages of the UI in German, and looks for English texts on them. */
import { expect } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { judge } from "./axe.ts";
import { isTooWide } from "./crawl.ts";
import { settle } from "./shifts.ts";

const SOURCE = join(import.meta.dir, "../../packages/ui/src");

/** The screens on which each page must fit: a phone, and a wide screen. */
const WIDTHS = [390, 1440] as const;

/** Returns the texts without parameters of all modules with this name. */
const readTexts = async (name: string): Promise<ReadonlySet<string>> => {
  const paths = [...new Bun.Glob(`**/${name}`).scanSync({ cwd: SOURCE })];
  const modules = await Promise.all(paths.map((path) => import(join(SOURCE, path)) as Promise<object>));
  return new Set(modules.flatMap((texts) => Object.values(texts).flatMap(stringsIn)));
};

const stringsIn = (value: unknown): readonly string[] => {
  if (typeof value === "string") return [value.trim()];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

/**
 * Returns the English texts without those that are German texts too, such as names. Leaves out words
 * in lower case, because messages contain them.
 */
export const readEnglishTexts = async (): Promise<ReadonlySet<string>> => {
  const german = await readTexts("text.de.ts");
  return new Set([...(await readTexts("text.ts"))].filter((text) => /^\p{Lu}/u.test(text) && !german.has(text)));
};

/** Returns the texts that people read on a page or hear from a screen reader. */
export const textsOn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const texts: string[] = [document.title];
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode() !== null) texts.push(nodes.currentNode.textContent ?? "");
    for (const name of ["aria-label", "title", "placeholder", "alt"])
      for (const element of document.querySelectorAll(`[${name}]`)) texts.push(element.getAttribute(name) ?? "");
    return texts.map((text) => text.trim()).filter((text) => text !== "");
  });

/** Fails if the page has an English text, does not fit a screen, or has axe violations. */
export const expectGerman = async (page: Page, path: string, english: ReadonlySet<string>): Promise<void> => {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await settle(page);
  expect([path, await page.locator("html").getAttribute("lang")]).toEqual([path, "de"]);
  const left = (await textsOn(page)).filter((text) => english.has(text));
  expect([path, left]).toEqual([path, []]);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    expect([path, width, await isTooWide(page)]).toEqual([path, width, false]);
  }
  expect([path, await judge(page)]).toEqual([path, []]);
};
