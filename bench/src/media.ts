/**
 * Measures the upload of 1 GB, compared with the minimum: a synced copy of the file, and its hash.
 * Also measures the memory of the daemon during the upload, the response time of /healthz, and a room
 * with many pictures.
 */
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { UploadSource } from "@hearth/client";
import type { Bench, Finding } from "./bench.ts";
import { pause } from "./clock.ts";
import { startHouse } from "./house.ts";
import { hasProc, NEEDS_PROC, pssOf, treeOf } from "./machine.ts";
import { temporaryFolder } from "./site.ts";
import { measureRoom } from "./media-room.ts";
import { percentile } from "./statistics.ts";
import { show } from "./table.ts";

const SIZE = 1_000_000_000;
const PIECE = 4 * 1024 * 1024;
const MOST = 1.2;
const EVERY_MS = 100;

export const media: Bench = {
  name: "media",
  about: "the upload of 1 GB, beside a copy and a hash of the file; a room with 500 pictures",
  isLong: true,
  async run(site) {
    await using folder = await temporaryFolder(site);
    const file = join(folder.path, "file");
    await writeRandom(file);
    const floorMs = await copyAndHash(file, join(folder.path, "copy"));
    site.say(`media: copy and hash in ${show(floorMs)} ms`);
    await using house = await startHouse(site, join(folder.path, "home"));
    const over = new AbortController();
    const watching = watch(house, over.signal);
    const began = performance.now();
    const source: UploadSource = {
      name: "file.bin",
      sizeBytes: SIZE,
      read: async (from, to) => new Uint8Array(await Bun.file(file).slice(from, to).arrayBuffer()),
    };
    await (await house.client.uploads()).send(source);
    const uploadMs = performance.now() - began;
    over.abort();
    const { sizes, times } = await watching;
    return [
      {
        what: "upload of 1 GB",
        value: uploadMs / floorMs,
        unit: "×",
        samples: 1,
        target: { atMost: MOST },
        note: `${show(uploadMs)} ms; copy with sync and SHA-256: ${show(floorMs)} ms`,
      },
      memoryFigure(sizes),
      {
        what: "response time of /healthz meanwhile",
        value: percentile(times, 99),
        unit: "ms",
        samples: times.length,
        note: `p99; max ${show(percentile(times, 100))}; includes waiting for a core`,
      },
      ...(await measureRoom(site)),
    ];
  },
};

const memoryFigure = (sizes: readonly number[]): Finding =>
  sizes.length === 0
    ? { what: "memory of the daemon", skipped: NEEDS_PROC }
    : {
        what: "growth of the daemon's memory",
        value: Math.max(...sizes) - (sizes[0] ?? 0),
        unit: "MiB",
        samples: sizes.length,
        note: `from ${show(sizes[0] ?? 0)} MiB; the last is ${show(sizes.at(-1) ?? 0)} MiB`,
      };

const writeRandom = async (path: string): Promise<void> => {
  await using file = await open(path, "w");
  for (let at = 0; at < SIZE; at += PIECE) {
    const piece = new Uint8Array(Math.min(PIECE, SIZE - at));
    for (let from = 0; from < piece.length; from += 65_536) crypto.getRandomValues(piece.subarray(from, from + 65_536));
    await file.writeFile(piece);
  }
};

/** Copies and hashes a file as `cp` and `sha256sum` do, with one sync at the end. */
const copyAndHash = async (from: string, to: string): Promise<number> => {
  const began = performance.now();
  await using target = await open(to, "w");
  const hash = createHash("sha256");
  const source = Bun.file(from);
  for (let at = 0; at < SIZE; at += PIECE) {
    const piece = new Uint8Array(await source.slice(at, at + PIECE).arrayBuffer());
    hash.update(piece);
    await target.writeFile(piece);
  }
  hash.digest();
  await target.sync();
  return performance.now() - began;
};

interface Seen {
  readonly sizes: readonly number[];
  readonly times: readonly number[];
}

const watch = async (
  { url, pid }: { readonly url: string; readonly pid: number },
  signal: AbortSignal,
): Promise<Seen> => {
  const [sizes, times]: [number[], number[]] = [[], []];
  while (!signal.aborted) {
    const began = performance.now();
    await (await fetch(`${url}/healthz`, { proxy: false })).text();
    times.push(performance.now() - began);
    if (hasProc) sizes.push(await pssOf(await treeOf(pid)));
    await pause(EVERY_MS);
  }
  return { sizes, times };
};
