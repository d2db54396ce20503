/** Creates the files of a plan, with their hashes. */
import type { FileItem } from "../../../http/imports/plan.ts";

export const createFileItem = (fields: Omit<FileItem, "kind" | "hash">): FileItem => ({
  kind: "file",
  ...fields,
  hash: new Bun.CryptoHasher("sha256").update(fields.text).digest("hex"),
});
