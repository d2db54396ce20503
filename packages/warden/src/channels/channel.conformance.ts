/**
 * The contract of `Channel` as tests: receiving. Sending is in `channel-sending.conformance.ts` and
 * `channel-files.conformance.ts`.
 */
import { type ErrorCode, isHearthError } from "@hearth/protocol";
import { describe, expect, test } from "bun:test";
import type { Webhook } from "./channel.ts";
import {
  type ChannelHarness,
  createReader,
  expectNoSecret,
  type Fault,
  never,
  type OpenChannel,
  passTime,
  rest,
} from "./channel-harness.conformance.ts";
import { channelFilesConformance } from "./channel-files.conformance.ts";
import { channelSendingConformance } from "./channel-sending.conformance.ts";

const failures: readonly (readonly [Fault, ErrorCode])[] = [
  ["rate-limited", "channel.rate-limited"],
  ["failing", "channel.failed"],
  ["unreachable", "channel.unreachable"],
  ["lost-before", "channel.unreachable"],
  ["lost-after", "channel.unreachable"],
];

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Bodies that are malformed, or that try to exploit a careless reader. */
const nonsense: readonly (readonly [string, Uint8Array])[] = [
  ["nothing", bytes("")],
  ["no JSON", bytes("update_id=1")],
  ["half a body", bytes('{"update_id": 1, "mess')],
  ["null", bytes("null")],
  ["a list", bytes("[1, 2]")],
  ["a number", bytes("1e400")],
  ["text", bytes('"hello"')],
  ["an empty object", bytes("{}")],
  ["invalid UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
  ["half a surrogate in UTF-8", new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ["ids out of range", bytes('{"update_id": 1e400, "externalId": 1e400}')],
  ["ids of a wrong kind", bytes('{"update_id": {"valueOf": 1}, "externalId": ["u1"]}')],
  ["ten thousand lists in each other", bytes("[".repeat(10_000) + "]".repeat(10_000))],
  ["a deep object", bytes('{"a":'.repeat(10_000) + "1" + "}".repeat(10_000))],
  ["a prototype", bytes('{"__proto__": {"polluted": true, "update_id": 7, "externalId": "u7"}}')],
  ["a constructor", bytes('{"constructor": {"prototype": {"polluted": true}}}')],
];

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return "nothing thrown";
  } catch (error) {
    return isHearthError(error) ? error.code : `not a HearthError: ${String(error)}`;
  }
};

