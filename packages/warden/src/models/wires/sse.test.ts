import { isHearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { describe, expect, test } from "bun:test";
import { readEvents, type ServerEvent } from "./sse.ts";

const { clock } = createFakeWorld({ hash: () => "" });
const encoder = new TextEncoder();

const read = async (
  chunks: readonly Uint8Array[],
): Promise<{ events: readonly ServerEvent[]; lines: number; code?: string }> => {
  const events: ServerEvent[] = [];
  let lines = 0;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const onLine = (): void => {
    lines += 1;
  };
  try {
    for await (const event of readEvents({ body, clock, signal: new AbortController().signal, onLine }))
      events.push(event);
  } catch (error) {
    if (!isHearthError(error)) throw error;
    return { events, lines, code: error.code };
  }
  return { events, lines };
};

const whole = (text: string) => read([encoder.encode(text)]);
const byteByByte = (text: string) => read([...encoder.encode(text)].map((byte) => Uint8Array.of(byte)));

describe("server-sent events", () => {
  const text = [
    "event: one",
    "data: a",
    "data:b",
    "id: 7",
    ": comment",
    "",
    "data:  c",
    "",
    "event: empty",
    "",
    "data",
    "",
    "",
  ];
  const expected = [
    { event: "one", data: "a\nb" },
    { event: "", data: " c" },
    { event: "", data: "" },
  ];

  test.each([["\n"], ["\r\n"], ["\r"]])(
    "with line ends %j are read, in one piece and byte by byte",
    async (lineEnd) => {
      expect((await whole(text.join(lineEnd))).events).toEqual(expected);
      expect((await byteByByte(text.join(lineEnd))).events).toEqual(expected);
    },
  );

  test("report every whole line, and no partial line", async () => {
    expect((await byteByByte("data: a\r\n\r\nda")).lines).toBe(2);
  });

  test("without a final blank line are dropped", async () => {
    expect(await whole("data: a\n\ndata: b\n")).toMatchObject({ events: [{ data: "a" }] });
    expect(await read([encoder.encode("data: a\n\ndata: 🌍").subarray(0, -2)])).toEqual({
      events: [{ event: "", data: "a" }],
      lines: 2,
    });
  });

  test("are read after a byte order mark", async () => {
    expect((await whole("\uFEFFdata: a\n\n")).events).toEqual([{ event: "", data: "a" }]);
  });

  test("of unlimited length are given up", async () => {
    const chunk = encoder.encode(`: ${"x".repeat(1024 * 1024)}\n`);
    expect((await read(Array.from({ length: 70 }, () => chunk))).code).toBe("provider.malformed");
  });

  test.each([["<html>\n"], ['{"error": 1}\n\n'], ["HTTP/1.1 200 OK\r\n"]])("do not begin with %j", async (line) => {
    expect((await whole(line)).code).toBe("provider.malformed");
  });
});
