/** Pictures in real cells, also hostile ones. */
import { afterAll, describe, expect, test } from "bun:test";
import { createBunClock } from "@hearth/inmate/bun/clock";
import { until } from "@hearth/protocol/until";
import { readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import type { CellBackend, Probe } from "../../../cells/backend.ts";
import { createPictures } from "../../../cells/pictures.ts";
import { createFakeLog } from "../../../kernel/log/log.ts";
import { createBubblewrapBackend } from "./bubblewrap.ts";
import { createInmateProgram } from "./inmate-program.ts";
import { createLandlockBackend } from "./landlock.ts";
import { createScratch } from "./scratch.ts";

const folder = `${tmpdir()}/hearth-pictures-${process.pid}`;
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const clock = createBunClock();
const common = { program: createInmateProgram(folder, folder), clock, log: createFakeLog(), folder };
const scratch = join(folder, "scratch");
const LIMITS = { edge: 64, sizeBytes: 100_000 };

const png = (width: number, height: number, rows: Uint8Array): Uint8Array => {
  const chunk = (name: string, content: Uint8Array): Buffer => {
    const bytes = Buffer.alloc(12 + content.length);
    bytes.writeUInt32BE(content.length, 0);
    bytes.set(Buffer.from(name), 4);
    bytes.set(content, 8);
    bytes.writeUInt32BE(Bun.hash.crc32(bytes.subarray(4, 8 + content.length)), 8 + content.length);
    return bytes;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const start = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([start, chunk("IHDR", header), chunk("IDAT", rows), chunk("IEND", new Uint8Array())]);
};

/** A picture of one colour, which packs well. */
const plain = (width: number, height: number): Uint8Array =>
  png(width, height, deflateSync(new Uint8Array((width * 3 + 1) * height), { level: 9 }));

const testCells = (backend: CellBackend, probe: Probe): void => {
  const pictures = createPictures({
    backends: { choose: async () => ({ backend, probe }) },
    clock,
    scratch: createScratch(scratch),
  });
  const scale = async (bytes: Uint8Array) => {
    const source = {
      scope: "room",
      sizeBytes: bytes.length,
      async *read() {
        for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
      },
    };
    return (await pictures.scale(source, LIMITS)).result;
  };

  test("pictures are scaled down in a cell, and nothing of it is left", async () => {
    const results = await Promise.all([scale(plain(200, 100)), scale(plain(100, 200)), scale(Buffer.from("nothing"))]);
    expect(results.map((result) => (result.kind === "picture" ? [result.width, result.height] : result.why))).toEqual([
      [64, 32],
      [32, 64],
      "Hearth cannot decode pictures of this format.",
    ]);
    await until(() => readdirSync(scratch).length === 0);
  });

  test("A76: a picture that claims too many pixels is refused, and the next one is scaled down", async () => {
    const bomb = png(60_000, 60_000, deflateSync(new Uint8Array(100)));
    const [refused, next] = await Promise.all([scale(bomb), scale(plain(200, 100))]);
    expect(refused).toEqual({ kind: "refused", why: "It has more than 110 million pixels." });
    expect(next).toMatchObject({ kind: "picture", width: 64 });
  });
};

for (const backend of [createBubblewrapBackend(common), createLandlockBackend(common)]) {
  const probe = await backend.probe();
  if (probe.ok) describe(backend.kind, () => testCells(backend, probe));
  else test.skip(`${backend.kind}: ${probe.why}`, () => {});
}
