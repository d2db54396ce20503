/** Tests the targets of `[backup]`, lists the backups at its places, and replaces the running house by one of them. */
import { type BackupCopy, type BackupRestore, type Clock, HearthError } from "@hearth/protocol";
import { BackupCopyList } from "@hearth/protocol/api";
import { z } from "zod";
import type { HomeRestorer } from "../../../http/index.ts";
import type { ConfigSource, Log } from "../../../kernel/index.ts";
import type { AskBackupProcess, BackupRequest } from "./backup-request.ts";
import { acceptReplacement } from "./replace-home.ts";

export interface RestorerOptions {
  readonly home: string;
  readonly config: Pick<ConfigSource, "current">;
  readonly log: Log;
  readonly clock: Pick<Clock, "now">;
  /** Ends the house and starts it again in this process. */
  readonly restart: () => void;
  readonly ask: AskBackupProcess;
}

/** A part of the report of `restoreBackup`. */
const Outcome = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("restored") }),
  z.object({ kind: z.literal("damaged"), problems: z.array(z.object({ path: z.string(), fault: z.string() })) }),
]);

/** Maximum number of damaged files that a message names. */
const MAX_NAMED_PROBLEMS = 3;

export const createRestorer = (options: RestorerOptions): HomeRestorer => {
  const { home, config, log, clock, restart, ask } = options;
  let state: BackupRestore = { state: "none" };

  /** Resolves when the backup is ready to replace the home. Throws the reason if it cannot become ready. */
  const prepare = async (request: BackupRequest): Promise<void> => {
    const outcome = Outcome.parse(await ask(request, new AbortController().signal));
    if (outcome.kind === "damaged") {
      const shownProblems = outcome.problems.slice(0, MAX_NAMED_PROBLEMS).map(({ path, fault }) => `${path}: ${fault}`);
      throw new Error(`The backup is damaged. ${shownProblems.join("; ")}. Restore another one.`);
    }
    await acceptReplacement(home);
  };

  return {
    async list(target): Promise<readonly BackupCopy[] | undefined> {
      const from = addressOf(config, target);
      if (from === undefined) return undefined;
      try {
        return BackupCopyList.parse(await ask({ verb: "list", home, from }, new AbortController().signal));
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new HearthError("backup.failed", `The backups there cannot be listed: ${why}`, {
          hint: "Check that this place can be reached, and try again.",
          cause,
        });
      }
    },

    async test(target) {
      const from = addressOf(config, target);
      if (from === undefined) return undefined;
      try {
        await ask({ verb: "test", home, from }, new AbortController().signal);
        return { ok: true, detail: "An object was written, read back and deleted." };
      } catch (error) {
        return { ok: false, detail: error instanceof Error ? error.message : String(error) };
      }
    },

    start({ target, number, identity }, by) {
      const from = addressOf(config, target);
      if (from === undefined) return "no-such-place";
      if (state.state === "preparing" || state.state === "restarting") return "busy";
      const restoreFields = { number, startedAt: clock.now() };
      state = { state: "preparing", ...restoreFields };
      log.write("info", "a backup is being restored", { number, by });
      prepare({ verb: "restore", home, from, number, ...(identity === undefined ? {} : { identity }) }).then(
        () => {
          state = { state: "restarting", ...restoreFields };
          log.write("info", "the house starts again with a restored backup", { number, by });
          restart();
        },
        (error: unknown) => {
          const problem = error instanceof Error ? error.message : String(error);
          state = { state: "failed", ...restoreFields, problem };
          log.write("error", "a backup could not be restored", { number, problem });
        },
      );
      return "begun";
    },

    state: () => state,
  };
};

/** Returns the address of a place, or undefined if the config has no such place. */
const addressOf = (config: Pick<ConfigSource, "current">, target: string | undefined): string | undefined => {
  const { folder, targets } = config.current().backup ?? {};
  return (target === undefined ? folder : targets?.get(target))?.to;
};
