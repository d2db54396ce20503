/**
 * Tests the channel against an independent server of the Bot API, `telegram-test-api`. That server
 * keeps no updates until they are confirmed, simulates no faults and parses no markup, so it only
 * checks the shapes of calls and updates. Our own fake covers the rest of the contract.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { InboundUpdate } from "../../channel.ts";
import { createTelegramChannel } from "./telegram.ts";

interface Peer {
  start(): Promise<void>;
  stop(): Promise<boolean>;
  getClient(token: string, options?: object): PeerClient;
}

interface PeerClient {
  makeMessage(text: string, options?: object): object;
  sendMessage(message: object): Promise<unknown>;
  getUpdates(): Promise<{ readonly result: readonly { readonly message: PeerMessage }[] }>;
}

interface PeerMessage {
  readonly text: string;
  readonly parse_mode?: string;
  readonly chat_id: number;
}

type PeerClass = new (config: object) => Peer;

const NAME = "telegram-test-api";
const TOKEN = "666:token";
// The computed name avoids a static import: the package is optional.
const Server = await import(NAME).then(
  (loaded: { readonly default: PeerClass }) => loaded.default,
  (error: unknown) => {
    if (!String(error).includes("Cannot find")) throw error;
    return undefined;
  },
);

const clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  // No time passes, so no deadline and no wait ends in this test.
  sleep: (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true })),
  turn: () => Promise.resolve(),
};

const freePort = (): number => {
  const probe = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const port = probe.port ?? 0;
  void probe.stop(true);
  return port;
};

describe.skipIf(Server === undefined)(
  `telegram, against ${NAME}${Server === undefined ? " (skipped: it is not installed)" : ""}`,
  () => {
    const port = freePort();
    let server: Peer | undefined;
    const open = () =>
      createTelegramChannel({
        fetch: (input, init) => fetch(input, init),
        clock,
        token: TOKEN,
        webhookSecret: "",
        baseUrl: `http://127.0.0.1:${port}`,
      });
    const never = new AbortController().signal;

    beforeAll(async () => {
      if (Server !== undefined) server = new Server({ port, host: "127.0.0.1" });
      await server?.start();
    });
    afterAll(async () => {
      await server?.stop();
    });

    const client = (options: object = {}): PeerClient => {
      if (server === undefined) throw new Error("There is no server.");
      return server.getClient(TOKEN, options);
    };

    const read = async (count: number): Promise<readonly InboundUpdate[]> => {
      const stop = new AbortController();
      const heard: InboundUpdate[] = [];
      const fail = ({ message }: { readonly message: string }): void => {
        throw new Error(message);
      };
      for await (const { inbound } of open().poll(undefined, stop.signal, fail)) {
        heard.push(...inbound);
        if (heard.length >= count) stop.abort();
      }
      return heard;
    };

    test("the channel reports the account", async () => {
      expect(await open().probe(never)).toEqual({ ok: true, detail: "@TestNameBot" });
    });

    test("messages of people are read, direct and in a group", async () => {
      const ada = client({ userId: 11, chatId: 11, firstName: "Ada" });
      const team = client({ userId: 11, chatId: -5, firstName: "Ada", chatTitle: "The team", type: "group" });
      await ada.sendMessage(ada.makeMessage("Good morning"));
      await team.sendMessage(team.makeMessage("@testnamebot what time is it?"));
      expect(await read(2)).toMatchObject([
        {
          kind: "message",
          text: "Good morning",
          conversation: { id: "11", kind: "direct" },
          sender: { id: "11", name: "Ada" },
        },
        { text: "what time is it?", isMention: true, conversation: { id: "-5", kind: "group", name: "The team" } },
      ]);
    });

    test("messages arrive as HTML", async () => {
      const result = await open().send({ conversation: "11", text: "**Good** < morning", key: "k" }, never);
      expect(result).toMatchObject({ kind: "sent", messageId: expect.stringMatching(/^\d+$/) });
      const { result: updates } = await client({ userId: 11, chatId: 11 }).getUpdates();
      expect(updates.at(-1)?.message).toMatchObject({
        text: "<b>Good</b> &lt; morning",
        parse_mode: "HTML",
        chat_id: 11,
      });
    });

    test("an unsupported typing call is not a failure, and a webhook can be removed", async () => {
      expect(await open().typing("11", never)).toBeUndefined();
      expect(await open().setWebhook(undefined, never)).toBeUndefined();
    });
  },
);
