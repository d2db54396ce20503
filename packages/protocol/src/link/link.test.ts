import { describe, expect, test } from "bun:test";
import { MAX_STREAM_LABEL, type StreamFrame, STREAM_WINDOW } from "./byte-stream.ts";
import { createDecoder, encodeMessage, encodeStreamFrame } from "./codec.ts";
import { isHearthError } from "../base/error.ts";
import { createByteLink, createLinkPair } from "./link.ts";
import { type Ends, linkConformance } from "./link.conformance.ts";
import { createMailbox } from "./mailbox.ts";

linkConformance("in memory", () => createLinkPair<unknown, unknown>());

test("in memory, a stream handler that fails ends both sides with its error", async () => {
  const [warden, inmate] = createLinkPair<unknown, unknown>();
  warden.handleStreams(() => {
    throw new Error("The handler failed.");
  });
  inmate.openStream("egress");
  const outcomes = await Promise.allSettled([warden, inmate].map(({ frames }) => Array.fromAsync(frames)));
  expect(outcomes).toEqual(
    [warden, inmate].map(() => ({ status: "rejected", reason: new Error("The handler failed.") })),
  );
});

/** Two byte links joined by pipes that deliver `cut` bytes at a time. */
const createJoined = (cut: number): Ends => {
  const down = createMailbox<Uint8Array>();
  const up = createMailbox<Uint8Array>();
  const into =
    (pipe: typeof down) =>
    (bytes: Uint8Array): Promise<void> => {
      for (let at = 0; at < bytes.length; at += cut) pipe.put(bytes.slice(at, at + cut));
      return Promise.resolve();
    };
  const close = (): void => {
    down.close();
    up.close();
  };
  return [
    createByteLink({ bytes: up, write: into(down), close }, "warden"),
    createByteLink({ bytes: down, write: into(up), close }, "inmate"),
  ];
};

linkConformance("over bytes", () => createJoined(70_000));
linkConformance("over bytes in small chunks", () => createJoined(1999));

/**
 * The report of the warden's end of a link that read these bytes: an error message, or "well".
 */
const receive = async (frames: readonly Uint8Array[]): Promise<string> => {
  const bytes = createMailbox<Uint8Array>();
  const link = createByteLink({ bytes, write: () => {}, close: () => bytes.close() }, "warden");
  link.handleStreams(() => {});
  for (const frame of frames) bytes.put(frame);
  bytes.close();
  try {
    for await (const _ of link.frames);
    return "well";
  } catch (error) {
    return isHearthError(error) ? error.message : String(error);
  }
};

describe("a violation of the stream protocol by the inmate breaks the link", () => {
  const open: StreamFrame = { type: "open", stream: 1, label: "egress" };
  const data = (size: number): StreamFrame => ({ type: "data", stream: 1, bytes: new Uint8Array(size) });
  const full = Array.from({ length: STREAM_WINDOW / 65_536 }, () => data(65_536));
  const cases: readonly (readonly [string, readonly StreamFrame[], string])[] = [
    ["no violation", [open, ...full, { type: "end", stream: 1 }], "well"],
    ["more than its credit", [open, ...full, data(1)], "sent more bytes than its credit allows"],
    ["unused credit", [open, { type: "credit", stream: 1, size: 1 }], "returned more credit than was used"],
    ["data after the end", [open, { type: "end", stream: 1 }, data(1)], "sent data after its end"],
    ["a stream that was not opened", [data(1)], "was never opened"],
    ["a stream number of the warden", [{ type: "data", stream: 2, bytes: new Uint8Array(1) }], "was never opened"],
    ["a skipped stream number", [{ type: "open", stream: 3, label: "" }], "is not the next one"],
    ["opening with a stream number of the warden", [{ type: "open", stream: 2, label: "" }], "is not the next one"],
    ["a stream number twice", [open, open], "is not the next one"],
    ["a label that is too long", [{ ...open, label: "x".repeat(MAX_STREAM_LABEL + 1) }], "is too long"],
    ["data that was in flight when the stream was reset", [open, { type: "reset", stream: 1 }, data(1)], "well"],
  ];
  for (const [what, frames, why] of cases) {
    test(what, async () => expect(await receive(frames.map(encodeStreamFrame))).toContain(why));
  }

  test("a credit frame of the wrong size, an end frame with a body, an unknown frame type", async () => {
    const frame = (type: number, body: readonly number[]): Uint8Array =>
      Uint8Array.of(0, 0, 0, body.length, type, 0, 0, 0, 1, ...body);
    const opened = encodeStreamFrame(open);
    expect(await receive([opened, frame(5, [0, 1])])).toContain("a credit frame is not 4 bytes long");
    expect(await receive([opened, frame(6, [1])])).toContain("an end or reset frame has a body");
    expect(await receive([opened, frame(7, [1])])).toContain("an end or reset frame has a body");
    expect(await receive([opened, frame(10, [])])).toContain("frame type 10 is unknown");
    expect(await receive([opened, frame(9, [1])])).toContain("a ping has a body");
    // Only the warden pings, and each ping has one answer.
    for (const type of [8, 9])
      expect(await receive([opened, frame(type, [])])).toContain("a ping or pong that this side does not expect");
    expect(await receive([frame(3, [0xff])])).toContain("not text");
  });
});

test("a frame waits for at most one piece of a stream", async () => {
  const sent: Uint8Array[] = [];
  const taken = createMailbox<() => void>();
  const link = createByteLink(
    {
      bytes: createMailbox<Uint8Array>(),
      write: (bytes) =>
        new Promise((resolve) => {
          sent.push(bytes);
          taken.put(resolve);
        }),
      close: () => {},
    },
    "warden",
  );
  void link.openStream("bulk").write(new Uint8Array(200_000));
  await new Promise((resolve) => setImmediate(resolve));
  link.send({ urgent: true });
  expect(sent.map((bytes) => bytes[4])).toEqual([3, 4, 1]);
  const [, , last] = sent;
  expect(createDecoder().push(last as Uint8Array)).toEqual([{ urgent: true }]);
  expect(last).toEqual(encodeMessage({ urgent: true }, 1));
});

test("opening streams endlessly without reading breaks the link, and the backlog stays bounded", async () => {
  let written = 0;
  let taken = 0;
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    for (let stream = 1; ; stream += 2) {
      taken += 1;
      yield encodeStreamFrame({ type: "open", stream, label: "" });
    }
  };
  const link = createByteLink(
    { bytes: bytes(), write: () => new Promise(() => void (written += 1)), close: () => {} },
    "warden",
  );
  const reading = (async () => {
    for await (const _ of link.frames);
  })();
  await expect(reading).rejects.toMatchObject({ code: "cell.protocol" });
  expect([written, taken]).toEqual([4097, 4097]);
});
