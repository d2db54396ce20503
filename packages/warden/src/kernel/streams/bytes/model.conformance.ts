/**
 * The reference model of byte streams, and a property test against it, across restarts and crashes.
 */
import { describe, expect, test } from "bun:test";
import { createFakeWorld, type FakeWorld } from "@hearth/protocol/world-fake";
import fc from "fast-check";
import { createCrashingStore } from "../../../fixtures/crashing-store.ts";
import type { Store } from "../../store/store.ts";
import type { ByteStreams } from "./byte-streams.ts";
import { at, content, OWNER, plain, wholeOf } from "./fixtures.conformance.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");

const PATHS = ["a", "b", "c", "d"] as const;

type Step =
  | { readonly do: "create"; readonly path: string; readonly text: string; readonly isClosed: boolean }
  | { readonly do: "fork"; readonly path: string; readonly from: string; readonly back: number; readonly sub: number }
  | {
      readonly do: "append";
      readonly path: string;
      readonly text: string;
      readonly closes: boolean;
      readonly seq: string | undefined;
      readonly producer: { readonly id: string; readonly epoch: number; readonly seq: number } | undefined;
    }
  | { readonly do: "remove"; readonly path: string }
  | { readonly do: "restart" };

const path = fc.constantFrom(...PATHS);
const text = fc.constantFrom("", "x", "yz", "long ");
const small = fc.nat({ max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("create" as const), path, text, isClosed: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("fork" as const), path, from: path, back: small, sub: small }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("append" as const),
      path,
      text,
      closes: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0),
      seq: fc.option(fc.constantFrom("1", "2", "3"), { nil: undefined, freq: 3 }),
      producer: fc.option(fc.record({ id: fc.constantFrom("p", "q"), epoch: small, seq: small }), { nil: undefined }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("remove" as const), path }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const) }) },
);

interface ModelStream {
  chunks: readonly string[];
  isClosed: boolean;
  isGone: boolean;
  seq: string;
  producers: ReadonlyMap<string, { readonly epoch: number; readonly seq: number }>;
  readonly source: ModelStream | undefined;
  readonly point: string;
}
type Model = Map<string, ModelStream>;

const copyOf = (model: Model): Model => {
  const copies = new Map<ModelStream, ModelStream>();
  const copy = (stream: ModelStream): ModelStream => {
    const existingCopy = copies.get(stream);
    if (existingCopy !== undefined) return existingCopy;
    const streamCopy = { ...stream, source: stream.source === undefined ? undefined : copy(stream.source) };
    copies.set(stream, streamCopy);
    return streamCopy;
  };
  return new Map([...model].map(([name, stream]) => [name, copy(stream)]));
};

/** Applies the step to the model and returns the expected result. */
const apply = (model: Model, operation: Exclude<Step, { do: "restart" }>): string => {
  const stream = model.get(operation.path);
  const newStreamFields = { isClosed: false, isGone: false, seq: "", producers: new Map() };
  switch (operation.do) {
    case "create":
      if (stream !== undefined) {
        const isSame = !stream.isGone && stream.source === undefined && stream.isClosed === operation.isClosed;
        return isSame ? "known" : "differs";
      }
      model.set(operation.path, {
        ...newStreamFields,
        chunks: operation.text === "" ? [] : [operation.text],
        isClosed: operation.isClosed,
        source: undefined,
        point: "",
      });
      return "created";
    case "fork": {
      const source = model.get(operation.from);
      // `perform` cannot read the end of a removed stream, and uses its beginning.
      const tail = source === undefined || source.isGone ? 0 : source.chunks.length;
      const offset = Math.max(0, tail - operation.back);
      const point = `${offset}.${operation.sub}`;
      if (stream !== undefined) {
        const isSame = !stream.isGone && !stream.isClosed && stream.source === source && stream.point === point;
        return source !== undefined && isSame ? "known" : "differs";
      }
      if (source === undefined) return "no-source";
      if (source.isGone) return "unfit-source";
      const cut = source.chunks[offset]?.slice(0, operation.sub) ?? "";
      if (cut.length < operation.sub) return "no-such-point";
      const chunks = [...source.chunks.slice(0, offset), ...(cut === "" ? [] : [cut])];
      model.set(operation.path, { ...newStreamFields, chunks, source, point });
      return "created";
    }
    case "append":
      return stream === undefined ? "absent" : appendTo(stream, operation);
    case "remove":
      if (stream === undefined) return "absent";
      if (stream.isGone) return "gone";
      stream.isGone = true;
      stream.producers = new Map();
      for (let hasRemoved = true; hasRemoved;) {
        hasRemoved = false;
        for (const [name, stream] of model) {
          const hasFork = [...model.values()].some(({ source }) => source === stream);
          if (stream.isGone && !hasFork) hasRemoved = model.delete(name);
        }
      }
      return "removed";
  }
};

