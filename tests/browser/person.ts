/** A person who uses the app by what the screen shows. Counts the presses and the filled fields. */
import { expect } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { until } from "@hearth/protocol/until";
import type { Daemon } from "../journeys/daemon.ts";
import type { Visitors, VisitOptions } from "./browser.ts";
import { isTooWide } from "./crawl.ts";

/** Set to a folder, each stop writes a screenshot there. */
const SHOTS = process.env["HEARTH_SCREENSHOTS"];

export const PHONE_WIDTH = 390;
export const WIDTHS = [PHONE_WIDTH, 1440] as const;
export type Width = (typeof WIDTHS)[number];

/** The actions of a person for one goal: presses, and fields that are filled by typing or pasting. */
export interface Effort {
  readonly presses: number;
  readonly fields: number;
}

export interface Person extends AsyncDisposable {
  readonly page: Page;
  readonly complaints: readonly string[];
  readonly effort: Effort;
  /** Taps on a phone, clicks otherwise. */
  press(control: Locator): Promise<void>;
  /** Presses until the condition holds, because a control that just appeared ignores presses. Counts one press. */
  pressSteadily(control: Locator, holds: () => Promise<boolean>): Promise<void>;
  /** Fills a field, without the press that focuses it. */
  fill(field: Locator, text: string): Promise<void>;
  /** Presses a native list, and one of its options. */
  select(field: Locator, label: string): Promise<void>;
  /** Follows a link of the side bar, which on a phone is behind the menu button. */
  follow(name: string | RegExp): Promise<void>;
  /** Opens the settings at one of their tabs. */
  openSettings(tab: string): Promise<void>;
  /** Fails if the page at this stop is wider than the screen. */
  stop(name: string): Promise<void>;
}

const screenOf = (width: Width): VisitOptions =>
  width === PHONE_WIDTH
    ? { viewport: { width, height: 844 }, isMobile: true, hasTouch: true, reducedMotion: "reduce" }
    : { viewport: { width, height: 900 }, reducedMotion: "reduce" };

export interface PersonOptions extends Pick<Visitors, "visit" | "stranger"> {
  readonly daemon: Daemon;
  readonly goal: string;
  readonly width: Width;
  /** A link that the person opens without an account. By default, the owner is on the start page. */
  readonly link?: string;
  readonly expected?: RegExp;
}

export const createPerson = async (options: PersonOptions): Promise<Person> => {
  const { visit, stranger, daemon, goal, width, link, expected } = options;
  const screen = { ...screenOf(width), ...(expected === undefined ? {} : { expected }) };
  const visited = await (link === undefined ? visit(daemon, screen) : stranger(daemon, screen));
  const { page } = visited;
  if (link !== undefined) await page.goto(link);
  const isPhone = width === PHONE_WIDTH;
  let presses = 0;
  let fields = 0;
  const person: Person = {
    page,
    complaints: visited.complaints,
    get effort() {
      return { presses, fields };
    },
    async press(control) {
      await (isPhone ? control.tap() : control.click());
      presses += 1;
    },
    async pressSteadily(control, holds) {
      presses += 1;
      await until(async () => {
        if (await holds()) return true;
        await (isPhone ? control.tap() : control.click());
        return false;
      });
    },
    async fill(field, text) {
      await field.fill(text);
      fields += 1;
    },
    async select(field, label) {
      await field.selectOption({ label });
      presses += 2;
    },
    async follow(name) {
      if (isPhone) await person.press(page.getByRole("button", { name: /^Chats and settings/ }));
      await person.press(page.getByRole("complementary", { name: "House" }).getByRole("link", { name }));
    },
    async openSettings(tab) {
      await person.follow("Settings");
      const tabs = page.getByRole("navigation", { name: "Settings", exact: true });
      await person.press(tabs.getByRole("link", { name: tab, exact: true }));
    },
    async stop(name) {
      if (SHOTS !== undefined) {
        mkdirSync(SHOTS, { recursive: true });
        await page.screenshot({ path: join(SHOTS, `${goal}-${name}-${width}.png`) });
      }
      expect({ goal, name, width, isTooWide: await isTooWide(page) }).toEqual({ goal, name, width, isTooWide: false });
    },
    [Symbol.asyncDispose]: () => visited[Symbol.asyncDispose](),
  };
  return person;
};
