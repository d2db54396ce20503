import { describe, expect, test } from "bun:test";
import { createDecoder, encodeMessage, MAX_FRAME_BODY, MAX_MESSAGE_SIZE } from "./codec.ts";
import { isHearthError } from "../base/error.ts";

describe("encoded messages", () => {
  const messages: readonly unknown[] = [
    { type: "hello", text: "水 😀 \u0000 \ud800", nested: [1, null, true, { a: {} }] },
    null,
    0,
    "",
    [],
    "x".repeat(MAX_FRAME_BODY - 2),
    "x".repeat(MAX_FRAME_BODY - 1),
    { text: "é".repeat(100_000) },
  ];

  test("a frame begins with its length, type and stream, big endian", () => {
    expect([...encodeMessage({}, 0x01_02_03_04)]).toEqual([0, 0, 0, 2, 1, 1, 2, 3, 4, 0x7b, 0x7d]);
  });

  test("are decoded one at a time and all at once", () => {
    const together = createDecoder();
    expect(together.push(concat(messages.map((message, index) => encodeMessage(message, index))))).toEqual([
      ...messages,
    ]);
    for (const message of messages) expect(createDecoder().push(encodeMessage(message, 7))).toEqual([message]);
  });

  test("are decoded wherever the bytes are split in two", () => {
    const sent = [{ a: 1 }, "é😀", [null]];
    const bytes = concat(sent.map((message, index) => encodeMessage(message, index)));
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const decoder = createDecoder();
      expect([...decoder.push(bytes.subarray(0, cut)), ...decoder.push(bytes.subarray(cut))]).toEqual(sent);
    }
  });

  test("are decoded from chunks of 1 to 64 bytes", () => {
    const bytes = concat(messages.slice(0, 5).map((message, index) => encodeMessage(message, index)));
    for (let size = 1; size <= 64; size += 1) {
      const decoder = createDecoder();
      const received: unknown[] = [];
      for (let at = 0; at < bytes.length; at += size) received.push(...decoder.push(bytes.subarray(at, at + size)));
      expect(received).toEqual(messages.slice(0, 5));
    }
  });

  test("are decoded from random chunks in a reused buffer", () => {
    const random = createRandom(7);
    const bytes = concat(messages.map((message, index) => encodeMessage(message, index)));
    for (let run = 0; run < 50; run += 1) {
      const decoder = createDecoder();
      const received: unknown[] = [];
      const buffer = new Uint8Array(50_000);
      for (let at = 0; at < bytes.length;) {
        const chunk = bytes.subarray(at, at + 1 + (random() % buffer.length));
        buffer.set(chunk);
        received.push(...decoder.push(buffer.subarray(0, chunk.length)));
        buffer.fill(0xff);
        at += chunk.length;
      }
      expect(received).toEqual([...messages]);
    }
  });

  test("in several parts may interleave frame by frame", () => {
    const [long, other] = ["a".repeat(200_000), "b".repeat(150_000)];
    const [one, two] = [frames(encodeMessage(long, 1)), frames(encodeMessage(other, 2))];
    expect([one.length, two.length]).toEqual([4, 3]);
    const mixed = [one[0], two[0], one[1], encodeMessage("between", 3), two[1], one[2], two[2], one[3]];
    expect(createDecoder().push(concat(mixed.filter((frame) => frame !== undefined)))).toEqual([
      "between",
      other,
      long,
    ]);
  });

  test("over the size limit are refused before sending", () => {
    expect(codeOf(() => encodeMessage("x".repeat(MAX_MESSAGE_SIZE), 1))).toBe("cell.protocol");
    const most = "x".repeat(MAX_MESSAGE_SIZE - 2);
    const [back] = createDecoder().push(encodeMessage(most, 1));
    expect(back === most).toBe(true);
  });
});

describe("invalid bytes", () => {
  const header = (length: number, type: number, stream = 0): Uint8Array => {
    const bytes = new Uint8Array(9);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, length);
    view.setUint8(4, type);
    view.setUint32(5, stream);
    return bytes;
  };
  const part = (stream: number, length: number): Uint8Array =>
    concat([header(length, 2, stream), new Uint8Array(length)]);

  test("throw as soon as the header is invalid", () => {
    expect(codeOf(() => createDecoder().push(header(MAX_FRAME_BODY + 1, 1)))).toBe("cell.protocol");
    expect(codeOf(() => createDecoder().push(header(1, 10)))).toBe("cell.protocol");
    expect(codeOf(() => createDecoder().push(header(1, 0)))).toBe("cell.protocol");
  });

  test("throw when a frame is not JSON or not UTF-8", () => {
    for (const body of [new Uint8Array(), new TextEncoder().encode("{"), new Uint8Array([0x22, 0xff, 0x22])]) {
      expect(codeOf(() => createDecoder().push(concat([header(body.length, 1), body])))).toBe("cell.protocol");
    }
  });

  test("throw for too many open streams and for a message without an end", () => {
    const decoder = createDecoder();
    for (let stream = 0; stream < 16; stream += 1) decoder.push(part(stream, 1));
    expect(codeOf(() => decoder.push(part(16, 1)))).toBe("cell.protocol");
    const endless = createDecoder();
    for (let count = 0; count < MAX_MESSAGE_SIZE / MAX_FRAME_BODY; count += 1) endless.push(part(1, MAX_FRAME_BODY));
    expect(codeOf(() => endless.push(part(1, 1)))).toBe("cell.protocol");
  });

  test("of a finished message do not count against the limit", () => {
    const decoder = createDecoder();
    const bytes = encodeMessage("x".repeat(MAX_MESSAGE_SIZE / 2), 1);
    for (let count = 0; count < 4; count += 1) expect(decoder.push(bytes)).toHaveLength(1);
  });

  test("yield messages or cell.protocol, and no other error", () => {
    const random = createRandom(42);
    for (let run = 0; run < 2000; run += 1) {
      const decoder = createDecoder();
      // Half of the runs begin with a valid header, to reach the code after it.
      const bytes = Uint8Array.from({ length: random() % 200 }, () => random() & 255);
      if (run % 2 === 0) bytes.set([0, 0, 0, random() % 8, 1 + (random() % 2)].slice(0, bytes.length));
      const code = codeOf(() => decoder.push(bytes));
      expect(code === undefined || code === "cell.protocol" ? "expected" : code).toBe("expected");
    }
  });
});

const concat = (chunks: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(chunks));

const frames = (bytes: Uint8Array): readonly Uint8Array[] => {
  const cut: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = 9 + new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(0);
    cut.push(bytes.subarray(at, at + length));
    at += length;
  }
  return cut;
};

/** The thrown error's code, or the thrown value if it is not a HearthError. */
const codeOf = (work: () => unknown): unknown => {
  try {
    work();
    return undefined;
  } catch (error) {
    return isHearthError(error) ? error.code : error;
  }
};

/** xorshift32: the same numbers for the same seed. */
const createRandom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
};
