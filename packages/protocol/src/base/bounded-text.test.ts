import { expect, test } from "bun:test";
import { readBoundedText } from "./bounded-text.ts";

const body = (pieces: readonly Uint8Array[], onCancel = (): void => {}): ReadableStream<Uint8Array> => {
  const left = [...pieces];
  return new ReadableStream(
    {
      pull(controller) {
        const piece = left.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
      cancel: onCancel,
    },
    { highWaterMark: 0 },
  );
};

test("a character that is split between two pieces is read as one", async () => {
  const bytes = new TextEncoder().encode("a€b");
  expect(await readBoundedText(body([bytes.slice(0, 2), bytes.slice(2)]), 5)).toBe("a€b");
  expect(await readBoundedText(null, 5)).toBe("");
});

test("a character that is cut off at the end becomes a replacement character", async () => {
  expect(await readBoundedText(body([new TextEncoder().encode("a€").slice(0, 3)]), 5)).toBe("a\uFFFD");
});

test("a body that is too long is undefined, and its rest is not read", async () => {
  let isCancelled = false;
  const piece = new Uint8Array(4);
  expect(
    await readBoundedText(
      body([piece, piece, piece], () => (isCancelled = true)),
      7,
    ),
  ).toBeUndefined();
  expect(isCancelled).toBe(true);
});
