/** Conformance tests of `Channel` for sending. Receiving is in `channel.conformance.ts`. */
import { describe, expect, test } from "bun:test";
import type { SendResult } from "./channel.ts";
import {
  type ChannelHarness,
  createReader,
  expectNoSecret,
  type Fault,
  never,
  outbound,
  passTime,
  finishPendingWork,
} from "./channel-harness.conformance.ts";
import { readMarkdown } from "./markdown.ts";

/** Each row: a fault, the result of `send`, and the number of copies of the message that exist afterwards. */
const fates: readonly (readonly [Fault, SendResult["kind"], number])[] = [
  ["rate-limited", "later", 0],
  ["failing", "later", 0],
  ["unreachable", "later", 0],
  ["lost-before", "unknown", 0],
  ["lost-after", "unknown", 1],
  ["silent", "unknown", 0],
];

const hostileTexts = [
  "<b>not bold</b> & <script>alert(1)</script>",
  "5 < 6 && 7 > 6 &amp; &lt;",
  "*open **and `never closed",
  "a_b_c snake_case __init__.py **",
  '[a](javascript:alert(1)) [b](https://a.example/?a=1&b="2")',
  "```\n</pre><b>\n```",
  "\u202Eright to left\u202C \u0000 nul",
  "👩‍👩‍👧‍👦 \ud800 🇩🇪",
  "> quote\n> > deeper\n\n1. one\n   - two\n\n---\n\n# Title #",
];

