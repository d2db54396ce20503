import { createFakeWorld } from "@hearth/protocol/world-fake";
import { describe, expect, test } from "bun:test";
import type { Channel } from "./channel.ts";
import { channelConformance } from "./channel.conformance.ts";
import type { ChannelHarness } from "./channel-harness.conformance.ts";
import { createFakeChannel } from "./fake-channel.ts";
import { createFakePlatform } from "./fake-platform.ts";
import { readMarkdown } from "./markdown.ts";

const open = (takesKeys: boolean, sendsFiles = takesKeys) => {
  const world = createFakeWorld({ hash: () => "" });
  const platform = createFakePlatform({ clock: world.clock, takesKeys });
  platform.group("team", "The team");
  return {
    world,
    platform,
    channel: createFakeChannel({ platform, clock: world.clock, ...(sendsFiles ? { maxFileBytes: 1000 } : {}) }),
  };
};

const firstCursor = async (channel: Channel): Promise<string | undefined> => {
  for await (const { cursor } of channel.poll(undefined, new AbortController().signal, () => undefined)) return cursor;
  return undefined;
};

const harness = (takesKeys: boolean, sendsFiles: boolean): ChannelHarness => ({
  sendsFiles,
  async open() {
    const { world, platform, channel } = open(takesKeys, sendsFiles);
    const last = new Map<string, string>();
    const conversations = { direct: "ada", group: "team" };
    platform.say("ada", "ada", "Hello");
    const cursor = await firstCursor(channel);
    await platform.wire.pull(Number(cursor), AbortSignal.abort());
    const calls = { poll: "pull", send: "push", file: "file", end: "end", probe: "hello", fetch: "fetch" } as const;
    const signed = (body: Uint8Array) => ({ headers: new Headers({ "x-fake-secret": platform.secret }), body });
    return {
      channel,
      world,
      cursor,
      secrets: [platform.secret],
      platform: {
        conversations,
        say({ in: where, text, mention = false, replyTo, file }) {
          const said = platform.say(conversations[where], "ada", text, {
            isMention: mention,
            ...(replyTo === undefined ? {} : { replyTo }),
            ...(file === undefined ? {} : { files: [{ name: "notes.txt", bytes: file }] }),
          });
          last.set(where, said.messageId);
          return said;
        },
        edit: (where, text) => platform.edit(conversations[where], last.get(where) ?? "", text),
        press: (where, messageId, word) => platform.press(conversations[where], "ada", messageId, word),
        shown: platform.shownAnswers,
        addOtherUpdates() {
          platform.addOtherUpdates();
          return 1;
        },
        webhook: platform.webhook,
        signed,
        forged: (externalId) =>
          [undefined, "", "x", platform.secret.slice(1), `${platform.secret}x`, platform.secret.toUpperCase()].map(
            (secret) => ({
              headers: new Headers(secret === undefined ? {} : { "x-fake-secret": secret }),
              body: platform.webhook(externalId).body,
            }),
          ),
        unread: platform.unread,
        failNext: (call, fault) => platform.failNext(calls[call], fault),
        revoke: platform.revoke,
        block: (where) => platform.block(conversations[where]),
        sent: () =>
          platform.sent().map(({ conversation, messageId, text, plain, replyTo, choices = [], file }) => ({
            choices: typeof choices === "string" ? [choices] : choices.map(({ label }) => label),
            conversation,
            messageId,
            text: plain ? text : readMarkdown(text),
            ...(replyTo === undefined ? {} : { replyTo }),
            ...(file === undefined ? {} : { file }),
          })),
        typed: platform.typed,
        calls: platform.calls,
      },
    };
  },
});

channelConformance("fake channel with keys and files", harness(true, true));
channelConformance("fake channel without keys that sends files", harness(false, true));
channelConformance("fake channel without keys and files", harness(false, false));

describe("a fake platform", () => {
  test("redelivers an update, and can reorder unread ones", async () => {
    const { platform, channel } = open(false);
    const one = platform.say("ada", "Ada", "one");
    const two = platform.say("ada", "Ada", "two");
    platform.redeliver(one.externalId);
    platform.reorder();
    const stop = new AbortController();
    for await (const { inbound } of channel.poll(undefined, stop.signal, () => undefined)) {
      expect(inbound.map(({ externalId }) => externalId)).toEqual([one.externalId, two.externalId, one.externalId]);
      stop.abort();
    }
    platform.say("ada", "Ada", "three");
    platform.reorder();
    const again = await platform.wire.pull(0, stop.signal);
    expect(again).toMatchObject({ kind: "ok", value: { cursor: 4, inbound: [{ text: "three" }, {}, {}, {}] } });
  });

  test("the same calls give the same ids", () => {
    const doings = () => {
      const { platform } = open(true);
      const said = platform.say("ada", "Ada", "one");
      return [said, platform.edit("ada", said.messageId, "two"), platform.say("team", "Bob", "three")];
    };
    expect(doings()).toEqual(doings());
  });

  test("names an unknown message or update in its error", () => {
    const { platform } = open(true);
    expect(() => platform.edit("ada", "m1", "x")).toThrow("There is no message m1");
    expect(() => platform.webhook("u1")).toThrow("no update u1");
  });
});
