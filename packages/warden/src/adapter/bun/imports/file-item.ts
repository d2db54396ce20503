/** Creates the files of a plan, with their hashes. */
import type { FileItem } from "../../../http/imports/plan.ts";

export const createFileItem = (given: Omit<FileItem, "kind" | "hash">): FileItem => ({
  kind: "file",
  ...given,
  hash: new Bun.CryptoHasher("sha256").update(given.text).digest("hex"),
});
