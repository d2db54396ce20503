/** Tests the operations that a backup needs of a target: write, list, read and delete. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HearthError } from "@hearth/protocol";
import type { BackupTarget } from "./target.ts";

/** Tests the target, and leaves no object there. `drafts` is a folder for the object. */
export const tryTarget = async (target: BackupTarget, drafts: string): Promise<void> => {
  const key = `test-${crypto.randomUUID()}`;
  const text = `A test of this target by Hearth. It can be deleted. ${key}\n`;
  const path = join(drafts, "sent");
  await writeFile(path, text);
  const hash = new Bun.CryptoHasher("sha256").update(text).digest("hex");
  try {
    await target.put(key, { path, hash, sizeBytes: Buffer.byteLength(text) });
    const isListed = (await target.list("test-")).some((object) => object.key === key);
    const received = await target.get(key, join(drafts, "received"));
    if (!isListed || received?.hash !== hash)
      throw new HearthError("backup.failed", `${target.name} did not return the object that was written.`, {
        hint: "Check that no other program changes this place.",
      });
  } finally {
    await target.delete(key);
  }
};
