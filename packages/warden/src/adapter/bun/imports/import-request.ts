/** The requests of the daemon to an import process, and the start of such a process. */
import { fileURLToPath } from "node:url";
import { ImportKind } from "@hearth/protocol/api";
import { z } from "zod";
import { askProcess } from "../ask-process.ts";

export const ImportRequest = z.object({
  kind: ImportKind,
  /** Absolute, without links. */
  folder: z.string(),
  /** The file for the parts. When absent, the process lists the parts without their texts. */
  into: z.string().optional(),
  /** The places of the parts to write. */
  wanted: z.array(z.string()).readonly().optional(),
});
export type ImportRequest = z.infer<typeof ImportRequest>;

const ENTRY = fileURLToPath(new URL("import-process.ts", import.meta.url));

/** Returns the answer of the process, from JSON. Throws an error with the process's last output. */
export const runImportProcess = (request: ImportRequest, signal: AbortSignal): Promise<unknown> =>
  askProcess({ entry: ENTRY, request, env: {}, signal });
