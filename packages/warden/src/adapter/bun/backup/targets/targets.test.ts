/** Every backup target against the contract, and what is particular to each. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isHearthError } from "@hearth/protocol";
import { startS3Server } from "@hearth/testing/s3";
import { failure } from "../../../../fixtures/home-on-disk.ts";
import { createBackupDisk } from "../backup-disk.ts";
import { createFolderTarget } from "./folder.ts";
import { createMemoryTarget } from "./memory.ts";
import { createS3Target, type S3Options } from "./s3.ts";
import { backupTargetConformance } from "./target.conformance.ts";

const createFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-target-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
};
const SMALL = Buffer.from("x");

backupTargetConformance("memory", () => {
  const { folder, remove } = createFolder();
  const target = createMemoryTarget();
  return Promise.resolve({
    target,
    folder,
    fill: (keys) => {
      for (const key of keys) target.objects.set(key, SMALL);
    },
    cut: (isCut) => {
      target.isCut = isCut;
    },
    [Symbol.asyncDispose]: async () => remove(),
  });
});

backupTargetConformance("folder", () => {
  const { folder, remove } = createFolder();
  const store = join(folder, "store");
  return Promise.resolve({
    target: createFolderTarget(store, createBackupDisk()),
    folder,
    fill: (keys) => {
      for (const key of keys) {
        mkdirSync(dirname(join(store, key)), { recursive: true });
        writeFileSync(join(store, key), SMALL);
      }
    },
    [Symbol.asyncDispose]: async () => remove(),
  });
});

backupTargetConformance("S3", async () => {
  const { folder, remove } = createFolder();
  const server = await startS3Server();
  return {
    target: createS3Target({ ...server, prefix: "home", pauseMs: 1 }),
    folder,
    fill: (keys) => {
      for (const key of keys) server.objects.set(`home/${key}`, SMALL);
      server.objects.set("homework", SMALL);
    },
    cut: (isCut) => {
      server.cut = () => isCut;
    },
    [Symbol.asyncDispose]: async () => {
      remove();
      await server[Symbol.asyncDispose]();
    },
  };
});

describe("an S3 target", () => {
  const refusalOf = async (over: Partial<S3Options>): Promise<string> => {
    await using server = await startS3Server();
    const error = await failure(createS3Target({ ...server, prefix: "", pauseMs: 1, ...over }).list(""));
    return isHearthError(error, "backup.refused") ? error.message : String(error);
  };

  test("says what a store refuses, and never shows a secret", async () => {
    const secretAccessKey = "not the secret";
    expect(await refusalOf({ secretAccessKey })).toBe(
      "s3://backups refused access: the secret access key is wrong.",
    );
    expect(await refusalOf({ accessKeyId: "AKIAOTHER" })).toContain("it does not know the access key id");
    expect(await refusalOf({ region: "us-east-1" })).toContain("the region is wrong");
    expect(await refusalOf({ bucket: "other" })).toContain("there is no such bucket");
  });

  test("tries a transfer again whose connection was cut", async () => {
    const { folder, remove } = createFolder();
    await using server = await startS3Server();
    try {
      let cuts = 2;
      server.cut = () => (cuts -= 1) >= 0;
      const path = join(folder, "in");
      writeFileSync(path, "text");
      const hash = new Bun.CryptoHasher("sha256").update("text").digest("hex");
      const target = createS3Target({ ...server, prefix: "", pauseMs: 1 });
      await target.put("a", { path, hash, sizeBytes: 4 });
      expect(server.objects.get("a")?.toString()).toBe("text");
      cuts = 2;
      expect(await target.get("a", join(folder, "out"))).toEqual({ hash, sizeBytes: 4 });
    } finally {
      remove();
    }
  });
});