export const channelConformance = (name: string, harness: ChannelHarness): void => {
  const idsOf = (batch: { readonly inbound: readonly { readonly externalId: string }[] }): readonly string[] =>
    batch.inbound.map(({ externalId }) => externalId);

  describe(`${name}: the contract of a channel, polled`, () => {
    test("messages come in the platform's order, with all their fields", async () => {
      const opened = await harness.open();
      const { platform } = opened;
      const one = platform.say({ in: "direct", text: "Good morning" });
      const two = platform.say({ in: "group", text: "Hello\nall" });
      const reader = createReader(opened);
      const { inbound } = await reader.take(2);
      expect(inbound).toMatchObject([
        {
          kind: "message",
          ...one,
          conversation: { id: platform.conversations.direct, kind: "direct" },
          text: "Good morning",
          isMention: true,
        },
        {
          kind: "message",
          ...two,
          conversation: { id: platform.conversations.group, kind: "group" },
          text: "Hello\nall",
          isMention: false,
        },
      ]);
      for (const { at, sender, conversation } of inbound) {
        // Platforms report time in seconds.
        expect(Math.abs(at - opened.world.clock.now())).toBeLessThan(1_000);
        expect(sender.id).not.toBe("");
        expect(sender.name).not.toBe("");
        expect(conversation.name).not.toBe("");
      }
      await reader.stop();
    });

    test("a message arrives once, whether or not a poll was waiting", async () => {
      const opened = await harness.open();
      const reader = createReader(opened);
      const early = opened.platform.say({ in: "direct", text: "one" });
      expect(idsOf(await reader.next())).toEqual([early.externalId]);
      const waiting = reader.next();
      await rest();
      const late = opened.platform.say({ in: "direct", text: "two" });
      expect(idsOf(await passTime(opened.world, waiting))).toEqual([late.externalId]);
      await reader.stop();
    });

    test("a day without updates is not a failure", async () => {
      const opened = await harness.open();
      const reader = createReader(opened);
      const waiting = reader.next();
      await rest();
      for (let minute = 0; minute < 10; minute += 1) {
        await opened.world.advance(60_000);
        await rest();
      }
      const { externalId } = opened.platform.say({ in: "direct", text: "At last" });
      expect(idsOf(await passTime(opened.world, waiting))).toEqual([externalId]);
      expect(reader.failures).toEqual([]);
      await reader.stop();
    });

    test("a cursor is acknowledged only when the next batch is requested", async () => {
      const opened = await harness.open();
      opened.platform.say({ in: "direct", text: "one" });
      const reader = createReader(opened);
      await reader.take(1);
      await rest();
      expect(opened.platform.unread()).toBe(1);
      const asked = reader.ask();
      await rest();
      expect(opened.platform.unread()).toBe(0);
      await reader.stop();
      await asked;
    });

    test("updates that the reader did not store come again unchanged", async () => {
      const opened = await harness.open();
      opened.platform.say({ in: "direct", text: "one" });
      opened.platform.say({ in: "group", text: "two" });
      const first = createReader(opened);
      const before = await first.take(2);
      await first.stop();
      const second = createReader(opened);
      expect(await second.take(2)).toEqual(before);
      await second.stop();
    });

    test("updates that the reader stored do not come again", async () => {
      const opened = await harness.open();
      opened.platform.say({ in: "direct", text: "one" });
      const first = createReader(opened);
      const { cursor } = await first.take(1);
      await first.stop();
      const { externalId } = opened.platform.say({ in: "direct", text: "two" });
      const second = createReader(opened, cursor);
      expect(idsOf(await second.next())).toEqual([externalId]);
      await second.stop();
    });

    const withFile = async (text: string, file: Uint8Array<ArrayBuffer>) => {
      const opened = await harness.open();
      opened.platform.say({ in: "direct", text, file });
      const reader = createReader(opened);
      const { inbound } = await reader.take(1);
      await reader.stop();
      const [first, ...more] = inbound[0]?.files ?? [];
      if (first === undefined || more.length > 0) throw new Error("The message does not have one file.");
      return { opened, said: inbound[0], file: first };
    };
    const content = crypto.getRandomValues(new Uint8Array(5000));

    test.each(["Look", ""])(
      "a message with a file and the text %j has both, and the file can be fetched",
      async (text) => {
        const { opened, said, file } = await withFile(text, content);
        expect([said?.text, file.name, file.sizeBytes]).toEqual([text, "notes.txt", 5000]);
        expect(file.summary).not.toBe("");
        expect(opened.channel.traits.maxFetchedBytes).toBeGreaterThanOrEqual(5000);
        for (const most of [5000, 6000])
          expect(await opened.channel.fetchFile(file, most, never)).toEqual({ kind: "fetched", bytes: content });
      },
    );

    test("a file that is too large is refused and not cut, and so is one that the platform does not have", async () => {
      const { opened, file } = await withFile("", content);
      for (const [one, most] of [
        [file, 4999],
        [{ ...file, id: "unknown" }, 5000],
        [{ ...file, id: "" }, 5000],
      ] as const) {
        const result = await opened.channel.fetchFile(one, most, never);
        expect(result).toEqual({ kind: "refused", why: expect.stringMatching(/^\P{L}*\p{L}.*[^.]$/u) as never });
      }
    });

    test.each(failures)("a file can be fetched again when a first attempt met %s", async (fault, code) => {
      const { opened, file } = await withFile("", content);
      opened.platform.failNext("fetch", fault);
      const result = await passTime(opened.world, opened.channel.fetchFile(file, 5000, never));
      expect(result).toMatchObject({ kind: "later", error: { code } });
      expectNoSecret(opened, result);
      expect(await opened.channel.fetchFile(file, 5000, never)).toMatchObject({ kind: "fetched" });
    });

    test("a fetch ends with its signal, its time limit, or a revoked secret, and throws nothing", async () => {
      const { opened, file } = await withFile("", content);
      expect(await opened.channel.fetchFile(file, 5000, AbortSignal.abort())).toMatchObject({ kind: "later" });
      opened.platform.failNext("fetch", "silent");
      const waiting = opened.channel.fetchFile(file, 5000, never);
      expect(await passTime(opened.world, waiting)).toMatchObject({ kind: "later" });
      opened.platform.revoke();
      const result = await opened.channel.fetchFile(file, 5000, never);
      expect(result).toMatchObject({ kind: "later", error: { code: "channel.auth" } });
      expectNoSecret(opened, result);
    });

    test("an edit names the message that it changes and is a separate update", async () => {
      const opened = await harness.open();
      const said = opened.platform.say({ in: "direct", text: "tomorow" });
      const edited = opened.platform.edit("direct", "tomorrow");
      const reader = createReader(opened);
      const { inbound } = await reader.take(2);
      expect(inbound[1]).toMatchObject({ kind: "edit", messageId: said.messageId, text: "tomorrow" });
      expect(edited.externalId).not.toBe(said.externalId);
      expect(inbound.map(({ externalId }) => externalId)).toEqual([said.externalId, edited.externalId]);
      await reader.stop();
    });

    test("updates that are not messages of a person are skipped and acknowledged", async () => {
      const opened = await harness.open();
      expect(opened.platform.addOtherUpdates()).toBeGreaterThan(0);
      const reader = createReader(opened);
      const batch = await reader.next();
      expect(batch.inbound).toEqual([]);
      expect(reader.failures).toEqual([]);
      const waiting = reader.next();
      await rest();
      expect(opened.platform.unread()).toBe(0);
      const { externalId } = opened.platform.say({ in: "direct", text: "Hello" });
      expect(idsOf(await passTime(opened.world, waiting))).toEqual([externalId]);
      await reader.stop();
    });

    test("in a group, a mention is recognized and removed from the start of the text", async () => {
      const opened = await harness.open();
      const { platform } = opened;
      const sent = await opened.channel.send(
        { conversation: platform.conversations.group, text: "I am here", key: "k" },
        never,
      );
      if (sent.kind !== "sent") throw new Error(sent.error.message);
      platform.say({ in: "group", text: "what time is it?", mention: true });
      platform.say({ in: "group", text: "thank you", replyTo: sent.messageId });
      const other = platform.say({ in: "group", text: "lunch?" });
      platform.say({ in: "group", text: "yes", replyTo: other.messageId });
      const reader = createReader(opened);
      const { inbound } = await reader.take(4);
      expect(inbound.map(({ text, isMention }) => [text, isMention])).toEqual([
        ["what time is it?", true],
        ["thank you", true],
        ["lunch?", false],
        ["yes", false],
      ]);
      expect(inbound[1]?.replyTo).toBe(sent.messageId);
      expect(inbound[3]?.replyTo).toBe(other.messageId);
      await reader.stop();
    });

    test.each(failures)("%s is reported as %s, and polling continues", async (fault, code) => {
      const opened = await harness.open();
      const { externalId } = opened.platform.say({ in: "direct", text: "Hello" });
      opened.platform.failNext("poll", fault);
      const reader = createReader(opened);
      const batch = await passTime(opened.world, reader.next());
      expect(idsOf(batch)).toEqual([externalId]);
      expect(reader.failures.map((error) => error.code)).toEqual([code]);
      expect(reader.failures[0]?.message).not.toBe("");
      expectNoSecret(opened, reader.failures);
      await reader.stop();
    });

    test("a poll without an answer times out and is retried", async () => {
      const opened = await harness.open();
      const { externalId } = opened.platform.say({ in: "direct", text: "Hello" });
      opened.platform.failNext("poll", "silent");
      const reader = createReader(opened);
      expect(idsOf(await passTime(opened.world, reader.next()))).toEqual([externalId]);
      expect(reader.failures.map((error) => error.code)).toEqual(["channel.unreachable"]);
      await reader.stop();
    });

    test("each failure lengthens the pause", async () => {
      const opened = await harness.open();
      for (let count = 0; count < 30; count += 1) opened.platform.failNext("poll", "failing");
      const reader = createReader(opened);
      const asked = reader.ask();
      const seen: number[] = [];
      for (let minute = 0; minute < 6; minute += 1) {
        await rest();
        await opened.world.advance(60_000);
        seen.push(reader.failures.length);
      }
      expect(seen[0]).toBeLessThan(8);
      expect((seen[5] ?? 0) - (seen[4] ?? 0)).toBeLessThan(seen[0] ?? 0);
      expect(seen[5]).toBeGreaterThan(seen[4] ?? 0);
      await reader.stop();
      expect(await asked).toMatchObject({ done: true });
    });

    test("it waits as long as the platform requests", async () => {
      const opened = await harness.open();
      opened.platform.say({ in: "direct", text: "Hello" });
      opened.platform.failNext("poll", "rate-limited");
      const reader = createReader(opened);
      const asked = reader.ask();
      await rest();
      const calls = opened.platform.calls();
      await opened.world.advance(6_900);
      await rest();
      expect(opened.platform.calls()).toBe(calls);
      await opened.world.advance(200);
      expect((await asked).done).toBe(false);
      await reader.stop();
    });

    test("a revoked secret is reported as such", async () => {
      const opened = await harness.open();
      opened.platform.revoke();
      const reader = createReader(opened);
      const asked = reader.ask();
      await rest();
      expect(reader.failures[0]?.code).toBe("channel.auth");
      expectNoSecret(opened, reader.failures);
      await reader.stop();
      await asked;
    });

    test("polling fails while a webhook is set, and works again without one", async () => {
      const opened = await harness.open();
      await opened.channel.setWebhook("https://house.example/hooks/1", never);
      const reader = createReader(opened);
      const asked = reader.next();
      await rest();
      expect(reader.failures[0]?.code).toBe("channel.refused");
      expectNoSecret(opened, reader.failures);
      await opened.channel.setWebhook(undefined, never);
      const { externalId } = opened.platform.say({ in: "direct", text: "Hello" });
      expect(idsOf(await passTime(opened.world, asked))).toEqual([externalId]);
      await reader.stop();
    });

    test.each(["while it waits for news", "while it waits after a failure", "before it begins"])(
      "aborting %s ends the poll at once without a failure",
      async (when) => {
        const opened = await harness.open();
        if (when.includes("failure")) opened.platform.failNext("poll", "failing");
        const reader = createReader(opened);
        const calls = opened.platform.calls();
        if (when.startsWith("before")) reader.abort();
        const asked = reader.ask();
        await rest();
        const failed = reader.failures.length;
        if (when.startsWith("before")) expect(opened.platform.calls()).toBe(calls);
        reader.abort();
        expect(await asked).toMatchObject({ done: true });
        expect(reader.failures).toHaveLength(failed);
      },
    );
  });

  describe(`${name}: the contract of a channel, by webhook`, () => {
    const receive = (opened: OpenChannel, webhook: Webhook) => opened.channel.receive(webhook);

    test("B2: a webhook update equals the polled one, however often and in whatever order it comes", async () => {
      const opened = await harness.open();
      const one = opened.platform.say({ in: "direct", text: "one" });
      const two = opened.platform.say({ in: "group", text: "two", mention: true });
      const three = opened.platform.edit("direct", "one more");
      const reader = createReader(opened);
      const polled = (await reader.take(3)).inbound;
      await reader.stop();
      for (const order of [
        [2, 0, 1, 0],
        [1, 1, 2, 0],
      ]) {
        for (const index of order) {
          const { externalId } = [one, two, three][index] ?? one;
          const received = await receive(opened, opened.platform.webhook(externalId));
          expect(received).toEqual(polled.slice(index, index + 1));
        }
      }
    });

    test("B1: only deliveries of the platform are accepted, and the body of no other is read", async () => {
      const opened = await harness.open();
      const { externalId } = opened.platform.say({ in: "direct", text: "Hello" });
      const forged = opened.platform.forged(externalId);
      expect(forged.length).toBeGreaterThan(3);
      for (const { headers } of forged) {
        let reads = 0;
        const webhook: Webhook = {
          headers,
          get body() {
            reads += 1;
            return new Uint8Array();
          },
        };
        expect(await codeOf(receive(opened, webhook))).toBe("channel.unverified");
        expect(reads).toBe(0);
      }
    });

    test.each(nonsense)("a body that is %s is rejected and changes nothing", async (_what, body) => {
      const opened = await harness.open();
      const work = receive(opened, opened.platform.signed(body));
      expect(await codeOf(work)).toBe("request.invalid");
      expectNoSecret(opened, await work.catch((error: unknown) => error));
      expect("polluted" in {}).toBe(false);
      const { externalId } = opened.platform.say({ in: "direct", text: "Hello" });
      expect(await receive(opened, opened.platform.webhook(externalId))).toHaveLength(1);
    });

    test("a webhook that the platform rejects is an error with a message", async () => {
      const opened = await harness.open();
      opened.platform.revoke();
      const work = opened.channel.setWebhook("https://house.example/hooks/1", never);
      expect(await codeOf(work)).toBe("channel.auth");
      expectNoSecret(opened, await work.catch((error: unknown) => error));
    });
  });

  channelSendingConformance(name, harness);
  test(`${name}: the trait \`files\` and \`sendFile\` are both there, or both absent`, async () => {
    const { channel } = await harness.open();
    expect([channel.traits.files !== undefined, channel.sendFile !== undefined]).toEqual([
      harness.sendsFiles,
      harness.sendsFiles,
    ]);
  });
  if (harness.sendsFiles) channelFilesConformance(name, harness);
};
