import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { createHome, type Daemon, startDaemon, until } from "../journeys/daemon.ts";
import { inBrowser, inRoom, welcome } from "./browser.ts";

/** The first page, an older page, and the start. */
const MESSAGES = 270;

/**
 * Messages of different heights, because heights above the viewport are estimates until rendered.
 */
const textOf = (number: number): string => {
  if (number % 17 === 0) return `Message ${number}: a list\n\n- one\n- two\n- three\n\n> and a quote`;
  if (number % 23 === 0) return `Message ${number}:\n\n\`\`\`ts\nconst answer = ${number};\nconst other = 1;\n\`\`\``;
  return `Message ${number}: ${"words that fill a line or two, ".repeat((number * 7) % 5)}`;
};

const fill = async (daemon: Daemon): Promise<void> => {
  await welcome(daemon);
  await daemon.ask("POST", "/api/rooms", { content: { name: "Long" } });
  for (let number = 1; number <= MESSAGES; number += 1) {
    const { status } = await daemon.ask("POST", "/api/rooms/long/messages", { text: textOf(number) });
    if (status !== 201) throw new Error(`message ${number}: ${status}`);
  }
};

/**
 * One observed frame: visible message numbers from the top, and the position of the watched
 * message.
 */
interface Frame {
  readonly numbers: readonly number[];
  readonly top: number | undefined;
}

/** Runs in the page: records every frame from here on. */
const note = (watched: number | undefined): void => {
  const frames: Frame[] = [];
  const look = (): void => {
    const log = document.querySelector('[role="log"]')?.getBoundingClientRect();
    if (log === undefined) return;
    const shown = [...document.querySelectorAll('[role="log"] article')]
      .map((article) => ({
        number: Number(/Message (\d+):/.exec(article.textContent)?.[1]),
        box: article.getBoundingClientRect(),
      }))
      .sort((a, b) => a.box.top - b.box.top);
    frames.push({
      numbers: shown.filter(({ box }) => box.bottom > log.top && box.top < log.bottom).map(({ number }) => number),
      top: shown.find(({ number }) => number === watched)?.box.top,
    });
  };
  // An animation frame runs before the list has measured new rows; a task later it is as
  // painted.
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener("message", () => {
    if ((globalThis as unknown as { frames: unknown }).frames !== frames) return;
    look();
    requestAnimationFrame(() => port2.postMessage(undefined));
  });
  Object.assign(globalThis, { frames });
  port1.start();
  port2.postMessage(undefined);
};

const framesOf = (page: Page): Promise<readonly Frame[]> =>
  page.evaluate(() => (globalThis as unknown as { frames: readonly Frame[] }).frames);

/** The visible messages once the list is stable. */
const settled = async (page: Page): Promise<readonly number[]> => {
  const shown = await page.evaluate(async () => {
    const { frames } = globalThis as unknown as { frames: readonly Frame[] };
    const end = frames.length + 2;
    // An empty frame is not stable.
    while (frames.length < end || frames.at(-1)?.numbers.length === 0) await new Promise(requestAnimationFrame);
    return frames.at(-1)?.numbers;
  });
  return shown ?? [];
};

/** Height of the content in pixels. */
const heightOf = (page: Page): Promise<number> => page.getByRole("log").evaluate((log) => log.scrollHeight);

