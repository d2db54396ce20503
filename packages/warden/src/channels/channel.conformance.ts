/**
 * Conformance tests of `Channel`: receiving. Sending is in `channel-sending.conformance.ts` and
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
  finishPendingWork,
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
const malformedBodies: readonly (readonly [string, Uint8Array])[] = [
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
      const openChannel = await harness.open();
      const { platform } = openChannel;
      const directMessage = platform.say({ in: "direct", text: "Good morning" });
      const groupMessage = platform.say({ in: "group", text: "Hello\nall" });
      const reader = createReader(openChannel);
      const { inbound } = await reader.take(2);
      expect(inbound).toMatchObject([
        {
          kind: "message",
          ...directMessage,
          conversation: { id: platform.conversations.direct, kind: "direct" },
          text: "Good morning",
          isMention: true,
        },
        {
          kind: "message",
          ...groupMessage,
          conversation: { id: platform.conversations.group, kind: "group" },
          text: "Hello\nall",
          isMention: false,
        },
      ]);
      for (const { at, sender, conversation } of inbound) {
        // Platforms report time in seconds.
        expect(Math.abs(at - openChannel.world.clock.now())).toBeLessThan(1_000);
        expect(sender.id).not.toBe("");
        expect(sender.name).not.toBe("");
        expect(conversation.name).not.toBe("");
      }
      await reader.stop();
    });

    test("a message arrives once, whether or not a poll was waiting", async () => {
      const openChannel = await harness.open();
      const reader = createReader(openChannel);
      const early = openChannel.platform.say({ in: "direct", text: "one" });
      expect(idsOf(await reader.next())).toEqual([early.externalId]);
      const waiting = reader.next();
      await finishPendingWork();
      const late = openChannel.platform.say({ in: "direct", text: "two" });
      expect(idsOf(await passTime(openChannel.world, waiting))).toEqual([late.externalId]);
      await reader.stop();
    });

    test("a day without updates is not a failure", async () => {
      const openChannel = await harness.open();
      const reader = createReader(openChannel);
      const waiting = reader.next();
      await finishPendingWork();
      for (let minute = 0; minute < 10; minute += 1) {
        await openChannel.world.advance(60_000);
        await finishPendingWork();
      }
      const { externalId } = openChannel.platform.say({ in: "direct", text: "At last" });
      expect(idsOf(await passTime(openChannel.world, waiting))).toEqual([externalId]);
      expect(reader.failures).toEqual([]);
      await reader.stop();
    });

    test("a cursor is acknowledged only when the next batch is requested", async () => {
      const openChannel = await harness.open();
      openChannel.platform.say({ in: "direct", text: "one" });
      const reader = createReader(openChannel);
      await reader.take(1);
      await finishPendingWork();
      expect(openChannel.platform.unread()).toBe(1);
      const result = reader.ask();
      await finishPendingWork();
      expect(openChannel.platform.unread()).toBe(0);
      await reader.stop();
      await result;
    });

    test("updates that the reader did not store come again unchanged", async () => {
      const openChannel = await harness.open();
      openChannel.platform.say({ in: "direct", text: "one" });
      openChannel.platform.say({ in: "group", text: "two" });
      const firstReader = createReader(openChannel);
      const batch = await firstReader.take(2);
      await firstReader.stop();
      const secondReader = createReader(openChannel);
      expect(await secondReader.take(2)).toEqual(batch);
      await secondReader.stop();
    });

    test("updates that the reader stored do not come again", async () => {
      const openChannel = await harness.open();
      openChannel.platform.say({ in: "direct", text: "one" });
      const firstReader = createReader(openChannel);
      const { cursor } = await firstReader.take(1);
      await firstReader.stop();
      const { externalId } = openChannel.platform.say({ in: "direct", text: "two" });
      const secondReader = createReader(openChannel, cursor);
      expect(idsOf(await secondReader.next())).toEqual([externalId]);
      await secondReader.stop();
    });

    const withFile = async (text: string, file: Uint8Array<ArrayBuffer>) => {
      const openChannel = await harness.open();
      openChannel.platform.say({ in: "direct", text, file });
      const reader = createReader(openChannel);
      const { inbound } = await reader.take(1);
      await reader.stop();
      const [firstFile, ...otherFiles] = inbound[0]?.files ?? [];
      if (firstFile === undefined || otherFiles.length > 0) throw new Error("The message does not have one file.");
      return { openChannel, message: inbound[0], file: firstFile };
    };
    const content = crypto.getRandomValues(new Uint8Array(5000));

    test.each(["Look", ""])(
      "a message with a file and the text %j has both, and the file can be fetched",
      async (text) => {
        const { openChannel, message, file } = await withFile(text, content);
        expect([message?.text, file.name, file.sizeBytes]).toEqual([text, "notes.txt", 5000]);
        expect(file.summary).not.toBe("");
        expect(openChannel.channel.traits.maxFetchedBytes).toBeGreaterThanOrEqual(5000);
        for (const maxBytes of [5000, 6000])
          expect(await openChannel.channel.fetchFile(file, maxBytes, never)).toEqual({
            kind: "fetched",
            bytes: content,
          });
      },
    );

    test("a file that is too large is refused and not cut, and so is one that the platform does not have", async () => {
      const { openChannel, file } = await withFile("", content);
      for (const [fetchedFile, maxBytes] of [
        [file, 4999],
        [{ ...file, id: "unknown" }, 5000],
        [{ ...file, id: "" }, 5000],
      ] as const) {
        const result = await openChannel.channel.fetchFile(fetchedFile, maxBytes, never);
        expect(result).toEqual({ kind: "refused", why: expect.stringMatching(/^\P{L}*\p{L}.*[^.]$/u) as never });
      }
    });

    test.each(failures)("a file can be fetched again when a first attempt met %s", async (fault, code) => {
      const { openChannel, file } = await withFile("", content);
      openChannel.platform.failNext("fetch", fault);
      const result = await passTime(openChannel.world, openChannel.channel.fetchFile(file, 5000, never));
      expect(result).toMatchObject({ kind: "later", error: { code } });
      expectNoSecret(openChannel, result);
      expect(await openChannel.channel.fetchFile(file, 5000, never)).toMatchObject({ kind: "fetched" });
    });

    test("a fetch ends with its signal, its time limit, or a revoked secret, and throws nothing", async () => {
      const { openChannel, file } = await withFile("", content);
      expect(await openChannel.channel.fetchFile(file, 5000, AbortSignal.abort())).toMatchObject({ kind: "later" });
      openChannel.platform.failNext("fetch", "silent");
      const waiting = openChannel.channel.fetchFile(file, 5000, never);
      expect(await passTime(openChannel.world, waiting)).toMatchObject({ kind: "later" });
      openChannel.platform.revoke();
      const result = await openChannel.channel.fetchFile(file, 5000, never);
      expect(result).toMatchObject({ kind: "later", error: { code: "channel.auth" } });
      expectNoSecret(openChannel, result);
    });

    test("an edit names the message that it changes and is a separate update", async () => {
      const openChannel = await harness.open();
      const message = openChannel.platform.say({ in: "direct", text: "tomorow" });
      const edit = openChannel.platform.edit("direct", "tomorrow");
      const reader = createReader(openChannel);
      const { inbound } = await reader.take(2);
      expect(inbound[1]).toMatchObject({ kind: "edit", messageId: message.messageId, text: "tomorrow" });
      expect(edit.externalId).not.toBe(message.externalId);
      expect(inbound.map(({ externalId }) => externalId)).toEqual([message.externalId, edit.externalId]);
      await reader.stop();
    });

    test("updates that are not messages of a person are skipped and acknowledged", async () => {
      const openChannel = await harness.open();
      expect(openChannel.platform.addOtherUpdates()).toBeGreaterThan(0);
      const reader = createReader(openChannel);
      const batch = await reader.next();
      expect(batch.inbound).toEqual([]);
      expect(reader.failures).toEqual([]);
      const waiting = reader.next();
      await finishPendingWork();
      expect(openChannel.platform.unread()).toBe(0);
      const { externalId } = openChannel.platform.say({ in: "direct", text: "Hello" });
      expect(idsOf(await passTime(openChannel.world, waiting))).toEqual([externalId]);
      await reader.stop();
    });

    test("in a group, a mention is recognized and removed from the start of the text", async () => {
      const openChannel = await harness.open();
      const { platform } = openChannel;
      const sent = await openChannel.channel.send(
        { conversation: platform.conversations.group, text: "I am here", key: "k" },
        never,
      );
      if (sent.kind !== "sent") throw new Error(sent.error.message);
      platform.say({ in: "group", text: "what time is it?", mention: true });
      platform.say({ in: "group", text: "thank you", replyTo: sent.messageId });
      const otherMessage = platform.say({ in: "group", text: "lunch?" });
      platform.say({ in: "group", text: "yes", replyTo: otherMessage.messageId });
      const reader = createReader(openChannel);
      const { inbound } = await reader.take(4);
      expect(inbound.map(({ text, isMention }) => [text, isMention])).toEqual([
        ["what time is it?", true],
        ["thank you", true],
        ["lunch?", false],
        ["yes", false],
      ]);
      expect(inbound[1]?.replyTo).toBe(sent.messageId);
      expect(inbound[3]?.replyTo).toBe(otherMessage.messageId);
      await reader.stop();
    });

    test.each(failures)("%s is reported as %s, and polling continues", async (fault, code) => {
      const openChannel = await harness.open();
      const { externalId } = openChannel.platform.say({ in: "direct", text: "Hello" });
      openChannel.platform.failNext("poll", fault);
      const reader = createReader(openChannel);
      const batch = await passTime(openChannel.world, reader.next());
      expect(idsOf(batch)).toEqual([externalId]);
      expect(reader.failures.map((error) => error.code)).toEqual([code]);
      expect(reader.failures[0]?.message).not.toBe("");
      expectNoSecret(openChannel, reader.failures);
      await reader.stop();
    });

    test("a poll without an answer times out and is retried", async () => {
      const openChannel = await harness.open();
      const { externalId } = openChannel.platform.say({ in: "direct", text: "Hello" });
      openChannel.platform.failNext("poll", "silent");
      const reader = createReader(openChannel);
      expect(idsOf(await passTime(openChannel.world, reader.next()))).toEqual([externalId]);
      expect(reader.failures.map((error) => error.code)).toEqual(["channel.unreachable"]);
      await reader.stop();
    });

    test("each failure lengthens the pause", async () => {
      const openChannel = await harness.open();
      for (let count = 0; count < 30; count += 1) openChannel.platform.failNext("poll", "failing");
      const reader = createReader(openChannel);
      const result = reader.ask();
      const failureCounts: number[] = [];
      for (let minute = 0; minute < 6; minute += 1) {
        await finishPendingWork();
        await openChannel.world.advance(60_000);
        failureCounts.push(reader.failures.length);
      }
      expect(failureCounts[0]).toBeLessThan(8);
      expect((failureCounts[5] ?? 0) - (failureCounts[4] ?? 0)).toBeLessThan(failureCounts[0] ?? 0);
      expect(failureCounts[5]).toBeGreaterThan(failureCounts[4] ?? 0);
      await reader.stop();
      expect(await result).toMatchObject({ done: true });
    });

    test("it waits as long as the platform requests", async () => {
      const openChannel = await harness.open();
      openChannel.platform.say({ in: "direct", text: "Hello" });
      openChannel.platform.failNext("poll", "rate-limited");
      const reader = createReader(openChannel);
      const result = reader.ask();
      await finishPendingWork();
      const calls = openChannel.platform.calls();
      await openChannel.world.advance(6_900);
      await finishPendingWork();
      expect(openChannel.platform.calls()).toBe(calls);
      await openChannel.world.advance(200);
      expect((await result).done).toBe(false);
      await reader.stop();
    });

    test("a revoked secret is reported as such", async () => {
      const openChannel = await harness.open();
      openChannel.platform.revoke();
      const reader = createReader(openChannel);
      const result = reader.ask();
      await finishPendingWork();
      expect(reader.failures[0]?.code).toBe("channel.auth");
      expectNoSecret(openChannel, reader.failures);
      await reader.stop();
      await result;
    });

    test("polling fails while a webhook is set, and works again without one", async () => {
      const openChannel = await harness.open();
      await openChannel.channel.setWebhook("https://house.example/hooks/1", never);
      const reader = createReader(openChannel);
      const result = reader.next();
      await finishPendingWork();
      expect(reader.failures[0]?.code).toBe("channel.refused");
      expectNoSecret(openChannel, reader.failures);
      await openChannel.channel.setWebhook(undefined, never);
      const { externalId } = openChannel.platform.say({ in: "direct", text: "Hello" });
      expect(idsOf(await passTime(openChannel.world, result))).toEqual([externalId]);
      await reader.stop();
    });

    test.each(["while it waits for news", "while it waits after a failure", "before it begins"])(
      "aborting %s ends the poll at once without a failure",
      async (when) => {
        const openChannel = await harness.open();
        if (when.includes("failure")) openChannel.platform.failNext("poll", "failing");
        const reader = createReader(openChannel);
        const calls = openChannel.platform.calls();
        if (when.startsWith("before")) reader.abort();
        const result = reader.ask();
        await finishPendingWork();
        const failureCount = reader.failures.length;
        if (when.startsWith("before")) expect(openChannel.platform.calls()).toBe(calls);
        reader.abort();
        expect(await result).toMatchObject({ done: true });
        expect(reader.failures).toHaveLength(failureCount);
      },
    );
  });

  describe(`${name}: the contract of a channel, by webhook`, () => {
    const receive = (openChannel: OpenChannel, webhook: Webhook) => openChannel.channel.receive(webhook);

    test("B2: a webhook update equals the polled one, however often and in whatever order it comes", async () => {
      const openChannel = await harness.open();
      const firstMessage = openChannel.platform.say({ in: "direct", text: "one" });
      const secondMessage = openChannel.platform.say({ in: "group", text: "two", mention: true });
      const editIds = openChannel.platform.edit("direct", "one more");
      const reader = createReader(openChannel);
      const polled = (await reader.take(3)).inbound;
      await reader.stop();
      for (const order of [
        [2, 0, 1, 0],
        [1, 1, 2, 0],
      ]) {
        for (const index of order) {
          const { externalId } = [firstMessage, secondMessage, editIds][index] ?? firstMessage;
          const received = await receive(openChannel, openChannel.platform.webhook(externalId));
          expect(received).toEqual(polled.slice(index, index + 1));
        }
      }
    });

    test("B1: only deliveries of the platform are accepted, and the body of no other is read", async () => {
      const openChannel = await harness.open();
      const { externalId } = openChannel.platform.say({ in: "direct", text: "Hello" });
      const forged = openChannel.platform.forged(externalId);
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
        expect(await codeOf(receive(openChannel, webhook))).toBe("channel.unverified");
        expect(reads).toBe(0);
      }
    });

    test.each(malformedBodies)("a body that is %s is rejected and changes nothing", async (_what, body) => {
      const openChannel = await harness.open();
      const work = receive(openChannel, openChannel.platform.signed(body));
      expect(await codeOf(work)).toBe("request.invalid");
      expectNoSecret(openChannel, await work.catch((error: unknown) => error));
      expect("polluted" in {}).toBe(false);
      const { externalId } = openChannel.platform.say({ in: "direct", text: "Hello" });
      expect(await receive(openChannel, openChannel.platform.webhook(externalId))).toHaveLength(1);
    });

    test("a webhook that the platform rejects is an error with a message", async () => {
      const openChannel = await harness.open();
      openChannel.platform.revoke();
      const work = openChannel.channel.setWebhook("https://house.example/hooks/1", never);
      expect(await codeOf(work)).toBe("channel.auth");
      expectNoSecret(openChannel, await work.catch((error: unknown) => error));
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
