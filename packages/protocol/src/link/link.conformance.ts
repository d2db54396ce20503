/** The contract of a link, as tests. */
import { describe, expect, test } from "bun:test";
import { type ByteStream, MAX_STREAMS, STREAM_WINDOW } from "./byte-stream.ts";
import { isHearthError } from "../base/error.ts";
import type { Link } from "./link.ts";

/** The two ends of one link: warden, inmate. */
export type Ends = readonly [Link<unknown, unknown>, Link<unknown, unknown>];

export const linkConformance = (name: string, create: () => Ends | Promise<Ends>): void => {
  const withLink = async (work: (warden: Ends[0], inmate: Ends[1]) => Promise<void>): Promise<void> => {
    const [warden, inmate] = await create();
    try {
      await work(warden, inmate);
    } finally {
      warden.close();
      inmate.close();
    }
  };

  /**
   * Reads frames in the background. Over bytes, streams share the pipe with frames and need this to
   * advance.
   */
  const listen = (link: Link<unknown, unknown>): unknown[] => {
    const frames: unknown[] = [];
    void (async () => {
      for await (const frame of link.frames) frames.push(frame);
    })().catch(() => {});
    return frames;
  };

  /** Opens a stream from the inmate. Returns the warden's end and then the inmate's end. */
  const connectStream = async (
    warden: Ends[0],
    inmate: Ends[1],
    label = "egress",
  ): Promise<[ByteStream, ByteStream]> => {
    const opened = Promise.withResolvers<ByteStream>();
    warden.handleStreams(opened.resolve);
    const stream = inmate.openStream(label);
    return [await opened.promise, stream];
  };

  describe(`${name}: the contract of a link`, () => {
    test("frames arrive once, in order, in both directions", () =>
      withLink(async (warden, inmate) => {
        for (let count = 0; count < 100; count += 1) {
          warden.send({ down: count });
          inmate.send({ up: count });
        }
        const [down, up] = [inmate.frames[Symbol.asyncIterator](), warden.frames[Symbol.asyncIterator]()];
        for (let count = 0; count < 100; count += 1) {
          expect((await down.next()).value).toEqual({ down: count });
          expect((await up.next()).value).toEqual({ up: count });
        }
      }));

    test("the inmate's side answers every ping while it reads", () =>
      withLink(async (warden, inmate) => {
        listen(inmate);
        listen(warden);
        await Promise.all([warden.ping(), warden.ping()]);
        await warden.ping();
      }));

    test("a stream carries bytes both ways, with its label, until both sides end it", () =>
      withLink(async (warden, inmate) => {
        listen(warden);
        listen(inmate);
        const [acceptedStream, openedStream] = await connectStream(warden, inmate, "egress é");
        expect(acceptedStream.label).toBe("egress é");
        void openedStream.write(bytesOf("ask"));
        openedStream.end();
        expect(await textOf(acceptedStream)).toBe("ask");
        void acceptedStream.write(bytesOf("answer"));
        acceptedStream.end();
        expect(await textOf(openedStream)).toBe("answer");
      }));

    test("the warden can open streams too", () =>
      withLink(async (warden, inmate) => {
        listen(warden);
        listen(inmate);
        const [acceptedStream, openedStream] = await connectStream(inmate, warden);
        void openedStream.write(bytesOf("x"));
        openedStream.end();
        expect(await textOf(acceptedStream)).toBe("x");
      }));

    test("bytes arrive complete and in order on many streams at once", () =>
      withLink(async (warden, inmate) => {
        listen(warden);
        listen(inmate);
        const texts: Promise<Uint8Array>[] = [];
        warden.handleStreams((stream) => void texts.push(allOf(stream)));
        const sentBytes = Array.from({ length: 8 }, (_, index) => pattern(index, 3 * STREAM_WINDOW + index));
        for (const bytes of sentBytes) {
          const stream = inmate.openStream("many");
          void stream.write(bytes);
          stream.end();
        }
        await Promise.all(sentBytes.map((_, index) => waitFor(() => texts[index] !== undefined)));
        for (const [index, bytes] of sentBytes.entries())
          expect(Buffer.compare(await (texts[index] as Promise<Uint8Array>), bytes)).toBe(0);
      }));

    test("a reader that stalls gets one window of bytes, while frames and other streams continue", () =>
      withLink(async (warden, inmate) => {
        const frames = listen(warden);
        listen(inmate);
        const [stalled, writer] = await connectStream(warden, inmate);
        let isWritten = false;
        const written = writer.write(new Uint8Array(4 * STREAM_WINDOW)).then(() => (isWritten = true));
        const [other, swift] = await connectStream(warden, inmate);
        void swift.write(bytesOf("swift"));
        swift.end();
        expect(await textOf(other)).toBe("swift");
        inmate.send("a frame");
        await waitFor(() => frames.length === 1);
        expect(isWritten).toBe(false);
        expect((await allOf(stalled, STREAM_WINDOW * 4)).length).toBe(STREAM_WINDOW * 4);
        await written;
      }));

    test("a stream that one side resets ends for the other side, including its pending writes", () =>
      withLink(async (warden, inmate) => {
        listen(warden);
        listen(inmate);
        const [acceptedStream, openedStream] = await connectStream(warden, inmate);
        const stuck = openedStream.write(new Uint8Array(2 * STREAM_WINDOW));
        acceptedStream.reset();
        expect(await codeOf(stuck)).toBe("cell.lost");
        expect(await codeOf(openedStream.write(bytesOf("more")))).toBe("cell.lost");
        expect(await codeOf(textOf(openedStream))).toBe("cell.lost");
      }));

    test("streams without a handler, and streams over the limit, are refused", () =>
      withLink(async (warden, inmate) => {
        listen(warden);
        listen(inmate);
        expect(await codeOf(textOf(inmate.openStream("unhandled")))).toBe("cell.lost");
        const acceptedStreams: ByteStream[] = [];
        warden.handleStreams((stream) => void acceptedStreams.push(stream));
        const streams = Array.from({ length: MAX_STREAMS + 1 }, () => inmate.openStream("x"));
        expect(await codeOf(textOf(streams.at(-1) as ByteStream))).toBe("cell.lost");
        expect(acceptedStreams.length).toBe(MAX_STREAMS);
        acceptedStreams[0]?.reset();
        expect(await codeOf(textOf(streams[0] as ByteStream))).toBe("cell.lost");
        const newStream = inmate.openStream("again");
        await waitFor(() => acceptedStreams.length === MAX_STREAMS + 1);
        newStream.reset();
      }));

    test("a link that closes ends its streams", () =>
      withLink(async (warden, inmate) => {
        listen(warden);
        listen(inmate);
        const [acceptedStream, openedStream] = await connectStream(warden, inmate);
        warden.close();
        expect(await codeOf(textOf(acceptedStream))).toBe("cell.lost");
        inmate.close();
        expect(await codeOf(openedStream.write(bytesOf("x")))).toBe("cell.lost");
        expect(await codeOf(textOf(inmate.openStream("late")))).toBe("cell.lost");
      }));
  });
};

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const pattern = (seed: number, size: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, index) => (index * 31 + seed * 17 + (index >> 8)) & 255);

const allOf = async (stream: ByteStream, size = Infinity): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const bytes of stream.bytes) {
    chunks.push(bytes);
    length += bytes.length;
    if (length >= size) break;
  }
  return Buffer.concat(chunks);
};

const textOf = async (stream: ByteStream): Promise<string> => new TextDecoder().decode(await allOf(stream));

const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise;
    return "nothing";
  } catch (error) {
    return isHearthError(error) ? error.code : String(error);
  }
};

/** Waits some turns of the event loop until `holds`. Links deliver within a few turns. */
const waitFor = async (holds: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 10_000 && !holds(); turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(holds()).toBe(true);
};