const appendTo = (
  stream: ModelStream,
  { text: appendedText, closes, seq, producer }: Extract<Step, { do: "append" }>,
): string => {
  if (stream.isGone) return "gone";
  if (appendedText === "" && !closes) return "refused";
  const lastAppend = producer === undefined ? undefined : stream.producers.get(producer.id);
  const isKnown = lastAppend !== undefined && producer?.epoch === lastAppend.epoch && producer.seq <= lastAppend.seq;
  const isFenced = lastAppend !== undefined && producer !== undefined && producer.epoch < lastAppend.epoch;
  if (stream.isClosed && !isKnown && !isFenced)
    return appendedText === "" && producer === undefined ? "appended again" : "closed";
  if (isKnown) return "appended again";
  if (isFenced) return "fenced";
  if (producer !== undefined) {
    const isSameEpoch = lastAppend?.epoch === producer.epoch;
    const expected = isSameEpoch ? lastAppend.seq + 1 : 0;
    if (producer.seq !== expected) return lastAppend === undefined || isSameEpoch ? "gap" : "late-start";
  }
  if (seq !== undefined && seq <= stream.seq) return "seq-behind";
  if (appendedText !== "") stream.chunks = [...stream.chunks, appendedText];
  if (seq !== undefined) stream.seq = seq;
  if (producer !== undefined) stream.producers = new Map(stream.producers).set(producer.id, producer);
  if (closes) stream.isClosed = true;
  return "appended";
};

const perform = async (streams: ByteStreams, operation: Exclude<Step, { do: "restart" }>): Promise<string> => {
  const address = at(operation.path);
  switch (operation.do) {
    case "create":
      return (await streams.create(address, { ...plain(operation.text), isClosed: operation.isClosed })).kind;
    case "fork": {
      const source = await streams.find(at(operation.from));
      const tail = typeof source === "object" ? source.tail : 0;
      const fork = { path: operation.from, offset: Math.max(0, tail - operation.back), sub: operation.sub };
      return (await streams.create(address, { owner: OWNER, isClosed: false, content: new Uint8Array(), fork })).kind;
    }
    case "append": {
      const { text: appendedText, closes, seq, producer } = operation;
      const appendRequest = {
        ...content(appendedText),
        closes,
        ...(seq === undefined ? {} : { seq }),
        ...(producer === undefined ? {} : { producer }),
      };
      try {
        const written = await streams.append(address, appendRequest);
        return written.kind === "appended" && !written.isNew ? "appended again" : written.kind;
      } catch {
        return "refused";
      }
    }
    case "remove":
      return streams.remove(address);
  }
};

const readStates = async (streams: ByteStreams): Promise<readonly unknown[]> =>
  Promise.all(
    PATHS.map(async (name) => {
      const found = await streams.find(at(name));
      if (typeof found !== "object") return found;
      return { text: await wholeOf(streams, at(name)), tail: found.tail, isClosed: found.isClosed };
    }),
  );
const expectedStates = (model: Model): readonly unknown[] =>
  PATHS.map((name) => {
    const stream = model.get(name);
    if (stream === undefined) return "absent";
    if (stream.isGone) return "gone";
    return { text: stream.chunks.join(""), tail: stream.chunks.length, isClosed: stream.isClosed };
  });

export interface ModelHarness extends AsyncDisposable {
  readonly store: Store;
  open(world: FakeWorld, store: Store): ByteStreams;
}

export const byteStreamsModel = (name: string, start: () => Promise<ModelHarness>): void => {
  describe(`byte streams and their model: ${name}`, () => {
    test("any sequence of steps has the model's results", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
          await using harness = await start();
          const world = createFakeWorld({ hash });
          const model: Model = new Map();
          let streams = harness.open(world, harness.store);
          for (const operation of steps) {
            if (operation.do === "restart") streams = harness.open(world, harness.store);
            else expect([operation, await perform(streams, operation)]).toEqual([operation, apply(model, operation)]);
          }
          expect(await readStates(streams)).toEqual(expectedStates(model));
        }),
        { numRuns: 150 },
      );
    }, 180_000);

    test("after a crash at any commit a step is either done or not begun, and a repetition does it once", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 1, maxLength: 12 }),
          fc.integer({ min: 1, max: 12 }),
          fc.constantFrom("before" as const, "after" as const),
          async (steps, crashAt, side) => {
            await using harness = await start();
            const world = createFakeWorld({ hash });
            const crashing = createCrashingStore(harness.store, { at: crashAt, side });
            const model: Model = new Map();
            let streams = harness.open(world, crashing.store);
            for (const operation of steps) {
              if (operation.do === "restart") continue;
              const before = copyOf(model);
              const expected = apply(model, operation);
              const kind = await Promise.race([perform(streams, operation), crashing.died.then(() => "crashed")]);
              if (kind !== "crashed") {
                expect([operation, kind]).toEqual([operation, expected]);
                continue;
              }
              streams = harness.open(world, harness.store);
              const now = await readStates(streams);
              const isDone = JSON.stringify(now) === JSON.stringify(expectedStates(model));
              if (!isDone) expect([operation, now]).toEqual([operation, expectedStates(before)]);
              // The caller repeats a step without an answer; a producer's append is still applied
              // once.
              if (!isDone || (operation.do === "append" && operation.producer !== undefined))
                await perform(streams, operation);
              expect(await readStates(streams)).toEqual(expectedStates(model));
              // From here on nothing crashes.
              for (const step of steps.slice(steps.indexOf(operation) + 1))
                if (step.do !== "restart")
                  expect([step, await perform(streams, step)]).toEqual([step, apply(model, step)]);
              break;
            }
            if (!crashing.isDead()) expect(await readStates(streams)).toEqual(expectedStates(model));
          },
        ),
        { numRuns: 200 },
      );
    }, 180_000);
  });
};
