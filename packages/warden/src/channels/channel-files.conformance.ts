/** Conformance tests of `Channel` for sending files. They are for channels with the trait `files`. */
import { describe, expect, test } from "bun:test";
import type { SendResult } from "./channel.ts";
import {
  type ChannelHarness,
  expectNoSecret,
  type Fault,
  never,
  type OpenChannel,
  outboundFile,
  passTime,
} from "./channel-harness.conformance.ts";

/** Each row: a fault, the result of `sendFile`, and the number of copies of the file that exist afterwards. */
const fates: readonly (readonly [Fault, SendResult["kind"], number])[] = [
  ["rate-limited", "later", 0],
  ["failing", "later", 0],
  ["unreachable", "later", 0],
  ["lost-before", "unknown", 0],
  ["lost-after", "unknown", 1],
  ["silent", "unknown", 0],
];

export const channelFilesConformance = (name: string, harness: ChannelHarness): void => {
  const sendTo = (opened: OpenChannel, conversation: string, signal = never): Promise<SendResult> => {
    const { sendFile } = opened.channel;
    if (sendFile === undefined) throw new Error("The channel sends no files.");
    return sendFile(outboundFile(conversation), signal);
  };

  describe(`${name}: the contract of a channel that sends files`, () => {
    const open = async (): Promise<OpenChannel> => {
      const opened = await harness.open();
      if (opened.channel.traits.files === undefined) throw new Error("The channel has no trait `files`.");
      return opened;
    };

    test("the traits name the largest file", async () => {
      expect((await open()).channel.traits.files?.maxBytes).toBeGreaterThan(0);
    });

    test("a file arrives once, byte for byte, with its name and caption, as a reply to its message", async () => {
      const opened = await open();
      const { direct, group } = opened.platform.conversations;
      const said = opened.platform.say({ in: "group", text: "The table?" });
      const file = { ...outboundFile(group), caption: '**All** of <May> & "June"', replyTo: said.messageId };
      const result = await opened.channel.sendFile?.(file, never);
      const sent = opened.platform.sent();
      const { name: fileName, bytes } = outboundFile(group);
      expect(sent).toMatchObject([
        {
          conversation: group,
          text: file.caption,
          replyTo: said.messageId,
          file: { name: fileName, type: "text/csv" },
        },
      ]);
      expect([...(sent[0]?.file?.bytes ?? [])]).toEqual([...bytes]);
      expect(result).toEqual({ kind: "sent", messageId: sent[0]?.messageId ?? "" });
      expect(await opened.channel.sendFile?.({ ...outboundFile(direct), key: "key-2" }, never)).toMatchObject({
        kind: "sent",
      });
      expect(opened.platform.sent().slice(1)).toMatchObject([{ conversation: direct, text: "" }]);
    });

    test.each(fates)("fault %s: the result is %s, and the file exists %d times", async (fault, kind, count) => {
      const opened = await open();
      opened.platform.failNext("file", fault);
      const result = await passTime(opened.world, sendTo(opened, opened.platform.conversations.direct), 80);
      expect(result.kind).toBe(kind);
      expect(opened.platform.sent()).toHaveLength(count);
      if (result.kind !== "sent") expect(result.error.code).toStartWith("channel.");
      expectNoSecret(opened, result);
    });

    test("a file sent twice with one key exists once, if the platform takes keys", async () => {
      const opened = await open();
      const { direct } = opened.platform.conversations;
      opened.platform.failNext("file", "lost-after");
      expect(await sendTo(opened, direct)).toMatchObject({ kind: "unknown" });
      expect(await sendTo(opened, direct)).toMatchObject({ kind: "sent" });
      expect(opened.platform.sent()).toHaveLength(opened.channel.traits.takesKeys ? 1 : 2);
    });

    test("a blocked or invalid conversation refuses a file, and a revoked secret or an abort leaves it for later", async () => {
      const opened = await open();
      const { direct } = opened.platform.conversations;
      for (const conversation of ["", "nobody", "-1/2/3", "\ud800"])
        expect(await sendTo(opened, conversation)).toMatchObject({ kind: "refused" });
      const calls = opened.platform.calls();
      expect(await sendTo(opened, direct, AbortSignal.abort())).toMatchObject({ kind: "later" });
      expect(opened.platform.calls()).toBe(calls);
      opened.platform.block("direct");
      expect(await sendTo(opened, direct)).toMatchObject({ kind: "refused", error: { code: "channel.refused" } });
      opened.platform.revoke();
      const result = await sendTo(opened, direct);
      expect(result).toMatchObject({ kind: "later", error: { code: "channel.auth" } });
      expectNoSecret(opened, result);
      expect(opened.platform.sent()).toEqual([]);
    });
  });
};
