/** The requests of the daemon to a backup process, and the start of such a process. */
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { isBackupAddress } from "../../../kernel/index.ts";
import { askProcess } from "../ask-process.ts";

const Home = z.object({ home: z.string() });

export const BackupRequest = z.discriminatedUnion("verb", [
  Home.extend({
    verb: z.literal("back-up"),
    to: z.string(),
    keep: z.int(),
    everyMs: z.int(),
    recipients: z.array(z.string()).readonly(),
  }),
  Home.extend({ verb: z.literal("list"), from: z.string() }),
  Home.extend({ verb: z.literal("test"), from: z.string() }),
  Home.extend({
    verb: z.literal("restore"),
    from: z.string(),
    number: z.int(),
    identity: z.string().optional(),
  }),
]);
export type BackupRequest = z.infer<typeof BackupRequest>;

const ENTRY = fileURLToPath(new URL("backup-process.ts", import.meta.url));

/**
 * Returns the answer of a backup process, from JSON. Throws an error with the last line that it
 * wrote.
 */
export type AskBackupProcess = (request: BackupRequest, signal: AbortSignal) => Promise<unknown>;

export const askBackupProcess: AskBackupProcess = async (request, signal) => {
  const location = request.verb === "back-up" ? request.to : request.from;
  const env = isBackupAddress(location) ? (await import("./targets/open-target.ts")).environmentFor(location) : {};
  return askProcess({ entry: ENTRY, request, env, signal });
};
