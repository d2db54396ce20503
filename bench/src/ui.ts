/**
 * Measures the UI in a browser: bytes of the first load, and the time until a long room is visible.
 */
import { type Browser, chromium, type Page } from "playwright-core";
import type { Bench, Finding } from "./bench.ts";
import { type House, startHouse } from "./house.ts";
import { listLazyFiles, toPartFindings } from "./ui-parts.ts";
import { type Site, temporaryFolder } from "./site.ts";
import { percentile } from "./statistics.ts";

const TARGET_KB = 180;
const TARGET_OPEN_MS = 300;
const MESSAGES = 10_000;
const OPENINGS = 9;
/** Concurrent requests while filling the room. */
const WRITERS = 16;
const SCROLLS = 120;

export const ui: Bench = {
  name: "ui",
  about: "bytes of the UI's first load, and how fast a room of 10,000 messages opens and scrolls in Chromium",
  async run(site) {
    const executablePath = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
      .map((name) => Bun.which(name))
      .find(Boolean);
    if (executablePath === undefined || executablePath === null) {
      return [{ what: "everything", skipped: "needs Chromium: apt-get install chromium-headless-shell" }];
    }
    await using folder = await temporaryFolder(site);
    await using house = await startHouse(site, folder.path);
    const { house: home } = await house.client.me();
    await house.client.houses.update(home.id, { content: { welcomedAt: 1 } });
    await fill(site, house);

    const browser = await chromium.launch({
      executablePath,
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
    });
    const end = site.own(() => browser.close());
    try {
      site.say("ui: first load");
      const german = await logIn(browser, house, LANGUAGES.German);
      const { bytes: bytesInGerman } = await countFirstLoad(german, house.url);
      await german.context().close();
      const page = await logIn(browser, house, LANGUAGES.English);
      const { bytes, files } = await countFirstLoad(page, house.url);
      const parts = toPartFindings(await listLazyFiles(house.url, files));
      site.say("ui: opening the long room");
      const { cold, opened } = await measureOpening(page, house.url);
      site.say("ui: scrolling");
      const frames = await measureScrolling(page);
      const loads = [toLoadFinding("English", bytes), toLoadFinding("German", bytesInGerman)];
      return [...loads, ...toFindings(cold, opened, frames), ...parts];
    } finally {
      await end();
    }
  },
};

/** The browser's language, by the language of the UI. */
const LANGUAGES = { English: "en-GB", German: "de-DE" } as const;

/** Opens a page in its own context, and logs in. */
const logIn = async (browser: Browser, house: House, locale: string): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale });
  const page = await context.newPage();
  await page.goto((await house.client.loginLink()).url);
  await page.getByRole("button", { name: "Log in" }).click();
  await page.waitForURL(/\/ui\//);
  return page;
};

const toLoadFinding = (language: keyof typeof LANGUAGES, bytes: number): Finding => ({
  what: `first load of a room in ${language}, over the wire`,
  value: bytes / 1000,
  unit: "kB",
  target: { atMost: TARGET_KB },
  samples: 1,
  note: "document, script and style, gzipped, with headers",
});

const toFindings = (
  cold: readonly number[],
  opened: readonly number[],
  frames: readonly number[],
): readonly Finding[] => [
  {
    what: `a room of ${MESSAGES.toLocaleString("en")} messages: from the click until its last message is visible`,
    value: percentile(opened, 50),
    unit: "ms",
    target: { atMost: TARGET_OPEN_MS },
    samples: opened.length,
    note: `slowest ${percentile(opened, 100).toFixed(0)} ms`,
  },
  {
    what: "the same from an empty tab",
    value: percentile(cold, 50),
    unit: "ms",
    samples: cold.length,
    note: "document, script, login and room; the cache is warm",
  },
  {
    what: "frame time while scrolling up",
    value: percentile(frames, 95),
    unit: "ms",
    samples: frames.length,
    note: `p95; p50 ${percentile(frames, 50).toFixed(1)} ms; without a GPU`,
  },
];

