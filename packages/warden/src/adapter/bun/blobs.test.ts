import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blobsConformance } from "../../store/blobs.conformance.ts";
import { openBlobs } from "./blobs.ts";

const newFolder = (): string => mkdtempSync(join(tmpdir(), "hearth-blobs-"));

blobsConformance("files on bun", async () => {
  const folder = newFolder();
  return {
    blobs: await openBlobs(folder),
    [Symbol.asyncDispose]: () => Promise.resolve(rmSync(folder, { recursive: true })),
  };
});

describe("a folder of blobs", () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const bytes = new TextEncoder().encode("hello");
  const pathOf = (hash: string): string => join(folder, hash.slice(0, 2), hash);

  test("outlives its process, in a folder that need not be there before", async () => {
    const inner = join(folder, "deep", "blobs");
    const hash = await (await openBlobs(inner)).put(bytes);
    expect(await (await openBlobs(inner)).get(hash)).toEqual(bytes);
  });

  test("holds files that only their owner may read, and no drafts", async () => {
    const hash = await (await openBlobs(folder)).put(bytes);
    expect(statSync(pathOf(hash)).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, hash.slice(0, 2))).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(folder, "drafts"))).toEqual([]);
  });

  test("drops what an earlier process left half written", async () => {
    mkdirSync(join(folder, "drafts"));
    writeFileSync(join(folder, "drafts", "half"), "hal");
    await openBlobs(folder);
    expect(readdirSync(join(folder, "drafts"))).toEqual([]);
  });

  test("never gives out damaged bytes; putting the blob again mends it", async () => {
    const blobs = await openBlobs(folder);
    const hash = await blobs.put(bytes);
    writeFileSync(pathOf(hash), "jello");
    const error = await blobs.get(hash).catch((reason: unknown) => reason);
    expect(isHearthError(error, "store.unavailable")).toBe(true);
    await blobs.put(bytes);
    expect(await blobs.get(hash)).toEqual(bytes);
  });

  test("that cannot be written is unavailable, with a hint, and keeps no draft", async () => {
    const blobs = await openBlobs(folder);
    const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    writeFileSync(join(folder, hash.slice(0, 2)), "in the way");
    const error = await blobs.put(bytes).catch((reason: unknown) => reason);
    expect(isHearthError(error, "store.unavailable") && error.hint).toMatch(/space/);
    expect(readdirSync(join(folder, "drafts"))).toEqual([]);
  });
});
