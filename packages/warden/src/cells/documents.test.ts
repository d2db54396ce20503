import { expect, test } from "bun:test";
import { type AgentId, createLinkPair, type Wall, type WardenFrame } from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import type { CellSpec } from "./backend.ts";
import type { ChosenBackend } from "./backends.ts";
import { createDocuments } from "./documents.ts";

const ALL: readonly Wall[] = ["fs", "net", "kernel"];

/** The process closes its link instead of an answer. */
const CLOSED = "closed";

/** A cell whose process answers each document with this text, or never. */
const open = (walls: readonly Wall[], answer?: string) => {
  const world = createFakeWorld({ hash: () => "" });
  const seen: { spec?: CellSpec; sent: string; closed: number; removed: number } = { sent: "", closed: 0, removed: 0 };
  const end = Promise.withResolvers<string | undefined>();
  const choose = async (): Promise<ChosenBackend> => ({
    probe: { ok: true, walls: new Set(walls) },
    backend: {
      kind: "fake",
      traits: { isolation: "none", snapshots: false },
      probe: async () => ({ ok: true, walls: new Set(walls) }),
      async open(spec) {
        seen.spec = spec;
        const [link, other] = createLinkPair<WardenFrame, unknown>();
        other.handleStreams((stream) => {
          const serve = async (): Promise<void> => {
            for await (const piece of stream.bytes) seen.sent += new TextDecoder().decode(piece);
            if (answer === undefined) return;
            if (answer === CLOSED) return other.close();
            await stream.write(new TextEncoder().encode(answer));
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
  });
  const scratch = async () => ({
    agent: "agent_documents" as AgentId,
    brain: "/scratch",
    workspace: "/scratch/workspace",
    async [Symbol.asyncDispose]() {
      seen.removed += 1;
    },
  });
  return { documents: createDocuments({ backends: { choose }, clock: world.clock, scratch }), seen, world, end };
};

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

test("a document is sent to a cell that runs the program for documents, and the cell is closed", async () => {
  const result = { kind: "text", text: "words", cut: false } as const;
  const { documents, seen } = open(ALL, JSON.stringify(result));
  expect(await documents.convert(bytesOf("a pdf"), 5)).toEqual({ result, isFinal: true });
  expect([seen.sent, seen.spec?.program, seen.spec?.brain, seen.closed, seen.removed]).toEqual([
    ...["a pdf", "document", "/scratch"],
    ...[1, 1],
  ]);
});

test("A40: without walls no document is converted", async () => {
  const { documents, seen } = open(["fs", "net"], "{}");
  expect(await documents.convert(bytesOf("a pdf"), 5)).toEqual({
    result: { kind: "refused", why: "This machine cannot isolate the programs that read documents and draw charts." },
    isFinal: false,
  });
  expect([seen.spec, seen.removed]).toEqual([undefined, 1]);
});

test("A40: a conversion that does not end is ended", async () => {
  const { documents, seen, world } = open(ALL);
  const converting = documents.convert(bytesOf("a pdf"), 5);
  await until(() => seen.sent !== "");
  await world.advance(30_000);
  expect((await converting).result).toEqual({ kind: "refused", why: "Reading it took longer than 30 s." });
  expect(seen.closed).toBe(1);
});

test("an invalid result is refused, and so is a document that is too large", async () => {
  const { documents } = open(ALL, '{"kind":"text"}');
  expect((await documents.convert(bytesOf("a"), 1)).result).toEqual({
    kind: "refused",
    why: "The process that reads documents gave no valid result.",
  });
  expect((await documents.convert(bytesOf("a"), 2 ** 30)).result).toEqual({
    kind: "refused",
    why: "It has more than 32 MiB.",
  });
});

test("A40: the reason of a process's end is told, although its link closes first", async () => {
  const { documents, seen, world, end } = open(ALL, CLOSED);
  const converting = documents.convert(bytesOf("a pdf"), 5);
  await until(() => seen.sent !== "");
  await world.advance(100);
  end.resolve("it used up its 768 MiB of memory");
  expect((await converting).result).toEqual({
    kind: "refused",
    why: "The process that read it ended: it used up its 768 MiB of memory.",
  });
});

test("a process that closes its link and does not end gave no valid result", async () => {
  const { documents, seen, world } = open(ALL, CLOSED);
  const converting = documents.convert(bytesOf("a pdf"), 5);
  await until(() => seen.sent !== "");
  await world.advance(2000);
  expect((await converting).result).toEqual({
    kind: "refused",
    why: "The process that reads documents gave no valid result.",
  });
  expect(seen.closed).toBe(1);
});
