import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { type HearthError, isHearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import fc from "fast-check";
import { createBunWorld } from "../adapter/bun/world.ts";
import { parseConfig } from "../kernel/config/read.ts";
import type { ChannelConfig } from "../kernel/config/text/channel-text.ts";
import { createStubPlatform, problem } from "../fixtures/stub-channel.ts";
import { createFakeLog } from "../kernel/log/log.ts";
import { LONGEST_WAIT_MS } from "./outbox/delivery-attempt.ts";
import type { ChannelOptions } from "./channel.ts";
import { type ChangedChannel, channelRemarks, createChannels, MIN_WEBHOOK_SECRET_LENGTH } from "./house-channels.ts";
import { webhookSecretOf } from "./webhook-secret.ts";

const { hash } = createBunWorld();
const TOKEN = "12345:the-token";

const open = (config: Partial<ChannelConfig> = {}) => {
  const environment: Record<string, string> = { BOT_TOKEN: ` ${TOKEN}\n` };
  const files: Record<string, string> = {};
  const made: ChannelOptions[] = [];
  let loads = 0;
  const world = createFakeWorld({ hash });
  const log = createFakeLog();
  const configOf = (settings: Partial<ChannelConfig>): ChannelConfig => ({
    ...{ kind: "stub", token: { kind: "env", name: "BOT_TOKEN" }, mode: "poll", agent: "main", ...settings },
  });
  let configured: ReadonlyMap<string, ChannelConfig> = new Map([["tele", configOf(config)]]);
  const listeners: (() => void)[] = [];
  /** Changes the config while the house runs. */
  const configure = (next: Readonly<Record<string, Partial<ChannelConfig>>>): void => {
    configured = new Map(Object.entries(next).map(([name, settings]) => [name, configOf(settings)]));
    for (const listen of listeners) listen();
  };
  const channels = createChannels({
    world,
    log,
    table: {
      stub: async () => {
        loads += 1;
        return (options) => {
          made.push(options);
          return createStubPlatform().channel;
        };
      },
    },
    config: {
      current: () => ({ channels: configured }),
      placeOf: (path) => (path.join(".") === "channels.tele.kind" ? "hearth.toml line 5" : "hearth.toml"),
      onChange: (listener) => void listeners.push(listener),
    },
    environment: (name) => environment[name],
    readFile: async (path) => files[path],
  });
  return { channels, log, world, environment, files, made, loads: () => loads, configure };
};

test("a channel is loaded and opened on first use and stays open", async () => {
  const { channels, made, loads } = open({ baseUrl: "http://127.0.0.1:1" });
  expect(channels.list()).toEqual([{ name: "tele", kind: "stub", mode: "poll", agent: "main" }]);
  expect(loads()).toBe(0);
  const [first, second] = await Promise.all([channels.open("tele"), channels.open("tele")]);
  expect(first).toBe(second as never);
  expect(loads()).toBe(1);
  expect(made).toMatchObject([
    { token: TOKEN, webhookSecret: webhookSecretOf(hash, TOKEN), baseUrl: "http://127.0.0.1:1" },
  ]);
  expect(channels.state("tele")).toEqual({ state: "ready" });
});

test("a changed channel is opened again, a removed one is unknown, and others stay open", async () => {
  const { channels, configure, environment, made } = open();
  environment["OTHER_TOKEN"] = "67:another";
  const changes: (readonly ChangedChannel[])[] = [];
  channels.onChange((changed) => changes.push(changed));
  configure({ tele: {}, more: {} });
  const [tele, more] = [await channels.open("tele"), await channels.open("more")];
  channels.report("tele", "in", problem());
  configure({ tele: { token: { kind: "env", name: "OTHER_TOKEN" } }, more: {} });
  expect(channels.state("tele")).toEqual({ state: "ready" });
  expect(await channels.open("tele")).not.toBe(tele);
  expect(await channels.open("more")).toBe(more);
  expect(made.at(-1)).toMatchObject({ token: "67:another" });
  configure({ more: {} });
  expect(await channels.open("tele")).toBeUndefined();
  expect(channels.list().map(({ name }) => name)).toEqual(["more"]);
  configure({ more: {} });
  expect(changes).toEqual([
    [{ name: "more", hasNewToken: false }],
    [{ name: "tele", hasNewToken: true }],
    [{ name: "tele", hasNewToken: true }],
  ]);
});

test("a separate webhook secret is read from where the config points", async () => {
  const { channels, files, made } = open({ webhookSecret: { kind: "file", path: "hook.key" } });
  files["hook.key"] = "its-own-0123456789\n";
  await channels.open("tele");
  expect(made).toMatchObject([{ webhookSecret: "its-own-0123456789" }]);
});

test.each([
  ["xy", "off"],
  ["x".repeat(MIN_WEBHOOK_SECRET_LENGTH - 1), "off"],
  ["x".repeat(MIN_WEBHOOK_SECRET_LENGTH), "ready"],
])("a separate webhook secret must be long enough, or the channel is off: %s", async (secret, state) => {
  const { channels, files, made } = open({ webhookSecret: { kind: "file", path: "hook.key" } });
  files["hook.key"] = secret;
  await channels.open("tele");
  expect(channels.state("tele").state).toBe(state as "off");
  expect(made).toHaveLength(state === "off" ? 0 : 1);
  if (state === "off") expect(JSON.stringify(channels.state("tele"))).toContain("needs at least 16");
});

describe("a channel is off with a reason", () => {
  test("that the log reports once", async () => {
    const { channels, log } = open({ kind: "pigeon" });
    await channels.open("tele");
    await channels.open("tele");
    expect(log.lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        level: "warn",
        channel: "tele",
        why: 'channels.tele.kind has an unknown channel kind: "pigeon"; hearth.toml line 5.',
        hint: "Available: stub.",
      },
    ]);
  });

  test("without its token, and the next use checks again", async () => {
    const { channels, environment } = open();
    delete environment["BOT_TOKEN"];
    expect(await channels.open("tele")).toBeUndefined();
    expect(channels.state("tele")).toMatchObject({
      state: "off",
      error: {
        code: "channel.auth",
        message: 'The channel "tele" has no token: env:BOT_TOKEN is not set.',
      },
    });
    environment["BOT_TOKEN"] = TOKEN;
    expect(await channels.open("tele")).toBeDefined();
    expect(channels.state("tele")).toEqual({ state: "ready" });
  });

  test("with a value that is not a token, which is not shown", async () => {
    const { channels, environment } = open();
    environment["BOT_TOKEN"] = "a whole file\nof other secrets";
    expect(await channels.open("tele")).toBeUndefined();
    expect(JSON.stringify(channels.state("tele"))).not.toContain("other secrets");
    expect(channels.state("tele").error?.message).toContain("does not contain one");
  });

  test("when its kind is unknown", async () => {
    for (const [kind, hint] of [
      ["stubb", 'Did you mean "stub"?'],
      ["constructor", "Available: stub."],
    ] as const) {
      const { channels } = open({ kind });
      expect(await channels.open("tele")).toBeUndefined();
      expect(channels.state("tele").error).toMatchObject({
        code: "channel.unknown",
        message: `channels.tele.kind has an unknown channel kind: "${kind}"; hearth.toml line 5.`,
        hint,
      });
    }
  });

  test("when its kind is unknown, which a start reports with its line", () => {
    const text = 'version = 1\n[channels.tele]\ntoken = "env:BOT"\nkind = "telegramm"\n';
    expect(channelRemarks(parseConfig(text, "hearth.toml"), ["telegram"])).toEqual([
      'channels.tele.kind has an unknown channel kind: "telegramm"; hearth.toml line 4. Did you mean "telegram"?',
    ]);
  });
});