inBrowser("a long room", ({ visit }) => {
  test("loads older messages without moving the visible ones, up to the first message, each once", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await fill(daemon);
    await using visited = await visit(daemon, { path: "/ui/rooms/long" });
    const { page } = visited;
    await inRoom(page, /^Message 270:/).waitFor();

    // Hold the older page back until the list is stable.
    const asked = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    await page.route(/\/events\?.*before=\d/, async (route) => {
      asked.resolve();
      await gate.promise;
      await route.continue();
    });
    let isAsked = false;
    void asked.promise.then(() => (isAsked = true));
    await page.getByRole("log").hover();
    await page.evaluate(note, undefined);
    await until(async () => {
      await page.mouse.wheel(0, -300);
      return isAsked;
    });
    await page.locator('[role="log"][aria-busy="true"]').waitFor();
    const numbers = await settled(page);
    const watched = numbers[Math.floor(numbers.length / 2)];
    const before = await heightOf(page);
    await page.evaluate(note, watched);
    await settled(page);
    gate.resolve();
    await until(async () => (await heightOf(page)) > before);
    for (let count = 0; count < 3; count += 1) await settled(page);
    const tops = (await framesOf(page)).map(({ top }) => top ?? Number.NaN);
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(2);

    const places: (readonly number[])[] = [];
    for (let turn = 0; turn < 150 && places.at(-1)?.[0] !== 1; turn += 1) {
      await page.mouse.wheel(0, -400);
      places.push(await settled(page));
    }
    // Scrolling up shows only earlier messages.
    const firsts = places.map(([first = 0]) => first);
    expect(firsts.at(-1)).toBe(1);
    expect(firsts).toEqual(firsts.toSorted((a, b) => b - a));
    // No message twice, and none missing.
    for (const shown of places) expect(shown).toEqual(shown.map((_, index) => (shown[0] ?? 0) + index));

    await page.getByRole("button", { name: "Jump to latest" }).click();
    await until(async () => (await settled(page)).at(-1) === MESSAGES);
    await daemon.ask("POST", "/api/rooms/long/messages", { text: `Message ${MESSAGES + 1}: the newest` });
    await until(async () => (await settled(page)).at(-1) === MESSAGES + 1);
    expect(visited.complaints).toEqual([]);
  });
});

inBrowser("a person with several rooms", ({ visit }) => {
  test("sees unread marks until they open the room, also after a reload and in another tab", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await daemon.ask("POST", "/api/rooms", { content: { name: "Kitchen" } });
    await using visited = await visit(daemon, { path: "/ui/rooms/main" });
    const { page } = visited;
    await page.getByRole("textbox", { name: "Message Main" }).waitFor();
    const link = (tab: Page, name = /Kitchen/) =>
      tab.getByRole("navigation", { name: "Chats" }).getByRole("link", { name });
    const isNew = async (tab: Page) => (await link(tab).getByText("New messages").count()) === 1;
    await link(page).waitFor();
    expect(await isNew(page)).toBe(false);

    // The user's own messages are not unread.
    await daemon.ask("POST", "/api/rooms/kitchen/messages", { text: "from my telephone" });
    const { json: main } = await daemon.ask("GET", "/api/agents/main");
    const { json: key } = await daemon.ask("POST", "/api/keys", { name: "test", agent: main.id });
    const say = async (text: string): Promise<void> => {
      const headers = { authorization: `Bearer ${key.key}` };
      const { status } = await daemon.ask("POST", "/api/rooms/kitchen/messages", { text }, { headers });
      expect(status).toBe(201);
    };
    await link(page)
      .getByText(/now|ago/)
      .waitFor();
    expect(await isNew(page)).toBe(false);

    await say("The kettle is on.");
    await until(() => isNew(page));
    await page.reload();
    await link(page).waitFor();
    await until(() => isNew(page));
    const other = await visited.newTab("/ui/rooms/main");
    await until(() => isNew(other));

    await page.bringToFront();
    await link(page).click();
    await inRoom(page, "The kettle is on.").waitFor();
    await until(async () => !(await isNew(page)) && !(await isNew(other)));
    await say("It boils.");
    await inRoom(page, "It boils.").waitFor();
    await link(page, /Main/).click();
    await page.getByRole("textbox", { name: "Message Main" }).waitFor();
    await page.reload();
    await link(page).waitFor();
    await page.getByRole("textbox", { name: "Message Main" }).waitFor();
    expect(await isNew(page)).toBe(false);
    await say("And now it is cold again.");
    await until(() => isNew(page));
    expect(visited.complaints).toEqual([]);
  });
});
