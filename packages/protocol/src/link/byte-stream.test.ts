import { describe, expect, test } from "bun:test";
import { until } from "../fixtures/until.ts";
import { type ByteStream, createStreamEndpoint, MAX_STREAMS, type StreamFrame, STREAM_WINDOW } from "./byte-stream.ts";

const HALF = STREAM_WINDOW / 2;
const ID = 2;

/** One end of a link whose other end is the test. `sent` lists the frames, without their bytes. */
const open = () => {
  const sent: string[] = [];
  const end = createStreamEndpoint({
    side: "warden",
    send: (frame) => {
      const size = frame.type === "credit" ? ` ${frame.size}` : frame.type === "data" ? ` ${frame.bytes.length}` : "";
      sent.push(`${frame.type} ${frame.stream}${size}`);
    },
  });
  const stream = end.open("bulk");
  const give = (size: number): void => end.receive({ type: "data", stream: ID, bytes: new Uint8Array(size) });
  return { end, stream, give, sent };
};

/** Reads until the stream ends. Returns how much it read, and the error code if it failed. */
const readAll = async ({ bytes }: ByteStream): Promise<readonly [number, string]> => {
  let size = 0;
  try {
    for await (const piece of bytes) size += piece.length;
    return [size, "ended"];
  } catch (error) {
    return [size, (error as { code: string }).code];
  }
};

describe("a reader returns credit", () => {
  test("once it has read half a window, for all that it has read", async () => {
    const { stream, give, sent } = open();
    const reading = stream.bytes[Symbol.asyncIterator]();
    const readPiece = async (size: number): Promise<void> => {
      give(size);
      expect((await reading.next()).value?.length).toBe(size);
    };
    for (const size of [HALF - 1, 2]) await readPiece(size);
    // The piece that the reader holds counts as unread.
    expect(sent).toEqual([`open ${ID}`]);
    await readPiece(1);
    expect(sent).toEqual([`open ${ID}`, `credit ${ID} ${HALF + 1}`]);
  });

  const { end, stream } = { end: { type: "end", stream: ID }, stream: { type: "reset", stream: ID } } as const;
  test.each<[string, readonly StreamFrame[], (stream: ByteStream) => void, readonly string[]]>([
    ["after the other side has ended", [end], () => {}, [`open ${ID}`]],
    ["after the other side has reset the stream", [stream], () => {}, [`open ${ID}`]],
    ["after its own reset", [], (own) => own.reset(), [`open ${ID}`, `reset ${ID}`]],
  ])("but not %s", async (_title, frames, act, expected) => {
    const { end: link, stream: own, give, sent } = open();
    give(HALF);
    give(HALF);
    for (const frame of frames) link.receive(frame);
    act(own);
    await readAll(own);
    expect(sent).toEqual([...expected]);
  });
});

describe("a stream that is over", () => {
  test("by both ends delivers what arrived, and refuses writes", async () => {
    const { end, stream, give, sent } = open();
    give(3);
    stream.end();
    end.receive({ type: "end", stream: ID });
    expect(await readAll(stream)).toEqual([3, "ended"]);
    await expect(stream.write(new Uint8Array(1))).rejects.toMatchObject({ code: "cell.lost" });
    stream.reset();
    stream.end();
    expect(sent).toEqual([`open ${ID}`, `end ${ID}`]);
  });

  test.each<[string, (stream: ReturnType<typeof open>) => void, readonly string[]]>([
    ["by its own reset", ({ stream }) => stream.reset(), [`reset ${ID}`]],
    ["by a reset of the other side", ({ end }) => end.receive({ type: "reset", stream: ID }), []],
    ["because the link closed", ({ end }) => end.close(), []],
  ])("%s fails its reader and its waiting writers once, and sends nothing more", async (_title, act, frames) => {
    const stream = open();
    const filling = stream.stream.write(new Uint8Array(STREAM_WINDOW));
    const waiting = stream.stream.write(new Uint8Array(1));
    await filling;
    const before = stream.sent.length;
    act(stream);
    await expect(waiting).rejects.toMatchObject({ code: "cell.lost" });
    expect(await readAll(stream.stream)).toEqual([0, "cell.lost"]);
    act(stream);
    stream.stream.end();
    await expect(stream.stream.write(new Uint8Array(1))).rejects.toMatchObject({ code: "cell.lost" });
    expect(stream.sent.slice(before)).toEqual([...frames]);
  });
});

test("a writer that ended cannot write, and the other side still can", async () => {
  const { stream, give, end, sent } = open();
  stream.end();
  stream.end();
  await expect(stream.write(new Uint8Array(1))).rejects.toMatchObject({ code: "cell.lost" });
  give(5);
  end.receive({ type: "end", stream: ID });
  expect(await readAll(stream)).toEqual([5, "ended"]);
  expect(sent).toEqual([`open ${ID}`, `end ${ID}`]);
});

test("a writer sends as much as its credit allows, in small pieces and in order, and continues with new credit", async () => {
  const { stream, end, sent } = open();
  const writing = stream.write(new Uint8Array(STREAM_WINDOW + 10));
  await until(() => sent.length === 17);
  expect(sent).toEqual([`open ${ID}`, ...Array.from({ length: 16 }, () => `data ${ID} 16384`)]);
  end.receive({ type: "credit", stream: ID, size: 4 });
  end.receive({ type: "credit", stream: ID, size: 100 });
  await writing;
  expect(sent.slice(17)).toEqual([`data ${ID} 10`]);
});

test("streams of the other side are refused without a handler and beyond the limit", () => {
  const { end, sent } = open();
  end.receive({ type: "open", stream: 1, label: "early" });
  expect(sent.at(-1)).toBe("reset 1");
  const labels: string[] = [];
  end.setHandler(({ label }) => labels.push(label));
  // The stream that the end opened itself counts too.
  for (let index = 1; index < MAX_STREAMS; index += 1)
    end.receive({ type: "open", stream: 1 + 2 * index, label: `${index}` });
  expect([labels.length, sent.at(-1)]).toEqual([MAX_STREAMS - 1, "reset 1"]);
  end.receive({ type: "open", stream: 1 + 2 * MAX_STREAMS, label: "one too many" });
  expect([labels.length, sent.at(-1)]).toEqual([MAX_STREAMS - 1, `reset ${1 + 2 * MAX_STREAMS}`]);
  end.receive({ type: "reset", stream: ID });
  end.receive({ type: "open", stream: 3 + 2 * MAX_STREAMS, label: "in its place" });
  expect(labels.at(-1)).toBe("in its place");
});

test("a stream opened on a closed link is over at once, without a frame", async () => {
  const { end, sent } = open();
  end.close();
  const late = end.open("late");
  expect(await readAll(late)).toEqual([0, "cell.lost"]);
  expect(sent).toEqual([`open ${ID}`]);
});

test("a frame that cannot be sent ends every stream", async () => {
  const end = createStreamEndpoint({ side: "inmate", send: () => Promise.reject(new Error("the pipe broke")) });
  const [first, second] = [end.open("one"), end.open("other")];
  expect(await Promise.all([readAll(first), readAll(second)])).toEqual([
    [0, "cell.lost"],
    [0, "cell.lost"],
  ]);
});
