/**
 * Process that makes a backup unless the last one is younger than the interval, so that the daemon
 * is not blocked. Arguments: HOME TO KEEP EVERY_MS
 * RECIPIENT...
 */
import { setPriority } from "node:os";
import { toErrorBody } from "@hearth/protocol";
import { backUpIfDue } from "./index.ts";

/** Priority of the process, below that of the daemon and its cells. */
const NICE = 10;

const [home = "", to = "", keep, everyMs, ...recipients] = process.argv.slice(2);
setPriority(NICE);
try {
  const last = await backUpIfDue({ home, to, keep: Number(keep), everyMs: Number(everyMs), recipients });
  process.stdout.write(JSON.stringify(last));
} catch (error) {
  const { message, hint } = toErrorBody(error);
  process.stderr.write([message, hint].filter((text) => text !== undefined).join(" "));
  process.exit(1);
}