/** Fills a room whose messages wake no agent. */
const fill = async (site: Site, house: House): Promise<void> => {
  site.say(`ui: writing ${MESSAGES.toLocaleString("en")} messages`);
  const room = await house.client.rooms.create({ name: "Long" });
  await house.client.rooms.create({ name: "Short" });
  let next = 0;
  const write = async (): Promise<void> => {
    while (next < MESSAGES && !site.isClosed()) {
      const number = next++;
      await house.client.rooms.post(room.id, { text: textOf(number) });
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  await house.client.rooms.post(room.id, { text: LAST });
};

const LAST = "This is the last message.";

/** Returns a typical message: mostly one line, sometimes longer. */
const textOf = (number: number): string => {
  if (number % 17 === 0) return `**${number}**: a list\n\n- one\n- two with \`code\`\n- three\n\n> and a quote`;
  if (number % 29 === 0)
    return `Number ${number}:\n\n\`\`\`ts\nconst answer = ${number};\nconsole.log(answer);\n\`\`\``;
  return `Message ${number}. ${"Words that fill a line or two. ".repeat(number % 5)}`;
};

const countFirstLoad = async (page: Page, url: string) => {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  const own = new Set<string>();
  const files = new Set<string>();
  let bytes = 0;
  session.on("Network.requestWillBeSent", ({ requestId, request }) => {
    if (!request.url.startsWith(`${url}/ui/`)) return;
    own.add(requestId);
    files.add(request.url.slice(`${url}/ui/`.length));
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (own.has(requestId)) bytes += encodedDataLength;
  });
  await page.goto(`${url}/ui/rooms/long`);
  await page.getByText(LAST).waitFor();
  await session.send("Network.setCacheDisabled", { cacheDisabled: false });
  await session.detach();
  return { bytes, files };
};

const measureOpening = async (page: Page, url: string) => {
  const cold: number[] = [];
  const opened: number[] = [];
  for (let round = 0; round < OPENINGS; round += 1) {
    await page.goto(`${url}/ui/rooms/long`);
    cold.push(await page.evaluate(untilShown, LAST));
    await page.goto(`${url}/ui/rooms/short`);
    const link = page.getByRole("link", { name: /Long/ });
    await link.waitFor();
    // Measures with the page's clock from the click event, which leaves out the latency of the
    // test's connection.
    await link.evaluate((element) =>
      element.addEventListener("click", () => performance.mark("clicked"), { capture: true }),
    );
    await link.click();
    opened.push(
      (await page.evaluate(untilShown, LAST)) -
        (await page.evaluate(() => performance.getEntriesByName("clicked")[0]?.startTime ?? 0)),
    );
  }
  return { cold, opened };
};

/**
 * Runs in the page. Resolves with the page time at which the text is visible, after two frames, so
 * that it was drawn.
 */
const untilShown = (text: string): Promise<number> =>
  new Promise((resolve) => {
    const isShown = (): boolean =>
      [...document.querySelectorAll("article")].some((article) => {
        const box = article.getBoundingClientRect();
        return (
          article.textContent?.includes(text) === true && box.height > 0 && box.top < innerHeight && box.bottom > 0
        );
      });
    const check = (): void => {
      if (!isShown()) requestAnimationFrame(check);
      else requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())));
    };
    check();
  });

/** Scrolls with the wheel and measures the duration of each frame. */
const measureScrolling = async (page: Page): Promise<readonly number[]> => {
  await page.evaluate(() => {
    const frames: number[] = [];
    let last = performance.now();
    const note = (now: number): void => {
      frames.push(now - last);
      last = now;
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
    Object.assign(globalThis, { frames });
  });
  await page.mouse.move(700, 400);
  for (let turn = 0; turn < SCROLLS; turn += 1) await page.mouse.wheel(0, -400);
  return page.evaluate(() => (globalThis as unknown as { frames: number[] }).frames.slice(1));
};