test("a channel that is not configured is unknown and not opened", async () => {
  const { channels } = open();
  expect(await channels.open("other")).toBeUndefined();
  let refused: unknown;
  try {
    channels.settings("other");
  } catch (error) {
    refused = error;
  }
  expect(isHearthError(refused, "channel.unknown")).toBe(true);
  expect((refused as HearthError).hint).toBe("Configured channels: tele.");
});

test("a failing direction is `failing` until it succeeds, or has not failed for a while", async () => {
  const { channels, world } = open();
  channels.report("tele", "out", problem("channel.rate-limited"));
  channels.report("tele", "in", problem());
  expect(channels.state("tele")).toEqual({ state: "failing", error: problem() });
  channels.report("tele", "in", undefined);
  expect(channels.state("tele")).toEqual({ state: "failing", error: problem("channel.rate-limited") });
  channels.report("tele", "out", undefined);
  expect(channels.state("tele")).toEqual({ state: "ready" });
  channels.report("tele", "in", problem());
  await world.advance(LONGEST_WAIT_MS);
  expect(channels.state("tele").state).toBe("failing");
  await world.advance(LONGEST_WAIT_MS);
  expect(channels.state("tele").state).toBe("ready");
});

test("the secret of a webhook is HMAC-SHA-256 of the token, whatever its length", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 }), (token) => {
      const expected = createHmac("sha256", token).update("hearth webhook secret, version 1").digest("hex");
      expect(webhookSecretOf(hash, token)).toBe(expected);
    }),
  );
});
