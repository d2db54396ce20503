/** Applies changes that a person makes in `hearth.toml` while the house runs. */
import type { Clock } from "@hearth/protocol";
import type { Log } from "../log/log.ts";
import type { ConfigFile } from "./file.ts";
import type { ConfigSource } from "./source.ts";

export interface FollowFileOptions {
  readonly clock: Pick<Clock, "sleep">;
  readonly log: Log;
  readonly file: Pick<ConfigFile, "name" | "read">;
  readonly config: Pick<ConfigSource, "reload" | "problem" | "restartTables">;
}

/**
 * Interval between two reads. If both return the same text, no program is writing the file at the
 * moment.
 */
const READ_INTERVAL_MS = 1000;

/** Reads the file repeatedly until `signal` aborts. Rejects if the file cannot be read. */
export const followConfigFile = async (options: FollowFileOptions, signal: AbortSignal): Promise<void> => {
  const { clock, log, file, config } = options;
  let appliedText = await file.read();
  let previousText = appliedText;
  for (;;) {
    await clock.sleep(READ_INTERVAL_MS, signal);
    if (signal.aborted) return;
    const text = await file.read();
    const isSteady = text === previousText;
    previousText = text;
    if (!isSteady || text === appliedText) continue;
    appliedText = text;
    await config.reload();
    const problem = config.problem();
    if (problem === undefined)
      log.write("info", "the config file was read again", { file: file.name, afterRestart: config.restartTables() });
    else
      log.write("warn", "the config file is not valid; the last valid config stays", {
        file: file.name,
        why: problem.message,
        hint: problem.hint,
      });
  }
};
