import { expect, test } from "bun:test";
import { type AgentId, createLinkPair, type Wall, type WardenFrame } from "@hearth/protocol";
import { readHeader, type ScaledPicture, writeScaledPicture } from "@hearth/protocol/picture-sizes";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { until } from "@hearth/protocol/until";
import { createPictures } from "./pictures.ts";

const ALL: readonly Wall[] = ["fs", "net", "kernel"];
const LIMITS = { edge: 640, sizeBytes: 5000 };
const ENDS = "ends";
const HANGS = "hangs";

/** Cells whose process answers each picture with its text, or ends, or never answers. */
const open = (walls: readonly Wall[] = ALL) => {
  const world = createFakeWorld({ hash: () => "" });
  const seen = { cells: [] as string[][], closed: 0, removed: 0, limits: undefined as unknown };
  const answerOf = (text: string): ScaledPicture => ({
    ...{ kind: "picture", type: "image/jpeg", width: 1, height: 1 },
    bytes: new TextEncoder().encode(`small ${text}`),
  });
  const pictures = createPictures({
    clock: world.clock,
    scratch: async () => ({
      agent: "agent_documents" as AgentId,
      brain: "/scratch",
      workspace: "/scratch/workspace",
      async [Symbol.asyncDispose]() {
        seen.removed += 1;
      },
    }),
    backends: {
      choose: async () => ({
        probe: { ok: true, walls: new Set(walls) },
        backend: {
          kind: "fake",
          traits: { isolation: "none", snapshots: false },
          probe: async () => ({ ok: true, walls: new Set(walls) }),
          async open() {
            const served: string[] = [];
            seen.cells.push(served);
            const end = Promise.withResolvers<string | undefined>();
            const [link, other] = createLinkPair<WardenFrame, unknown>();
            other.handleStreams((stream) => {
              const serve = async (): Promise<void> => {
                const pieces: Uint8Array[] = [];
                for await (const piece of stream.bytes) pieces.push(piece);
                const { header, bytes } = readHeader(Buffer.concat(pieces));
                seen.limits = header;
                const text = new TextDecoder().decode(bytes);
                served.push(text);
                if (text === HANGS) return;
                if (text === ENDS) return end.resolve("killed");
                await stream.write(writeScaledPicture(answerOf(text)));
                stream.end();
              };
              serve().catch(() => undefined);
            });
            return {
              link,
              walls: new Set(walls),
              exited: end.promise,
              async close() {
                seen.closed += 1;
                end.resolve(undefined);
              },
            };
          },
        },
      }),
    },
  });
  const scale = async (text: string, scope = "a") => {
    const source = {
      scope,
      sizeBytes: text.length,
      async *read() {
        yield new TextEncoder().encode(text);
      },
    };
    const { result, isFinal } = await pictures.scale(source, LIMITS);
    return result.kind === "picture" ? new TextDecoder().decode(result.bytes) : { why: result.why, isFinal };
  };
  return { scale, pictures, seen, world };
};

test("pictures of one room share a process, which ends with the last one", async () => {
  const { scale, seen } = open();
  expect(await Promise.all([scale("1"), scale("2"), scale("3")])).toEqual(["small 1", "small 2", "small 3"]);
  await until(() => seen.removed === 1);
  expect([seen.cells, seen.closed, seen.limits]).toEqual([[["1", "2", "3"]], 1, LIMITS]);
});

test("A76: pictures of different rooms never share a process", async () => {
  const { scale, seen } = open();
  await Promise.all([scale("1", "a"), scale("2", "b"), scale("3", "a"), scale("4", "b")]);
  expect(seen.cells).toEqual([
    ["1", "3"],
    ["2", "4"],
  ]);
});

test("a picture whose process ends is refused, and the next one gets a new process", async () => {
  const { scale, seen } = open();
  const results = await Promise.all([scale(ENDS), scale("2")]);
  expect(results).toEqual([{ why: expect.stringContaining("more memory than a cell has"), isFinal: true }, "small 2"]);
  expect(seen.cells).toEqual([[ENDS], ["2"]]);
});

test("A76: a picture that takes too long is refused, and its process is closed", async () => {
  const { scale, seen, world } = open();
  const result = scale(HANGS);
  await until(() => seen.cells[0]?.length === 1);
  await world.advance(20_000);
  expect(await result).toEqual({ why: expect.stringContaining("more than 20 s"), isFinal: true });
  await until(() => seen.removed === 1);
});

test("A76: without walls no picture is decoded", async () => {
  const { scale, seen } = open(["fs", "net"]);
  expect(await scale("1")).toEqual({ why: expect.stringContaining("cannot isolate"), isFinal: false });
  expect(seen.cells).toEqual([]);
});

test("a picture that is too large, or that cannot be read, is refused", async () => {
  const { pictures, scale } = open();
  const source = { scope: "a", sizeBytes: 65 * 1024 * 1024, read: () => never() };
  expect((await pictures.scale(source, LIMITS)).result).toMatchObject({ kind: "refused" });
  const { result, isFinal } = await pictures.scale({ ...source, sizeBytes: 5 }, LIMITS);
  expect([result, isFinal]).toEqual([{ kind: "refused", why: "the file is gone" }, false]);
  expect(await scale("2")).toBe("small 2");
});

const never = (): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("the file is gone")) }),
});
