import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryTarget } from "./memory.ts";
import { tryTarget } from "./try-target.ts";

let drafts: string;
beforeEach(() => {
  drafts = mkdtempSync(join(tmpdir(), "hearth-try-"));
});
afterEach(() => rmSync(drafts, { recursive: true }));

test("a target that stores, lists, returns and deletes an object passes, and is left as it was", async () => {
  const target = createMemoryTarget();
  target.objects.set("backup-000001.json", new Uint8Array([1]));
  await tryTarget(target, drafts);
  expect([...target.objects.keys()]).toEqual(["backup-000001.json"]);
});

test("a target that loses or changes the object fails, and keeps nothing of the test", async () => {
  for (const [broken, change] of [
    ["loses it", { get: async () => undefined }],
    ["changes it", { get: async () => ({ hash: "other", sizeBytes: 1 }) }],
    ["does not list it", { list: async () => [] }],
  ] as const) {
    const target = createMemoryTarget();
    const failure = await tryTarget({ ...target, ...change }, drafts).catch((error: unknown) => error);
    expect([broken, failure]).toEqual([broken, expect.objectContaining({ code: "backup.failed" })]);
    expect(target.objects.size).toBe(0);
    rmSync(join(drafts, "received"), { force: true });
  }
});

test("a target that cannot be written reports its own reason", async () => {
  const target = createMemoryTarget("s3://house");
  target.isCut = true;
  expect(await tryTarget(target, drafts).catch((error: unknown) => error)).toMatchObject({
    code: "backup.unreachable",
    message: "s3://house cannot be reached: the connection was cut.",
  });
});
