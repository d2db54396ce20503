/** Runs Chromium for tests: logged in, and watched for errors and forbidden requests. */
import { afterAll, beforeAll, describe } from "bun:test";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";
import type { Daemon } from "../journeys/daemon.ts";

/** Finds the Chromium that `npm test` found or installed, or else the first one on this machine. */
export const findChromium = (): string | undefined =>
  process.env["HEARTH_CHROMIUM"] ??
  ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
    .map((name) => Bun.which(name))
    .find((path) => path !== null) ??
  undefined;

/** Flags for a small machine without a screen, and without background requests. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const launch = (executablePath: string, flags: readonly string[]): Promise<Browser> =>
  chromium.launch({ executablePath, args: [...FLAGS, ...flags], timeout: 120_000 });

/**
 * The browser of all files of this process, without additional flags. A start takes longer than
 * many tests, and each test has a separate context. It is killed when the process exits.
 */
let shared: Promise<Browser> | undefined;

/** Chromium reports a WebSocket that was answered with 401 in these words, without the status. */
const UNAUTHORIZED = "HTTP Authentication failed";
/** The warning of a page whose worker is blocked. */
const BLOCKED = "Service Worker registration blocked by Playwright";

export interface Visit extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Console errors, uncaught errors and requests to other hosts so far. */
  readonly complaints: readonly string[];
  /** Opens another tab of the same browser. */
  newTab(path?: string): Promise<Page>;
}

export interface VisitOptions extends BrowserContextOptions {
  /** The path after the login. */
  readonly path?: string;
  /** Complaints that this test causes on purpose. */
  readonly expected?: RegExp;
}

export interface Visitors {
  /** Logs in with a new link and opens a path of the UI. */
  visit(daemon: Daemon, options?: VisitOptions): Promise<Visit>;
  /** Opens a browser that is not logged in. */
  stranger(daemon: Pick<Daemon, "url">, options?: VisitOptions): Promise<Visit>;
}

/**
 * Declares a group of tests in a browser. Without Chromium, declares one skipped test. With
 * `prepare`, the group has its own browser: it runs before the start and returns more flags.
 */
export const inBrowser = (
  title: string,
  journeys: (visitors: Visitors) => void,
  prepare?: () => Promise<readonly string[]>,
): void => {
  const executablePath = findChromium();
  const reason =
    executablePath === undefined
      ? " (needs Chromium, and none is installed: apt-get install chromium-headless-shell)"
      : "";
  describe.skipIf(executablePath === undefined)(title + reason, () => {
    let browser: Browser | undefined;
    beforeAll(async () => {
      const flags = await prepare?.();
      if (flags === undefined) shared ??= launch(executablePath ?? "", []);
      browser = await (flags === undefined ? shared : launch(executablePath ?? "", flags));
    });
    afterAll(async () => {
      if (prepare !== undefined) await browser?.close();
    });

    const stranger: Visitors["stranger"] = async ({ url }, { path, expected, ...options } = {}) => {
      if (browser === undefined) throw new Error("the browser has not started");
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        locale: "en-GB",
        // Blocks workers, because tests route requests of pages and would not see those that a worker answers.
        serviceWorkers: "block",
        ...options,
      });
      // The timeout is long enough for a busy machine.
      context.setDefaultTimeout(60_000);
      const complaints: string[] = [];
      const complain = (words: string): void => {
        const text = words.includes(UNAUTHORIZED) ? `${words} (401)` : words;
        if (expected?.test(text) !== true && !text.endsWith(BLOCKED)) complaints.push(text);
      };
      context.on("page", (page) => {
        page.on("console", (message) => {
          if (message.type() === "error" || message.type() === "warning") complain(`console: ${message.text()}`);
        });
        page.on("pageerror", (error) => complain(`uncaught: ${error.message}`));
        page.on("dialog", (dialog) => {
          complain(`dialog: ${dialog.message()}`);
          void dialog.dismiss();
        });
      });
      context.on("request", (request) => {
        const { origin, protocol } = new URL(request.url());
        if (origin !== new URL(url).origin && protocol !== "data:" && protocol !== "blob:")
          complain(`foreign: ${request.url()}`);
      });
      const newTab = async (to?: string): Promise<Page> => {
        const page = await context.newPage();
        if (to !== undefined) await page.goto(url + to);
        return page;
      };
      return { context, page: await newTab(path), complaints, newTab, [Symbol.asyncDispose]: () => context.close() };
    };

    journeys({
      stranger,
      async visit(daemon, { path = "/ui/", ...options } = {}) {
        const visit = await stranger(daemon, options);
        const { json } = await daemon.ask("POST", "/api/login-links", {});
        // Submits the login form directly; the login tests click its button.
        const form = { code: new URL(json.url).searchParams.get("code") ?? "" };
        const headers = { origin: daemon.url };
        const answer = await visit.context.request.post(`${daemon.url}/login`, { form, headers, maxRedirects: 0 });
        if (answer.status() !== 303) throw new Error(`the link did not log in: ${answer.status()}`);
        await visit.page.goto(daemon.url + path);
        return visit;
      },
    });
  });
};

/** Marks the owner as welcomed, for tests that begin after the welcome. */
export const welcome = async (daemon: Daemon): Promise<void> => {
  const [house] = (await daemon.ask("GET", "/api/houses")).json;
  const { status } = await daemon.ask("PATCH", `/api/houses/${house.id}`, { content: { welcomedAt: 1 } });
  if (status !== 200) throw new Error(`marking the owner as welcomed failed: ${status}`);
};

/** Gives every message its own reply, even in quick succession. */
export const answerOneByOne = async (daemon: Daemon): Promise<void> => {
  const { status } = await daemon.ask("PATCH", "/api/agents/main", { content: { queue: "followup" } });
  if (status !== 200) throw new Error(`the agent was not changed: ${status}`);
};

/** Finds text in the room, but not in screen reader announcements. */
export const inRoom = (page: Page, text: string | RegExp): Locator =>
  page.getByRole("log").getByText(text, typeof text === "string" ? { exact: true } : {});
