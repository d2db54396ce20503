/**
 * The entry of the memory process: requests on stdin, answers on stdout. Usage: process.ts BRAINS
 * EMBEDDER, where EMBEDDER is local, fake, none, or `called NAME DIMENSIONS` for an embedder that
 * the process calls over stdout. Exits when stdin ends, or when it is idle for the time set by an
 * `idle` request.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Clock } from "@hearth/protocol";
import type { Embedder } from "../../embedders/embedder.ts";
import { createFakeEmbedder } from "../../embedders/fake.ts";
import type { IndexStorage } from "../../process/agent-memory.ts";
import { createHouseMemory } from "../../process/house-memory.ts";
import { type RemoteEmbedder, createRemoteEmbedder } from "../../process/remote-embedder.ts";
import { createSend, type Send, serveMemory } from "../../process/serve.ts";
import { folderOf } from "./brain-folder.ts";
import { eraseIndexFile, identityOf, setAside } from "./index-file.ts";
import { createMiniLm } from "./minilm.ts";
import { openSqliteIndex } from "./sqlite-index.ts";

const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
      });
    }),
  turn: () => new Promise((resolve) => setImmediate(resolve)),
};

const embedderOf = (args: readonly string[], send: Send): Embedder | RemoteEmbedder | undefined => {
  const [kind, name = "", dimensions] = args;
  if (kind === "local") return createMiniLm();
  if (kind === "called") return createRemoteEmbedder({ name, dimensions: Number(dimensions), call: send });
  return kind === "fake" ? createFakeEmbedder() : undefined;
};

const createIndexStorage = (folder: string, embedder: Embedder | undefined): IndexStorage => {
  const path = join(folder, "db", "index.db");
  let openedInode: number | undefined;
  return {
    open() {
      const index = openSqliteIndex({ path, ...(embedder === undefined ? {} : { embedder }) });
      openedInode = identityOf(path);
      return index;
    },
    isReplaced: () => identityOf(path) !== openedInode,
    setAside: () => setAside(path),
    erase: () => eraseIndexFile(path),
  };
};

const main = async (): Promise<void> => {
  const [brains, ...embedderArgs] = process.argv.slice(2);
  if (brains === undefined) throw new Error("usage: process.ts BRAINS EMBEDDER");
  const stdout = Bun.stdout.writer();
  const send = createSend(async (bytes) => {
    const written = stdout.write(bytes);
    await stdout.flush();
    await written;
  });
  const embedder = embedderOf(embedderArgs, send);
  await using memory = createHouseMemory({
    clock,
    storageOf: (agent) => createIndexStorage(folderOf(brains, agent), embedder),
    ...(embedder === undefined ? {} : { embedder }),
    hash: (data) => createHash("sha256").update(data).digest("hex"),
  });
  const vectors =
    embedder !== undefined && "acceptVectors" in embedder ? { acceptVectors: embedder.acceptVectors } : {};
  await Promise.race([serveMemory(memory, { bytes: Bun.stdin.stream(), send, ...vectors }), memory.whenIdle]);
};

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
