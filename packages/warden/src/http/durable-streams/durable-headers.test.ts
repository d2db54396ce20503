/** Headers and query parameters of the Durable Streams protocol, and which values are refused. */
import { describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import {
  cursorAfter,
  lifespanHeaders,
  positionHeaders,
  readFork,
  readLifespan,
  readLive,
  readOffset,
  readProducer,
  readSeq,
  saysClosed,
} from "./durable-headers.ts";

const EPOCH = "ab12".repeat(4);
const offsetOf = (offset: number, epoch = EPOCH): string => positionHeaders(offset, epoch)["stream-next-offset"] ?? "";
/** What the reader returns, or the code of its error. */
const outcome = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    for (const code of ["request.invalid", "stream.behind"] as const) if (isHearthError(error, code)) return code;
    throw error;
  }
};
type Fields = Readonly<Record<string, string>>;

describe("an offset", () => {
  const read = (query: string): unknown => outcome(() => readOffset(new URLSearchParams(query), EPOCH));

  test("is absent, the start, now or a position", () => {
    expect(["", "offset=-1", "offset=now", `offset=${offsetOf(7)}`].map(read)).toEqual([undefined, 0, "now", 7]);
  });

  test("is refused if it is given twice, has another form, or is from before a restore", () => {
    expect(["offset=now&offset=now", "offset=x"].map(read)).toEqual(["request.invalid", "request.invalid"]);
    expect(read(`offset=${offsetOf(7, "cd34".repeat(4))}`)).toBe("stream.behind");
  });
});

test("`live` is one of two words", () => {
  const read = (query: string): unknown => outcome(() => readLive(new URLSearchParams(query)));
  expect(["", "live=sse", "live=long-poll", "live=x", "live="].map(read)).toEqual([
    ...[undefined, "sse", "long-poll", "request.invalid", "request.invalid"],
  ]);
});

test("a stream is closed by the word true in any case", () => {
  const values = ["true", "TRUE", "false", ""].map((text) => saysClosed(new Headers({ "stream-closed": text })));
  expect([...values, saysClosed(new Headers())]).toEqual([true, true, false, false, false]);
});

test.each([
  [{}, {}],
  [{ "stream-ttl": "60" }, { ttlSeconds: 60 }],
  [{ "stream-ttl": "0" }, { ttlSeconds: 0 }],
  [{ "stream-ttl": "060" }, "request.invalid"],
  [{ "stream-ttl": "-1" }, "request.invalid"],
  [{ "stream-ttl": "9007199254740992" }, "request.invalid"],
  [{ "stream-expires-at": "2030-01-31T12:00:00Z" }, { expiresAt: Date.UTC(2030, 0, 31, 12) }],
  [{ "stream-expires-at": "2030-01-31T12:00:00.5+01:00" }, { expiresAt: Date.UTC(2030, 0, 31, 11, 0, 0, 500) }],
  [{ "stream-expires-at": "2030-13-31T12:00:00Z" }, "request.invalid"],
  [{ "stream-expires-at": "2030-01-31" }, "request.invalid"],
  [{ "stream-ttl": "60", "stream-expires-at": "2030-01-31T12:00:00Z" }, "request.invalid"],
] as readonly (readonly [Fields, unknown])[])("the lifespan %j is %j", (headers, lifespan) => {
  expect(outcome(() => readLifespan(new Headers(headers)))).toEqual(lifespan);
});

const producer = { "producer-id": "a", "producer-epoch": "1", "producer-seq": "2" };
test.each([
  [{}, undefined],
  [producer, { id: "a", epoch: 1, seq: 2 }],
  [{ "producer-id": "a" }, "request.invalid"],
  [{ "producer-epoch": "1" }, "request.invalid"],
  [{ "producer-seq": "1" }, "request.invalid"],
  [{ "producer-id": "a", "producer-epoch": "1" }, "request.invalid"],
  [{ ...producer, "producer-id": "" }, "request.invalid"],
  [{ ...producer, "producer-seq": "x" }, "request.invalid"],
] as readonly (readonly [Fields, unknown])[])("the producer %j is %j", (headers, read) => {
  expect(outcome(() => readProducer(new Headers(headers)))).toEqual(read);
});

test("a producer's name and a sequence have 1 to 200 characters", () => {
  const [longest, longer] = ["x".repeat(200), "x".repeat(201)];
  const ids = [longest, longer].map((id) =>
    outcome(() => readProducer(new Headers({ ...producer, "producer-id": id }))),
  );
  expect(ids).toEqual([{ id: longest, epoch: 1, seq: 2 }, "request.invalid"]);
  const seqs = [longest, longer, "", "1"].map((seq) => outcome(() => readSeq(new Headers({ "stream-seq": seq }))));
  expect(seqs).toEqual([longest, "request.invalid", "request.invalid", "1"]);
  expect(readSeq(new Headers())).toBeUndefined();
});

test.each([
  [{}, undefined],
  [{ "stream-fork-offset": "-1" }, "request.invalid"],
  [{ "stream-fork-sub-offset": "1" }, "request.invalid"],
  [{ "stream-forked-from": "a" }, { from: "a", sub: 0 }],
  [
    { "stream-forked-from": "a", "stream-fork-sub-offset": "3" },
    { from: "a", sub: 3 },
  ],
  [{ "stream-forked-from": "a", "stream-fork-sub-offset": "x" }, "request.invalid"],
  [
    { "stream-forked-from": "a", "stream-fork-offset": "-1" },
    { from: "a", offset: 0, sub: 0 },
  ],
  [
    { "stream-forked-from": "a", "stream-fork-offset": offsetOf(4) },
    { from: "a", offset: 4, sub: 0 },
  ],
  [{ "stream-forked-from": "a", "stream-fork-offset": offsetOf(4, "cd34".repeat(4)) }, "stream.behind"],
  [{ "stream-forked-from": "a", "stream-fork-offset": "now" }, "request.invalid"],
] as readonly (readonly [Fields, unknown])[])("the fork %j is %j", (headers, fork) => {
  expect(outcome(() => readFork(new Headers(headers), EPOCH))).toEqual(fork);
});

test("a position says whether it is the end, and whether the stream is closed", () => {
  expect(Object.keys(positionHeaders(1, EPOCH))).toEqual(["stream-next-offset"]);
  expect(positionHeaders(1, EPOCH, { isUpToDate: true })).toMatchObject({ "stream-up-to-date": "true" });
  expect(positionHeaders(1, EPOCH, { isUpToDate: true })).not.toHaveProperty("stream-closed");
  expect(positionHeaders(1, EPOCH, { isClosed: true })).toMatchObject({ "stream-closed": "true" });
});

test("a lifespan is shown as it was given", () => {
  expect(lifespanHeaders({})).toEqual({});
  expect(lifespanHeaders({ ttlSeconds: 5 })).toEqual({ "stream-ttl": "5" });
  expect(lifespanHeaders({ expiresAt: 0 })).toEqual({ "stream-expires-at": "1970-01-01T00:00:00.000Z" });
});

test("a cursor names the present interval, and skips the one that the caller has", () => {
  const start = Date.UTC(2024, 9, 9);
  const world = {
    clock: { ...createFakeWorld({ hash: createBunWorld().hash }).clock, now: () => start + 5 * 20_000 + 19_999 },
    random: (count: number) => new Uint8Array(count).fill(181),
  };
  expect([null, "4", "x", "05"].map((had) => cursorAfter(had, world))).toEqual(["5", "5", "5", "5"]);
  expect(["5", "9"].map((had) => cursorAfter(had, world))).toEqual(["7", "11"]);
});
