/** The contract of `ByteStreams` as tests. */
import { plainRow } from "../../../fixtures/rows.ts";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { HearthError, HouseId, isHearthError } from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
import { createFakeWorld, type FakeWorld } from "@hearth/protocol/world-fake";
import type { Store } from "../../store/store.ts";
import { MAX_BYTE_STREAMS, MAX_FORK_DEPTH, MAX_PRODUCERS, type Address, type ByteStreams } from "./byte-streams.ts";
import { at, bytesOf, content, HOME, json, OWNER, plain, textOf, wholeOf } from "./fixtures.conformance.ts";

export interface ByteStreamsHarness extends AsyncDisposable {
  readonly store: Store;
  /** Blobs that it released. */
  readonly released: readonly string[];
  /** Opens the streams as after a restart, from the store alone. */
  open(world: FakeWorld, over?: Store): ByteStreams;
}

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const OTHER_HOUSE = HouseId.parse("house_00000000000000000000000002");

/** Lets a store on disk work, which no fake clock covers. */
const turns = async (): Promise<void> => {
  for (let count = 0; count < 20; count += 1) await new Promise((resolve) => setImmediate(resolve));
};

export const byteStreamsConformance = (name: string, start: () => Promise<ByteStreamsHarness>): void => {
  describe(`byte streams: ${name}`, () => {
    let harness: ByteStreamsHarness;
    let world: FakeWorld;
    let streams: ByteStreams;
    let stop: AbortController;
    beforeEach(async () => {
      harness = await start();
      world = createFakeWorld({ hash });
      streams = harness.open(world);
      stop = new AbortController();
    });
    afterEach(async () => {
      stop.abort();
      await harness[Symbol.asyncDispose]();
    });

    const make = async (address: Address, text = "", options: object = {}) => {
      const result = await streams.create(address, { ...plain(text), ...options });
      if (result.kind !== "created") throw new Error(`it is ${result.kind}`);
      return result.info;
    };
    const rows = async (): Promise<number> => {
      const [streamRows, producers, events, heads] = await Promise.all([
        harness.store.select({ table: "byte_streams" }),
        harness.store.select({ table: "byte_producers" }),
        harness.store.select({ table: "events" }),
        harness.store.select({ table: "heads" }),
      ]);
      return streamRows.length + producers.length + events.length + heads.length;
    };

    describe("a stream", () => {
      test("has the appended chunks, with dense offsets from 1", async () => {
        const info = await make(at("a"), "one");
        expect(info).toMatchObject({ tail: 1, isClosed: false, owner: OWNER, contentType: "text/plain" });
        await streams.append(at("a"), content("two"));
        const binary = Uint8Array.of(0, 255, 254, 10);
        expect(await streams.append(at("a"), { ...content(""), bytes: binary })).toMatchObject({
          kind: "appended",
          isNew: true,
          info: { tail: 3 },
        });
        const chunks = await streams.read(info.id, 0);
        expect(chunks.map(({ offset }) => offset)).toEqual([1, 2, 3]);
        expect(chunks[2]?.bytes).toEqual(binary);
        expect((await streams.read(info.id, 1)).map(({ offset }) => offset)).toEqual([2, 3]);
        expect(await streams.read(info.id, 3)).toEqual([]);
      });

      test("keeps every byte: a byte order mark, half a character, more than a row holds", async () => {
        const { id } = await make(at("a"));
        const wanted = [
          Uint8Array.of(0xef, 0xbb, 0xbf, 65),
          Uint8Array.of(0xe6, 0xb0),
          Uint8Array.from({ length: 100_000 }, (_, index) => index % 256),
        ];
        for (const bytes of wanted) await streams.append(at("a"), { ...content(""), bytes });
        expect((await streams.read(id, 0)).map(({ bytes }) => bytes)).toEqual(wanted);
      });

      test("of JSON has a message per element, with its original text", async () => {
        const result = await streams.create(at("a"), json(`[ {"n": 1.10}, [2, "],"], "\\"[", 12345678901234567890 ]`));
        if (result.kind !== "created") throw new Error(result.kind);
        await streams.append(at("a"), { ...content(` [[3]] `), contentType: "Application/JSON; charset=utf-8" });
        await streams.append(at("a"), { ...content("4"), contentType: "application/json" });
        expect((await streams.read(result.info.id, 0)).map(({ bytes }) => textOf(bytes))).toEqual([
          `{"n": 1.10}`,
          `[2, "],"]`,
          `"\\"["`,
          "12345678901234567890",
          "[3]",
          "4",
        ]);
        for (const bad of ["", "[]", "{", "[1,]", "nul", "\u00e9"]) {
          const error = await streams
            .append(at("a"), { ...content(bad), contentType: "application/json" })
            .catch((thrown: unknown) => thrown);
          expect(isHearthError(error, "request.invalid")).toBe(true);
        }
        expect(await streams.find(at("a"))).toMatchObject({ tail: 6 });
      });

      test("is created once: an equal request is known, any other differs", async () => {
        const wanted = { ...plain("x"), ttlSeconds: 60 };
        expect((await streams.create(at("a"), wanted)).kind).toBe("created");
        expect(await streams.create(at("a"), { ...wanted, content: bytesOf("y") })).toMatchObject({
          kind: "known",
          info: { tail: 1 },
        });
        const others = [
          { ...wanted, contentType: "text/html" },
          { ...wanted, ttlSeconds: 61 },
          { ...plain("x"), expiresAt: 5_000_000_000_000 },
          { ...wanted, isClosed: true },
          { ...wanted, fork: { path: "b", sub: 0 } },
          { ...wanted, fork: { path: "none", sub: 0 } },
          { ...plain("x"), ttlSeconds: 60, expiresAt: 5_000_000_000_000 },
          plain("x"),
        ];
        await make(at("b"));
        for (const other of others) expect((await streams.create(at("a"), other)).kind).toBe("differs");
        expect((await streams.create(at("a"), { ...wanted, contentType: "TEXT/plain;charset=utf-8" })).kind).toBe(
          "known",
        );
      });

      test("is compared with a request by its end and by whether it is closed", async () => {
        const ends = { ...plain(""), expiresAt: 5_000_000_000_000 };
        const closed = { ...plain("x"), isClosed: true };
        await streams.create(at("ends"), ends);
        await streams.create(at("closed"), closed);
        expect((await streams.create(at("ends"), ends)).kind).toBe("known");
        expect((await streams.create(at("ends"), { ...ends, expiresAt: 5_000_000_000_001 })).kind).toBe("differs");
        expect((await streams.create(at("closed"), closed)).kind).toBe("known");
        expect((await streams.create(at("closed"), plain("x"))).kind).toBe("differs");
      });

      test("is visible only in its house", async () => {
        await make(at("a"), "here");
        const there = { house: OTHER_HOUSE, path: "a" };
        expect(await streams.find(there)).toBe("absent");
        expect(await streams.list(OTHER_HOUSE)).toEqual([]);
        expect(await streams.append(there, content("x"))).toEqual({ kind: "absent" });
        expect(await streams.remove(there)).toBe("absent");
        expect((await streams.create(there, { ...plain(""), fork: { path: "b", sub: 0 } })).kind).toBe("no-source");
        await make(there, "there");
        expect([await wholeOf(streams, at("a")), await wholeOf(streams, there)]).toEqual(["here", "there"]);
      });

      test("accepts only content of its type, and no empty content", async () => {
        await make(at("a"));
        expect(await streams.append(at("a"), { ...content("x"), contentType: "text/html" })).toEqual({
          kind: "type-differs",
        });
        const error = await streams.append(at("a"), content("")).catch((thrown: unknown) => thrown);
        expect(isHearthError(error, "request.invalid")).toBe(true);
      });

      test("that is closed accepts nothing, and answers the same each time", async () => {
        await make(at("a"), "x");
        expect(await streams.append(at("a"), { ...content("y"), closes: true })).toMatchObject({
          kind: "appended",
          info: { tail: 2, isClosed: true },
        });
        expect(await streams.append(at("a"), content("z"))).toMatchObject({ kind: "closed", info: { tail: 2 } });
        expect(await streams.append(at("a"), { ...content("z"), closes: true })).toMatchObject({ kind: "closed" });
        expect(await streams.append(at("a"), { ...content(""), closes: true })).toMatchObject({
          kind: "appended",
          isNew: false,
        });
        expect(await wholeOf(streams, at("a"))).toBe("xy");
      });

      test("accepts only a greater Stream-Seq, compared by code unit", async () => {
        await make(at("a"));
        const kinds = [];
        for (const seq of ["09", "10", "2", "10", "Z", "a", "B"])
          kinds.push((await streams.append(at("a"), { ...content(seq), seq })).kind);
        expect(kinds).toEqual([
          ...["appended", "appended", "appended", "seq-behind", "appended", "appended", "seq-behind"],
        ] as never);
      });

      test("accepts one of several concurrent appends with the same Stream-Seq", async () => {
        await make(at("a"));
        const results = await Promise.all(
          Array.from({ length: 10 }, () => streams.append(at("a"), { ...content("x"), seq: "1" })),
        );
        expect(results.filter(({ kind }) => kind === "appended")).toHaveLength(1);
        expect(await wholeOf(streams, at("a"))).toBe("x");
      });
    });

    describe("a producer", () => {
      const append = (id: string, epoch: number, seq: number, text = `${id}${epoch}${seq}`) =>
        streams.append(at("a"), { ...content(text), producer: { id, epoch, seq } });

      test("applies each of its appends once, whatever the content", async () => {
        await make(at("a"));
        expect(await append("p", 0, 0)).toMatchObject({ kind: "appended", isNew: true, info: { tail: 1 } });
        expect(await append("p", 0, 1)).toMatchObject({ kind: "appended", isNew: true });
        expect(await append("p", 0, 0, "other")).toMatchObject({
          kind: "appended",
          isNew: false,
          producer: { epoch: 0, seq: 1 },
          info: { tail: 2 },
        });
        expect(await append("q", 0, 0)).toMatchObject({ isNew: true });
        expect(await wholeOf(streams, at("a"))).toBe("p00p01q00");
      });

      test("that skips a number gets the missing one, and a new epoch starts with 0", async () => {
        await make(at("a"));
        expect(await append("p", 0, 3)).toEqual({ kind: "gap", expected: 0, received: 3 });
        await append("p", 0, 0);
        expect(await append("p", 0, 2)).toEqual({ kind: "gap", expected: 1, received: 2 });
        expect(await append("p", 1, 1)).toEqual({ kind: "late-start" });
        await append("p", 2, 0);
        expect(await append("p", 1, 0)).toEqual({ kind: "fenced", epoch: 2 });
      });

      test("can close the stream, and a repetition gets the same answer", async () => {
        await make(at("a"));
        const last = { ...content("end"), producer: { id: "p", epoch: 0, seq: 0 }, closes: true };
        expect(await streams.append(at("a"), last)).toMatchObject({ isNew: true, info: { isClosed: true } });
        expect(await streams.append(at("a"), last)).toMatchObject({ isNew: false, info: { isClosed: true } });
        expect(await append("p", 0, 1)).toMatchObject({ kind: "closed" });
        expect(await append("q", 0, 0)).toMatchObject({ kind: "closed" });
      });

      test("with many concurrent appends has them applied in order, each once", async () => {
        await make(at("a"));
        const all = Array.from({ length: 20 }, (_, seq) => append("p", 0, seq, `${seq},`));
        const again = Array.from({ length: 20 }, (_, seq) => append("p", 0, seq, "again"));
        const results = await Promise.all([...all, ...again]);
        expect(results.filter((result) => result.kind === "appended" && result.isNew)).toHaveLength(20);
        expect(await wholeOf(streams, at("a"))).toBe(Array.from({ length: 20 }, (_, seq) => `${seq},`).join(""));
      });

      test("too many of one stream are refused", async () => {
        const { id } = await make(at("a"));
        await harness.store.commit({
          writes: Array.from({ length: MAX_PRODUCERS - 1 }, (_, index) => ({
            kind: "insert",
            table: "byte_producers",
            row: { stream: id, producer: `other-${index}`, epoch: 0, seq: 0 },
          })),
        });
        expect(await append("last", 0, 0)).toMatchObject({ kind: "appended" });
        expect(await append("more", 0, 0)).toEqual({ kind: "too-many-producers" });
        expect(await append("last", 0, 1)).toMatchObject({ kind: "appended" });
      });
    });

    describe("a fork", () => {
      const fork = (path: string, from: string, offset?: number, sub = 0, text = "") =>
        streams.create(at(path), {
          ...plain(text),
          fork: { path: from, sub, ...(offset === undefined ? {} : { offset }) },
        });

      test("starts with its source's content and continues alone, in the same offsets", async () => {
        await make(at("a"), "one ");
        await streams.append(at("a"), content("two "));
        expect(await fork("b", "a", 1, 0, "B ")).toMatchObject({ kind: "created", info: { tail: 2 } });
        expect(await fork("c", "a")).toMatchObject({ kind: "created", info: { tail: 2 } });
        await streams.append(at("a"), content("three "));
        await streams.append(at("b"), content("more "));
        expect(await wholeOf(streams, at("a"))).toBe("one two three ");
        expect(await wholeOf(streams, at("b"))).toBe("one B more ");
        expect(await wholeOf(streams, at("c"))).toBe("one two ");
      });

      test("can include a part of a chunk, or some messages", async () => {
        await make(at("a"), "hello");
        expect((await fork("b", "a", 0, 3)).kind).toBe("created");
        expect(await wholeOf(streams, at("b"))).toBe("hel");
        expect((await fork("c", "b", 0, 2, "!")).kind).toBe("created");
        expect(await wholeOf(streams, at("c"))).toBe("he!");
        expect((await fork("d", "a", 0, 5)).kind).toBe("created");
        expect(await wholeOf(streams, at("d"))).toBe("hello");
        expect((await fork("e", "a", 0, 6)).kind).toBe("no-such-point");
        await streams.create(at("j"), json("[1,2,3]"));
        const two = await streams.create(at("k"), { ...json(""), fork: { path: "j", offset: 0, sub: 2 } });
        expect(two).toMatchObject({ kind: "created", info: { tail: 2 } });
        const four = await streams.create(at("l"), { ...json(""), fork: { path: "j", offset: 0, sub: 4 } });
        expect(four.kind).toBe("no-such-point");
      });

      test("is identified by its point, and needs an existing source of its type", async () => {
        await make(at("a"), "x");
        await streams.append(at("a"), content("y"));
        await fork("b", "a", 1);
        await streams.append(at("a"), content("z"));
        expect([(await fork("b", "a", 1)).kind, (await fork("b", "a")).kind]).toEqual(["known", "known"]);
        expect([(await fork("b", "a", 2)).kind, (await fork("b", "a", 1, 1)).kind]).toEqual(["differs", "differs"]);
        expect((await fork("c", "a", 4)).kind).toBe("no-such-point");
        expect((await fork("c", "none")).kind).toBe("no-source");
        const typed = { ...json(""), fork: { path: "a", sub: 0 } };
        expect((await streams.create(at("c"), typed)).kind).toBe("unfit-source");
        expect(await streams.remove(at("b"))).toBe("removed");
        expect(await streams.remove(at("a"))).toBe("removed");
        expect(await rows()).toBe(0);
      });

      test("of a closed stream is open, and knows none of its producers", async () => {
        await make(at("a"));
        const last = { ...content("x"), producer: { id: "p", epoch: 0, seq: 0 } };
        await streams.append(at("a"), { ...last, closes: true });
        expect(await fork("b", "a")).toMatchObject({ kind: "created", info: { isClosed: false } });
        expect(await streams.append(at("b"), last)).toMatchObject({ isNew: true });
        expect(await wholeOf(streams, at("b"))).toBe("xx");
      });

      test("keeps its removed source's content until it is removed itself", async () => {
        await make(at("a"), "a");
        await fork("b", "a", undefined, 0, "b");
        await fork("c", "b", undefined, 0, "c");
        expect([await streams.remove(at("a")), await streams.remove(at("b"))]).toEqual(["removed", "removed"]);
        expect([await streams.find(at("a")), await streams.find(at("b"))]).toEqual(["gone", "gone"]);
        expect([await streams.remove(at("a")), await streams.append(at("a"), content("x"))]).toEqual([
          "gone",
          { kind: "gone" },
        ]);
        expect((await streams.create(at("a"), plain(""))).kind).toBe("differs");
        expect((await fork("d", "a")).kind).toBe("unfit-source");
        expect(await wholeOf(streams, at("c"))).toBe("abc");
        expect((await streams.list(HOME)).map(({ path }) => path)).toEqual(["c"]);
        expect(await streams.remove(at("c"))).toBe("removed");
        expect(await streams.find(at("a"))).toBe("absent");
        expect(await rows()).toBe(0);
      });

      test("releases long chunks of itself and its source with the last of them", async () => {
        await make(at("a"));
        const long = new Uint8Array(100_000);
        await streams.append(at("a"), { ...content(""), bytes: long });
        await fork("b", "a");
        await streams.append(at("b"), { ...content(""), bytes: long.fill(7) });
        const blobs = (await harness.store.select({ table: "events" })).flatMap(({ blob }) => blob ?? []);
        expect(blobs).toHaveLength(2);
        await streams.remove(at("a"));
        expect(harness.released).toEqual([]);
        await streams.remove(at("b"));
        expect(harness.released.toSorted()).toEqual(blobs.toSorted());
      });

      test("keeps its hidden source's content for the other forks", async () => {
        await make(at("a"), "a");
        for (const path of ["b", "c"]) await fork(path, "a", undefined, 0, path);
        expect([await streams.remove(at("a")), await streams.remove(at("b"))]).toEqual(["removed", "removed"]);
        expect([await streams.find(at("a")), await streams.find(at("b"))]).toEqual(["gone", "absent"]);
        expect(await wholeOf(streams, at("c"))).toBe("ac");
        expect(await streams.remove(at("c"))).toBe("removed");
        expect([await streams.find(at("a")), await rows()]).toEqual(["absent", 0]);
      });

      test("takes its hidden source with it when the last forks are removed at the same time", async () => {
        const names = ["b", "c", "d"];
        await make(at("a"), "a");
        for (const path of names) await fork(path, "a", undefined, 0, path);
        await streams.remove(at("a"));
        const removed = await Promise.all(names.map((path) => streams.remove(at(path))));
        expect(removed).toEqual(["removed", "removed", "removed"]);
        expect(await rows()).toBe(0);
      });

      test("leaves its source when it is removed first", async () => {
        await make(at("a"), "a");
        await fork("b", "a", undefined, 0, "b");
        expect(await streams.remove(at("b"))).toBe("removed");
        expect(await wholeOf(streams, at("a"))).toBe("a");
        expect(await streams.remove(at("a"))).toBe("removed");
        expect(await rows()).toBe(0);
      });

      test("of forks has a maximum depth", async () => {
        await make(at("0"), "x");
        for (let depth = 1; depth < MAX_FORK_DEPTH; depth += 1)
          expect((await fork(`${depth}`, `${depth - 1}`)).kind).toBe("created");
        expect((await fork("last", `${MAX_FORK_DEPTH - 1}`)).kind).toBe("created");
        expect((await fork("more", "last")).kind).toBe("no-such-point");
        expect(await wholeOf(streams, at("last"))).toBe("x");
      });
    });

    test("a removed stream releases all of its long chunks", async () => {
      await make(at("a"));
      const long = (index: number): Uint8Array => new Uint8Array(20_000).fill(index);
      for (let index = 0; index < 101; index += 1) {
        await streams.append(at("a"), { ...content(""), bytes: long(index) });
        // Short chunks have no blob.
        if (index % 50 === 0) await streams.append(at("a"), content("short"));
      }
      await streams.remove(at("a"));
      expect(new Set(harness.released).size).toBe(101);
    });

    describe("a reader at the end", () => {
      const settled = async (waiting: Promise<unknown>): Promise<boolean> => {
        let isDone = false;
        void waiting.then(() => (isDone = true));
        await world.clock.turn();
        return isDone;
      };

      test("waits for new chunks, also for the last one", async () => {
        const { id } = await make(at("a"), "x");
        const waiting = streams.next(id, 1, stop.signal);
        expect(await settled(waiting)).toBe(false);
        await streams.append(at("a"), { ...content("y"), closes: true });
        expect((await waiting).map(({ offset, bytes }) => [offset, textOf(bytes)])).toEqual([[2, "y"]]);
        expect(await streams.next(id, 2, stop.signal)).toEqual([]);
      });

      test.each(["closed", "removed", "hidden", "aborted"] as const)(
        "is released when the stream is %s",
        async (endKind) => {
          const { id } = await make(at("a"), "x");
          if (endKind === "hidden") await streams.create(at("fork"), { ...plain(""), fork: { path: "a", sub: 0 } });
          const waiting = streams.next(id, 1, stop.signal);
          expect(await settled(waiting)).toBe(false);
          if (endKind === "closed") await streams.append(at("a"), { ...content(""), closes: true });
          else if (endKind === "aborted") stop.abort();
          else await streams.remove(at("a"));
          expect(await waiting).toEqual([]);
        },
      );

      test("of a fork waits only for the fork, and gets its source's content at once", async () => {
        await make(at("a"), "x");
        await streams.create(at("b"), { ...plain(""), fork: { path: "a", sub: 0 } });
        const info = await streams.find(at("b"));
        if (typeof info !== "object") throw new Error(info);
        expect(await streams.next(info.id, 0, stop.signal)).toHaveLength(1);
        const waiting = streams.next(info.id, 1, stop.signal);
        await streams.append(at("a"), content("not for it"));
        expect(await settled(waiting)).toBe(false);
        await streams.append(at("b"), content("y"));
        expect((await waiting).map(({ offset, bytes }) => [offset, textOf(bytes)])).toEqual([[2, "y"]]);
      });

      test("of many messages gets them in pages of about a thousand", async () => {
        const messages = JSON.stringify(Array.from({ length: 2500 }, (_, index) => index));
        await streams.create(at("j"), json(messages));
        const info = await streams.find(at("j"));
        if (typeof info !== "object") throw new Error(info);
        const sizes: number[] = [];
        for (let last = 0; last < 2500;) {
          const page = await streams.read(info.id, last);
          expect(page.map(({ offset }) => offset)).toEqual(page.map((_, index) => last + index + 1));
          sizes.push(page.length);
          last += page.length;
        }
        expect(sizes.length).toBe(3);
        for (const size of sizes.slice(0, 2)) expect([size >= 1000, size < 1016]).toEqual([true, true]);
      });

      test("of a long stream gets it in pages", async () => {
        const { id } = await make(at("a"));
        const big = new Uint8Array(300_000);
        for (let index = 0; index < 8; index += 1) await streams.append(at("a"), { ...content(""), bytes: big });
        const first = await streams.read(id, 0);
        expect(first.length).toBeLessThan(8);
        expect((await streams.read(id, first.length)).length).toBe(8 - first.length);
      });
    });

    describe("time", () => {
      const second = 1000;

      test("removes an unused stream, and none that is read or written", async () => {
        const info = await make(at("read"), "x", { ttlSeconds: 100 });
        await make(at("written"), "x", { ttlSeconds: 100 });
        await make(at("idle"), "x", { ttlSeconds: 100 });
        await make(at("closed"), "x", { ttlSeconds: 100 });
        for (let round = 0; round < 3; round += 1) {
          await world.advance(60 * second);
          await streams.touch(info);
          await streams.append(at("written"), content("y"));
          await streams.append(at("closed"), { ...content(""), closes: true });
          if (round === 0) expect(await streams.find(at("idle"))).toMatchObject({ tail: 1 });
        }
        expect(await streams.find(at("idle"))).toBe("absent");
        expect(await streams.find(at("read"))).toMatchObject({ ttlSeconds: 100 });
        expect(await streams.find(at("written"))).toMatchObject({ tail: 4 });
        await world.advance(99 * second);
        expect(await streams.find(at("read"))).toMatchObject({ ttlSeconds: 100 });
        await world.advance(20 * second);
        expect(await streams.find(at("read"))).toBe("absent");
      });

      test("removes a stream at its instant, also if it is in use, and frees its path", async () => {
        const expiresAt = world.clock.now() + 100 * second;
        const info = await make(at("a"), "x", { expiresAt });
        await world.advance(99 * second);
        await streams.touch(info);
        await streams.append(at("a"), content("y"));
        await world.advance(second);
        expect(await streams.append(at("a"), content("z"))).toEqual({ kind: "absent" });
        expect(await rows()).toBe(0);
        await make(at("a"), "new");
        expect(await wholeOf(streams, at("a"))).toBe("new");
      });

      test("is a fork's own, or its source's", async () => {
        await make(at("a"), "x", { ttlSeconds: 100 });
        const forked = { ...plain(""), fork: { path: "a", sub: 0 } };
        expect(await streams.create(at("b"), forked)).toMatchObject({ info: { ttlSeconds: 100 } });
        expect(await streams.create(at("c"), { ...forked, ttlSeconds: 500 })).toMatchObject({
          info: { ttlSeconds: 500 },
        });
        const timed = await streams.create(at("d"), { ...forked, expiresAt: 5_000_000_000_000 });
        if (timed.kind !== "created") throw new Error(`it is ${timed.kind}`);
        expect([timed.info.ttlSeconds, timed.info.expiresAt]).toEqual([undefined, 5_000_000_000_000]);
        expect(await streams.remove(at("d"))).toBe("removed");
        expect((await streams.create(at("b"), forked)).kind).toBe("known");
        expect((await streams.create(at("b"), { ...forked, ttlSeconds: 100 })).kind).toBe("known");
        expect((await streams.create(at("b"), { ...forked, ttlSeconds: 101 })).kind).toBe("differs");
        expect((await streams.create(at("b"), { ...forked, expiresAt: 5_000_000_000_000 })).kind).toBe("differs");
        await world.advance(200 * second);
        expect([await streams.find(at("a")), await streams.find(at("b"))]).toEqual(["gone", "absent"]);
        expect(await wholeOf(streams, at("c"))).toBe("x");
        await world.advance(500 * second);
        expect([await streams.find(at("c")), await streams.find(at("a"))]).toEqual(["absent", "absent"]);
        expect(await rows()).toBe(0);
      });

      test("is enforced without requests", async () => {
        const running = streams.run(stop.signal);
        await make(at("a"), "x", { ttlSeconds: 10 });
        await make(at("b"), "x");
        await turns();
        await world.advance(20 * second);
        await turns();
        const remainingRows = await harness.store.select({ table: "byte_streams" });
        expect(remainingRows.map(({ path }) => path)).toEqual(["b"]);
        stop.abort();
        await running;
      });
    });

    test("many streams that expire at once are all removed", async () => {
      for (let index = 0; index < 101; index += 1) await make(at(`s${index}`), "x", { ttlSeconds: 10 });
      await world.advance(11_000);
      const running = streams.run(stop.signal);
      await until(async () => (await rows()) === 0);
      stop.abort();
      await running;
    });

    test("expired streams are removed after the store works again, and no longer once the house closes", async () => {
      await make(at("a"), "x", { ttlSeconds: 10 });
      let failure: Error | undefined = new Error("disk failure");
      const failing: Store = {
        ...harness.store,
        select: (query) => (failure === undefined ? harness.store.select(query) : Promise.reject(failure)),
      };
      const ownStreams = harness.open(world, failing);
      const running = ownStreams.run(stop.signal);
      await world.advance(20_000);
      await turns();
      expect((await harness.store.select({ table: "byte_streams" })).length).toBe(1);
      failure = undefined;
      await until(async () => {
        await world.advance(60_000);
        return (await rows()) === 0;
      });
      await ownStreams.create(at("b"), { ...plain("x"), ttlSeconds: 10 });
      failure = new HearthError("house.closing", "The house closes.");
      let isOver = false;
      void running.then(() => (isOver = true));
      // Ends without an abort.
      await until(async () => {
        await world.advance(10_000);
        return isOver;
      });
    });

    test("a house has a maximum number of streams, and room again when some are removed", async () => {
      const { id } = await make(at("first"));
      const [row] = await harness.store.select({ table: "byte_streams", where: { id } });
      if (row === undefined) throw new Error("it is not there");
      await harness.store.commit({
        writes: Array.from({ length: MAX_BYTE_STREAMS - 1 }, (_, index) => ({
          kind: "insert",
          table: "byte_streams",
          row: plainRow("byte_streams", { ...row, id: `other-${index}`, path: `other/${index}` }),
        })),
      });
      streams = harness.open(world);
      expect((await streams.create(at("more"), plain(""))).kind).toBe("full");
      expect((await streams.create({ house: OTHER_HOUSE, path: "more" }, plain(""))).kind).toBe("created");
      await streams.remove(at("first"));
      expect((await streams.create(at("more"), plain(""))).kind).toBe("created");
      expect((await streams.create(at("too-many"), plain(""))).kind).toBe("full");
    });

    test("everything is there after a restart", async () => {
      const producer = { id: "p", epoch: 3, seq: 0 };
      await make(at("a"), "x", { ttlSeconds: 60 });
      await streams.append(at("a"), { ...content("y"), seq: "5", producer });
      await streams.append(at("a"), { ...content(""), closes: true });
      await streams.create(at("b"), { ...plain("z"), fork: { path: "a", offset: 1, sub: 0 } });
      streams = harness.open(world);
      expect(await streams.find(at("a"))).toMatchObject({ tail: 2, isClosed: true, ttlSeconds: 60, owner: OWNER });
      expect(await streams.append(at("a"), { ...content("y"), producer })).toMatchObject({ isNew: false });
      expect(await wholeOf(streams, at("b"))).toBe("xz");
      expect((await streams.addressOf((await make(at("c"))).id))?.path).toBe("c");
    });
  });
};
