import { expect, test } from "bun:test";
import { until } from "@hearth/protocol/until";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createStubPlatform } from "../../fixtures/stub-channel.ts";
import { createFakeLog } from "../../kernel/log/log.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import type { ChangedChannel, Channels } from "../house-channels.ts";
import { followChannels } from "./follow-channels.ts";

test("a channel with another agent keeps its cursor, and one with a new token begins without it", async () => {
  const world = createFakeWorld({ hash: createBunWorld().hash });
  const store = createMemoryStore();
  await store.commit({ writes: [{ kind: "put", table: "cursors", row: { channel: "tele", cursor: "c7" } }] });
  const polled: (string | undefined)[] = [];
  const { channel } = createStubPlatform();
  let change: (changed: readonly ChangedChannel[]) => void = () => {};
  const settings = { name: "tele", kind: "stub", mode: "poll", agent: "main" } as const;
  const channels = {
    list: () => [settings],
    settings: () => settings,
    open: async () => ({
      ...channel,
      poll: (cursor: string | undefined, signal: AbortSignal) => ({
        [Symbol.asyncIterator]: () => ({
          async next() {
            polled.push(cursor);
            await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
            return { done: true, value: undefined };
          },
        }),
      }),
    }),
    report: () => {},
    state: () => ({ state: "ready" as const }),
    testNew: async () => ({ ok: true, detail: "" }),
    testToken: async () => ({ ok: true, detail: "" }),
    onChange: (listener: typeof change) => void (change = listener),
  } as Channels;
  const stop = new AbortController();
  const log = createFakeLog();
  const ended = followChannels({ world, log, store, channels, acceptOrGiveUp: async () => {} }, stop.signal);
  await until(() => polled.length === 1);
  change([{ name: "tele", hasNewToken: false }]);
  await until(() => polled.length === 2);
  // The second change arrives before the first one is applied.
  change([{ name: "tele", hasNewToken: true }]);
  change([{ name: "tele", hasNewToken: false }]);
  await until(() => polled.length === 3);
  stop.abort();
  await ended;
  expect(polled).toEqual(["c7", "c7", undefined]);
});
