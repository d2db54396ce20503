/** Reads the mark that a restore leaves, so that the house starts on hold. */
import { readFileSync } from "node:fs";
import type { RestoredHome } from "../../../kernel/index.ts";
import { z } from "zod";

/** `number` is the number of the backup. It is absent if the home was imported. */
const Mark = z.object({ id: z.string(), from: z.string(), number: z.int().optional(), at: z.int() });

/** Reads the mark. A damaged mark holds the house too. */
export const readRestored = (path: string): RestoredHome => {
  const text = readFileSync(path, "utf8");
  try {
    const { id, from, number, at } = Mark.parse(JSON.parse(text));
    const restoredAt = new Date(at).toISOString();
    const origin =
      number === undefined ? `imported from the export ${from}` : `restored from backup ${number} in ${from}`;
    return { id, detail: `The home was ${origin}, which was made at ${restoredAt}.` };
  } catch {
    const id = new Bun.CryptoHasher("sha256").update(text).digest("hex");
    return { id, detail: "The home was restored from a backup." };
  }
};
