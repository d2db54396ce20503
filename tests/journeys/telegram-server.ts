/** A fake Telegram Bot API on a real port, and two people who write to the bot. */
import { found, spend } from "@hearth/protocol/until";
import type { Daemon } from "./daemon.ts";
import { createFakeBotApi, type FakeBotApi } from "@hearth/warden/fakes/bot-api";

export interface TelegramServer extends AsyncDisposable {
  readonly api: FakeBotApi;
  readonly url: string;
  /** Ana writes to the bot. Returns the id of the update. */
  say(text: string, extra?: Readonly<Record<string, unknown>>): number;
  /** Resolves with the bot's messages when `holds` returns true for them. */
  until(holds: (texts: readonly string[]) => boolean): Promise<readonly string[]>;
}

/** Pairs Ana: she writes, gets a code, and the owner approves it. */
export const pairAna = async (telegram: TelegramServer, daemon: Daemon): Promise<void> => {
  telegram.say("hello?");
  const [text = ""] = await telegram.until((texts) => texts.length === 1);
  const code = /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(text)?.[0] ?? "";
  const { status } = await daemon.ask("POST", "/api/pairings", { code, as: "owner" });
  if (status !== 200) throw new Error(`the code was not taken: ${status}`);
  await telegram.until((texts) => texts.length === 2);
};

export const TOKEN = "4242:a-token-of-the-test";

export const startTelegram = (): TelegramServer => {
  const clock = {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    turn: () => spend(0),
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (signal?.aborted === true) return resolve();
        const timer = setTimeout(resolve, ms);
        signal?.addEventListener("abort", () => {
          clearTimeout(timer);
          resolve();
        });
      }),
  };
  const api = createFakeBotApi({ clock, token: TOKEN });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: (request) => api.handle(request).catch(() => new Response(null, { status: 499 })),
  });
  const ana = { id: 7, is_bot: false, first_name: "Ana" };
  return {
    api,
    url: `http://127.0.0.1:${server.port}`,
    say: (text, extra) => api.say({ id: 7, type: "private", first_name: "Ana" }, ana, text, extra).updateId,
    until: (holds) =>
      found(() => {
        const texts = api.sent().map(({ text }) => text);
        return holds(texts) ? texts : undefined;
      }),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
};
