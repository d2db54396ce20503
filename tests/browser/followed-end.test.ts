import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { createHome, type Daemon, startDaemon, until } from "../journeys/daemon.ts";
import { inBrowser, inRoom, welcome } from "./browser.ts";

setDefaultTimeout(120_000);

const say = async (daemon: Daemon, text: string): Promise<void> => {
  const { status } = await daemon.ask("POST", "/api/rooms/long/messages", { text });
  if (status !== 201) throw new Error(`the message was not accepted: ${status}`);
};

interface Held {
  isHolding: boolean;
  readonly messages: { readonly text: string; readonly deliver: () => void }[];
}

/** Lets the test keep messages of the socket in the page, and deliver them within one task. */
const holdMessages = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const held: Held = { isHolding: false, messages: [] };
    Object.assign(globalThis, { held });
    const listen = WebSocket.prototype.addEventListener;
    WebSocket.prototype.addEventListener = function (this: WebSocket, type: string, listener: never, options?: never) {
      const take = (event: MessageEvent): void => {
        const deliver = (): void => (listener as (event: MessageEvent) => void)(event);
        if (held.isHolding) held.messages.push({ text: String(event.data), deliver });
        else deliver();
      };
      listen.call(this, type, type === "message" ? (take as never) : listener, options);
    } as typeof listen;
  });
  await page.reload();
};

inBrowser("a room that follows its end", ({ visit }) => {
  test("keeps a scroll up when a message arrives before the browser has reported the scroll", async () => {
    using home = createHome();
    await using daemon = await startDaemon(home.folder);
    await welcome(daemon);
    await daemon.ask("POST", "/api/rooms", { content: { name: "Long" } });
    for (let count = 1; count <= 40; count += 1) await say(daemon, `Message ${count}`);
    await using visited = await visit(daemon, { path: "/ui/rooms/long" });
    const { page } = visited;
    await holdMessages(page);
    await inRoom(page, "Message 40").waitFor();
    const log = page.getByRole("log");
    const distance = (): Promise<number> =>
      log.evaluate(({ scrollTop, scrollHeight, clientHeight }) => scrollHeight - clientHeight - scrollTop);
    await until(async () => (await distance()) <= 2);

    await page.evaluate(() => void ((globalThis as unknown as { held: Held }).held.isHolding = true));
    await say(daemon, "A late message");
    await page.waitForFunction(() =>
      (globalThis as unknown as { held: Held }).held.messages.some(({ text }) => text.includes("A late message")),
    );
    // The reader draws in the next timer, directly after the scroll and before the event of the scroll.
    const [before, after] = await log.evaluate(async (list) => {
      const { held } = globalThis as unknown as { held: Held };
      await new Promise(requestAnimationFrame);
      let place = 0;
      setTimeout(() => {
        list.scrollTop -= 158;
        place = list.scrollTop;
      });
      held.isHolding = false;
      for (const { deliver } of held.messages.splice(0)) deliver();
      for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
      return [place, list.scrollTop];
    });
    expect(after).toBe(before as number);
    await page.getByRole("button", { name: /^(Jump to latest|1 new message)/ }).click();
    await inRoom(page, "A late message").waitFor();
    await until(async () => (await distance()) <= 2);
    // At its end again, the list follows the next message.
    await say(daemon, "The last message");
    await inRoom(page, "The last message").waitFor();
    await until(async () => (await distance()) <= 2);
    // A click during a scroll reaches what is under the pointer.
    const isReached = await log.evaluate(async (list) => {
      list.scrollTop -= 20;
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
      const { left, top, width, height } = list.getBoundingClientRect();
      const reached = document.elementFromPoint(left + width / 2, top + height / 2);
      return reached !== list && list.contains(reached);
    });
    expect(isReached).toBe(true);
    expect(visited.complaints).toEqual([]);
  });
});
