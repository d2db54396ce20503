/** Applies changes that a person makes in `hearth.toml` while the house runs. */
import type { Clock } from "@hearth/protocol";
import type { Log } from "../log/log.ts";
import type { ConfigFile } from "./file.ts";
import type { ConfigSource } from "./source.ts";

export interface FollowFileOptions {
  readonly clock: Pick<Clock, "sleep">;
  readonly log: Log;
  readonly file: Pick<ConfigFile, "name" | "read">;
  readonly config: Pick<ConfigSource, "reload" | "problem" | "waiting">;
}

/** A text that is the same at two looks is not being written at the moment. */
const EVERY_MS = 1000;

/** Looks at the file until `signal` aborts. Rejects if the file cannot be read. */
export const followConfigFile = async (options: FollowFileOptions, signal: AbortSignal): Promise<void> => {
  const { clock, log, file, config } = options;
  let applied = await file.read();
  let last = applied;
  for (;;) {
    await clock.sleep(EVERY_MS, signal);
    if (signal.aborted) return;
    const text = await file.read();
    const isSteady = text === last;
    last = text;
    if (!isSteady || text === applied) continue;
    applied = text;
    await config.reload();
    const problem = config.problem();
    if (problem === undefined)
      log.write("info", "the config file was read again", { file: file.name, afterRestart: config.waiting() });
    else
      log.write("warn", "the config file is not valid; the last valid config stays", {
        file: file.name,
        why: problem.message,
        hint: problem.hint,
      });
  }
};