export const channelSendingConformance = (name: string, harness: ChannelHarness): void => {
  /** Removes the characters that platforms drop. */
  const withoutInvisible = (text: string): string => text.replace(/[\s\p{Cc}\u202a-\u202e]+/gu, "");

  describe(`${name}: the contract of a channel, sending`, () => {
    test("a message arrives once, in its conversation, as a reply to its message", async () => {
      const opened = await harness.open();
      const { direct, group } = opened.platform.conversations;
      const said = opened.platform.say({ in: "group", text: "Are you there?" });
      const result = await opened.channel.send({ ...outbound(group, "Yes."), replyTo: said.messageId }, never);
      const sent = opened.platform.sent();
      expect(sent).toMatchObject([{ conversation: group, text: "Yes.", replyTo: said.messageId }]);
      expect(result).toEqual({ kind: "sent", messageId: sent[0]?.messageId ?? "" });
      await opened.channel.send(outbound(direct, "**Hello**", "key-2"), never);
      expect(opened.platform.sent().slice(1)).toMatchObject([{ conversation: direct, text: "Hello" }]);
    });

    test.each(hostileTexts)("%j arrives as a reader should see it", async (text) => {
      const opened = await harness.open();
      const { direct } = opened.platform.conversations;
      const pieces = opened.channel.pieces(text);
      expect(pieces).toHaveLength(1);
      expect(await opened.channel.send(outbound(direct, pieces[0] ?? ""), never)).toMatchObject({ kind: "sent" });
      expect(opened.platform.sent().map((message) => withoutInvisible(message.text))).toEqual([
        withoutInvisible(readMarkdown(text.toWellFormed())),
      ]);
    });

    test("a long text arrives in pieces that together contain the whole text", async () => {
      const opened = await harness.open();
      const { traits } = opened.channel;
      const { direct } = opened.platform.conversations;
      const words = "some words with **bold and _both_** and `code` & <tags> ";
      const text = [
        "# Title",
        words.repeat(Math.ceil(traits.maxLength / 20)),
        `- ${words.repeat(10)}\n- ${words}`,
        `\`\`\`ts\n${"const answer = 42; // <&>\n".repeat(Math.ceil(traits.maxLength / 10))}\`\`\``,
        "x".repeat(traits.maxLength * 2 + 1),
        "👩‍👩‍👧‍👦".repeat(Math.ceil(traits.maxLength / 8)),
        `> ${words.repeat(Math.ceil(traits.maxLength / 40))}`,
      ].join("\n\n");
      const pieces = opened.channel.pieces(text);
      expect(opened.channel.pieces(text)).toEqual(pieces);
      expect(pieces.length).toBeGreaterThan(6);
      for (const [index, piece] of pieces.entries()) {
        expect(piece.length).toBeLessThanOrEqual(traits.maxLength);
        expect(piece.match(/```/g)?.length ?? 0).toBeOneOf([0, 2]);
        expect(await opened.channel.send(outbound(direct, piece, `key-${index}`), never)).toMatchObject({
          kind: "sent",
        });
      }
      const sent = opened.platform.sent().map((message) => message.text);
      // The bullet of a list item that is cut appears only before its first piece.
      expect(withoutInvisible(sent.join("\n"))).toBe(withoutInvisible(readMarkdown(text)));
      for (const text of sent) expect(text).not.toMatch(/\*\*|```/);
    });

    test.each(["", " \n\t ", "\u200b", "```\n```"])("%j has no pieces", async (text) => {
      const { channel } = await harness.open();
      expect(channel.pieces(text)).toEqual([]);
    });

    test("a text that fits is one unchanged piece", async () => {
      const { channel } = await harness.open();
      expect(channel.pieces("**Hello**, _you_")).toEqual(["**Hello**, _you_"]);
    });

    test.each(fates)("fault %s: the result is %s, and the message exists %d times", async (fault, kind, count) => {
      const opened = await harness.open();
      const { direct } = opened.platform.conversations;
      opened.platform.failNext("send", fault);
      const result = await passTime(opened.world, opened.channel.send(outbound(direct, "Hello"), never));
      expect(result.kind).toBe(kind);
      expect(opened.platform.sent()).toHaveLength(count);
      if (result.kind !== "sent") {
        expect(result.error.code).toStartWith("channel.");
        expect(result.error.message).not.toBe("");
      }
      expectNoSecret(opened, result);
    });

    test("a rate-limited send reports how long to wait", async () => {
      const opened = await harness.open();
      opened.platform.failNext("send", "rate-limited");
      const result = await opened.channel.send(outbound(opened.platform.conversations.direct, "Hello"), never);
      expect(result).toMatchObject({ kind: "later", retryAfterMs: 7_000, error: { code: "channel.rate-limited" } });
    });

    test("a message sent twice with one key exists once, if the platform takes keys", async () => {
      const opened = await harness.open();
      const message = outbound(opened.platform.conversations.direct, "Hello");
      opened.platform.failNext("send", "lost-after");
      expect(await opened.channel.send(message, never)).toMatchObject({ kind: "unknown" });
      const secondResult = await opened.channel.send(message, never);
      const sent = opened.platform.sent();
      expect(secondResult).toEqual({ kind: "sent", messageId: sent.at(-1)?.messageId ?? "" });
      expect(sent).toHaveLength(opened.channel.traits.takesKeys ? 1 : 2);
    });

    test("markup that the platform rejects is sent as plain text, once", async () => {
      const opened = await harness.open();
      opened.platform.failNext("send", "markup");
      const result = await opened.channel.send(
        outbound(opened.platform.conversations.direct, "**Hello** <you>"),
        never,
      );
      expect(result).toMatchObject({ kind: "sent" });
      expect(opened.platform.sent().map((message) => message.text)).toEqual(["**Hello** <you>"]);
    });

    test("a platform that rejects plain text too is not retried without end", async () => {
      const opened = await harness.open();
      for (let count = 0; count < 5; count += 1) opened.platform.failNext("send", "markup");
      const calls = opened.platform.calls();
      const result = await opened.channel.send(outbound(opened.platform.conversations.direct, "**Hello**"), never);
      expect(result).toMatchObject({ kind: "refused", error: { code: "channel.refused" } });
      expect(opened.platform.calls() - calls).toBe(2);
    });

    test.each(["rate-limited", "lost-after", "unreachable"] as const)(
      "when the plain text meets %s, the result reports that",
      async (fault) => {
        const opened = await harness.open();
        opened.platform.failNext("send", "markup");
        opened.platform.failNext("send", fault);
        const result = await opened.channel.send(outbound(opened.platform.conversations.direct, "**Hello**"), never);
        expect(result.kind).toBe(fault === "lost-after" ? "unknown" : "later");
      },
    );

    test("a message that the recipient blocks is refused", async () => {
      const opened = await harness.open();
      opened.platform.block("direct");
      const result = await opened.channel.send(outbound(opened.platform.conversations.direct, "Hello"), never);
      expect(result).toMatchObject({ kind: "refused", error: { code: "channel.refused" } });
    });

    test("a revoked secret leaves the message for later", async () => {
      const opened = await harness.open();
      opened.platform.revoke();
      const result = await opened.channel.send(outbound(opened.platform.conversations.direct, "Hello"), never);
      expect(result).toMatchObject({ kind: "later", error: { code: "channel.auth" } });
      expectNoSecret(opened, result);
    });

    test.each(["", "/", "nobody", "-1/2/3", "__proto__", "../../getMe", "9".repeat(400), "\ud800"])(
      "an invalid conversation %j is refused, never thrown",
      async (conversation) => {
        const opened = await harness.open();
        expect(await opened.channel.send(outbound(conversation, "Hello"), never)).toMatchObject({ kind: "refused" });
        await opened.channel.typing(conversation, never);
        expect(opened.platform.sent()).toEqual([]);
      },
    );

    test("a message that is aborted before it begins is not sent", async () => {
      const opened = await harness.open();
      const calls = opened.platform.calls();
      const message = outbound(opened.platform.conversations.direct, "Hello");
      expect(await opened.channel.send(message, AbortSignal.abort())).toMatchObject({ kind: "later" });
      expect(opened.platform.calls()).toBe(calls);
    });

    test("the outcome of a message that is aborted on its way is unknown", async () => {
      const opened = await harness.open();
      opened.platform.failNext("send", "silent");
      const stop = new AbortController();
      const sending = opened.channel.send(outbound(opened.platform.conversations.direct, "Hello"), stop.signal);
      await finishPendingWork();
      stop.abort();
      expect(await sending).toMatchObject({ kind: "unknown" });
    });

    test("typing is shown, and its failures are ignored", async () => {
      const opened = await harness.open();
      const { direct } = opened.platform.conversations;
      await opened.channel.typing(direct, never);
      expect(opened.platform.typed()).toEqual([direct]);
      await opened.channel.typing(direct, AbortSignal.abort());
      opened.platform.revoke();
      await opened.channel.typing(direct, never);
    });

    test("a probe reports the account, or why it failed", async () => {
      const opened = await harness.open();
      const passedProbe = await opened.channel.probe(never);
      expect(passedProbe.ok).toBe(true);
      expect(passedProbe.detail).not.toBe("");
      opened.platform.failNext("probe", "unreachable");
      const failedProbes = [await opened.channel.probe(never)];
      opened.platform.revoke();
      failedProbes.push(await opened.channel.probe(never));
      for (const failedProbe of failedProbes) {
        expect(failedProbe.ok).toBe(false);
        expect(failedProbe.detail).not.toBe("");
      }
      expectNoSecret(opened, [passedProbe, ...failedProbes]);
    });
  });

  describe(`${name}: the contract of a channel, choices`, () => {
    const choices = [
      { label: "Yes", word: "yes 1" },
      { label: "No", word: "no 1" },
    ];

    test("a message shows its choices, and a press reports the person, the choice and the conversation", async () => {
      const opened = await harness.open();
      const { direct } = opened.platform.conversations;
      const result = await opened.channel.send({ ...outbound(direct, "Shall I?"), choices }, never);
      const [message] = opened.platform.sent();
      expect(message?.choices).toEqual(["Yes", "No"]);
      const messageId = result.kind === "sent" ? result.messageId : "";
      const { externalId } = opened.platform.press("direct", messageId, "no 1");
      const reader = createReader(opened);
      const { inbound } = await reader.take(1);
      expect(inbound).toMatchObject([
        { externalId, kind: "press", conversation: { id: direct, kind: "direct" }, messageId, text: "no 1" },
      ]);
      expect(inbound[0]?.press).not.toBe("");
      const said = opened.platform.say({ in: "direct", text: "Good morning" });
      const [spoken] = (await reader.take(1)).inbound;
      expect(spoken).toMatchObject({ externalId: said.externalId, sender: inbound[0]?.sender });
      expect(await opened.channel.receive(opened.platform.webhook(externalId))).toEqual([...inbound]);
      await reader.stop();
    });

    test("the person who pressed gets an answer, and the message keeps its choices until they are over", async () => {
      const opened = await harness.open();
      const { direct } = opened.platform.conversations;
      const result = await opened.channel.send({ ...outbound(direct, "Shall I?"), choices }, never);
      const messageId = result.kind === "sent" ? result.messageId : "";
      for (const [text, isOver, shown] of [
        ["Not you.", false, ["Yes", "No"]],
        ["Allowed, once.", true, ["Allowed, once."]],
        ["x".repeat(500), true, undefined],
      ] as const) {
        const { externalId } = opened.platform.press("direct", messageId, "yes 1");
        const [press] = await opened.channel.receive(opened.platform.webhook(externalId));
        const answer = { conversation: direct, messageId, press: press?.press ?? "", text, isOver };
        await opened.channel.answerPress(answer, never);
        expect(opened.platform.shown().at(-1)?.slice(0, 14)).toBe(text.slice(0, 14));
        if (shown !== undefined) expect(opened.platform.sent()[0]?.choices).toEqual([...shown]);
        // A repeated `answerPress` does not fail.
        await opened.channel.answerPress(answer, never);
      }
      opened.platform.revoke();
      await opened.channel.answerPress({ conversation: direct, messageId, press: "1", text: "x", isOver: true }, never);
    });

    /** Sends a message with choices. */
    const sendChoices = async () => {
      const opened = await harness.open();
      const conversation = opened.platform.conversations.direct;
      const result = await opened.channel.send({ ...outbound(conversation, "Shall I?"), choices }, never);
      const messageId = result.kind === "sent" ? result.messageId : "";
      return { opened, endedChoices: { conversation, messageId, text: "Denied by Ana." } };
    };

    test("ended choices are replaced by their result, however often `endChoices` is called", async () => {
      const { opened, endedChoices } = await sendChoices();
      for (let count = 0; count < 2; count += 1) {
        const { messageId } = endedChoices;
        expect(await opened.channel.endChoices(endedChoices, never)).toEqual({ kind: "sent", messageId });
        expect(opened.platform.sent()).toMatchObject([{ text: "Shall I?", choices: ["Denied by Ana."] }]);
      }
      await opened.channel.endChoices({ ...endedChoices, text: `Allowed by ${"X".repeat(200)}.` }, never);
      expect(opened.platform.sent()[0]?.choices[0]).toStartWith("Allowed by XXX");
    });

    test.each(fates)("ending choices with fault %s gives %s", async (fault, kind) => {
      const { opened, endedChoices } = await sendChoices();
      opened.platform.failNext("end", fault);
      const result = await passTime(opened.world, opened.channel.endChoices(endedChoices, never));
      expect(result.kind).toBe(kind);
      expectNoSecret(opened, result);
      expect(await opened.channel.endChoices(endedChoices, never)).toMatchObject({ kind: "sent" });
      expect(opened.platform.sent()[0]?.choices).toEqual(["Denied by Ana."]);
    });

    test("ending the choices of a message that does not exist does not throw", async () => {
      const { opened, endedChoices } = await sendChoices();
      for (const change of [{ messageId: "999999" }, { messageId: "x" }, { conversation: "nobody" }])
        expect(await opened.channel.endChoices({ ...endedChoices, ...change }, never)).toMatchObject({
          kind: "refused",
        });
      opened.platform.revoke();
      const result = await opened.channel.endChoices(endedChoices, never);
      expect(result).toMatchObject({ kind: "later", error: { code: "channel.auth" } });
      expectNoSecret(opened, result);
    });
  });
};
