/** Streams cut anywhere, in pieces of any size, and with invalid calls. */
import { MAX_UNREADABLE } from "@hearth/protocol";
import { describe, expect, test } from "bun:test";
import { type Answer, codeOf } from "../provider.conformance.ts";
import type { ProviderFactory } from "../provider.ts";
import type { RawCall } from "./reply.ts";
import type { WireReply } from "./wire-fake.ts";
import { answerOf, bytes, type Recording, type VendorWire } from "./wire-harness.conformance.ts";

export const streamClauses = (name: string, factory: ProviderFactory, vendor: VendorWire): void => {
  const answer = (reply: WireReply): Promise<Answer> => answerOf(factory, reply);
  const answerTo = (text: string): Promise<Answer> => answer({ chunks: [bytes(text)] });

  describe(`${name}: streams, whole and in pieces`, () => {
    const plainRecordings = [...vendor.recordings, vendor.thinking];
    const recordings = plainRecordings.flatMap((recording) => [
      recording,
      withReturns(recording),
      withComments(recording),
    ]);

    test.each(recordings.map((recording) => [recording.name, recording] as const))(
      "%s is parsed",
      async (_name, recording) => {
        const { last } = await answer({ chunks: [recording.bytes] });
        expect(last).toMatchObject(expectedLast(recording));
        expect(last).toMatchObject({ usage: { inputTokens: recording.expected.inputTokens } });
      },
    );

    test.each(recordings.map((recording) => [recording.name, recording] as const))(
      "%s gives the same result byte by byte",
      async (_name, recording) => {
        const { last } = await answer({ chunks: [...recording.bytes].map((byte) => Uint8Array.of(byte)) });
        expect(last).toEqual((await answer({ chunks: [recording.bytes] })).last);
      },
    );

    // Every recording, and one with the other line ends: each byte is a cut.
    const cutRecordings = [...plainRecordings, ...plainRecordings.slice(0, 1).map(withReturns)];
    test.each(cutRecordings.map((recording) => [recording.name, recording] as const))(
      "%s cut at any byte is never a partial answer",
      async (_name, recording) => {
        const completeSize = sizeUntilComplete(recording);
        expect(completeSize).toBeLessThanOrEqual(recording.bytes.length);
        for (let size = 0; size <= recording.bytes.length; size += 1) {
          const { last } = await answer({ chunks: [recording.bytes.subarray(0, size)] });
          if (size >= completeSize) expect([size, last]).toMatchObject([size, expectedLast(recording)]);
          else if (codeOf({ deltas: [], last }) !== "provider.truncated")
            throw new Error(`Cut at ${size}: ${JSON.stringify(last)}`);
        }
      },
    );

    test("a connection that breaks before the end is an error", async () => {
      const reply: WireReply = { chunks: [bytes(vendor.begin(["half a "]))], then: "break" };
      expect(codeOf(await answer(reply))).toBe("provider.truncated");
    });

    test("the two halves of a surrogate pair in two deltas are one character", async () => {
      const split = vendor.stream({ texts: ["a \uD83C", "\uDF0D b"] });
      expect((await answerTo(split)).deltas.join("")).toBe("a 🌍 b");
    });

    test("a lone surrogate at the end becomes a replacement character", async () => {
      const { deltas } = await answerTo(vendor.stream({ texts: ["a \uD83C"] }));
      expect(deltas.join("")).toBe("a \uFFFD");
    });

    test("an error in the middle of a stream ends it", async () => {
      const result = await answerTo(vendor.begin(["half a "]) + vendor.overloadedEvent);
      expect(codeOf(result)).toBe("provider.overloaded");
      expect(result.deltas.join("")).toBe("half a ");
    });

    test.each(vendor.brokenUsages.map((usage) => [JSON.stringify(usage), usage]))(
      "usage %p counts as nothing",
      async (_text, usage) => {
        const { last } = await answerTo(vendor.stream({ texts: ["x"], usage }));
        expect(last).toMatchObject({
          type: "end",
          usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
        });
      },
    );
  });

  describe(`${name}: invalid tool calls`, () => {
    const calling = (calls: readonly RawCall[]): Promise<Answer> =>
      answerTo(vendor.stream({ texts: [], calls, stop: "tool-calls" }));

    test.each(["[1,2]", "7", '"text"', "null", '{"path": ', "{} {}"])("arguments %p are unreadable", async (input) => {
      const { last } = await calling([{ id: "a", name: "read", input }]);
      expect(last).toHaveProperty("message.toolCalls", [{ id: "a", name: "read", input: {}, unreadable: input }]);
    });

    test("readable arguments are not marked as unreadable", async () => {
      const { last } = await calling([{ id: "a", name: "read", input: '{"path":"x"}' }]);
      expect(last).toHaveProperty("message.toolCalls", [{ id: "a", name: "read", input: { path: "x" } }]);
    });

    test("unreadable arguments are cut to the length limit, and lone surrogates replaced", async () => {
      const unreadableStart = "x".repeat(MAX_UNREADABLE - 1);
      const { last } = await calling([{ id: "a", name: "read", input: `${unreadableStart}🌍 and more` }]);
      expect(last).toMatchObject({ message: { toolCalls: [{ unreadable: `${unreadableStart}\uFFFD` }] } });
    });

    test("a call without a name is an error", async () => {
      expect(codeOf(await calling([{ id: "a", name: "", input: "{}" }]))).toBe("provider.malformed");
    });

    test("a stop for tool calls without any is an error", async () => {
      expect(codeOf(await calling([]))).toBe("provider.malformed");
    });

    test("a call without arguments has empty input", async () => {
      expect((await calling([{ id: "a", name: "list", input: "" }])).last).toMatchObject({
        message: { toolCalls: [{ input: {} }] },
      });
    });

    test("a stop for length in the middle of a call drops the call", async () => {
      const { last } = await answerTo(
        vendor.stream({ texts: ["x"], calls: [{ id: "a", name: "read", input: '{"path": "no' }], stop: "length" }),
      );
      expect(last).toMatchObject({ type: "end", stopReason: "length", message: { toolCalls: [] } });
    });

    test("lone surrogates in arguments are replaced", async () => {
      const { last } = await calling([{ id: "a", name: "write", input: '{"content": ["\\ud83d", "ok"]}' }]);
      expect(last).toMatchObject({ message: { toolCalls: [{ input: { content: ["\uFFFD", "ok"] } }] } });
    });
  });
};

const expectedLast = ({ expected: { text, toolCalls, stopReason } }: Recording): object => ({
  type: "end",
  stopReason,
  message: { role: "assistant", text, toolCalls },
});

const withReturns = (recording: Recording): Recording => ({
  ...recording,
  name: `${recording.name} with CRLF`,
  bytes: bytes(new TextDecoder().decode(recording.bytes).replaceAll("\n", "\r\n")),
});

const withComments = (recording: Recording): Recording => ({
  ...recording,
  name: `${recording.name} with comments`,
  bytes: bytes(
    `\uFEFF: hello\n\n${new TextDecoder().decode(recording.bytes).replaceAll("data:", ": PROCESSING\nid: 1\nretry: 10\ndata:")}`,
  ),
});

/**
 * Returns the number of bytes until the terminal event is complete: its blank line, or the first
 * half of it.
 */
const sizeUntilComplete = ({ bytes: allBytes, terminal }: Recording): number => {
  const text = new TextDecoder("latin1").decode(allBytes);
  const blankLine = /\n\n|\r\n\r/g;
  blankLine.lastIndex = text.indexOf(terminal);
  return blankLine.exec(text) === null ? Infinity : blankLine.lastIndex;
};
