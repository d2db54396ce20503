/**
 * The `process` backend: an inmate in a child process, frames on its stdin and stdout. It keeps crashes and leaks away from the
 * daemon; it is no wall against what runs inside, so the shell stays off in it until a person says otherwise.
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Clock } from "@hearth/protocol";
import { type CellBackend, NO_WALLS } from "../../../cells/backend.ts";
import type { Log } from "../../../kernel/log/log.ts";
import { environment } from "../env.ts";
import { removeFolderStep, runCleanup } from "./cleanup.ts";
import type { InmateProgram } from "./inmate-program.ts";
import { holdInmate } from "./inmate-process.ts";
import { sweepMarked } from "./sweep.ts";

export interface ProcessBackendOptions {
  readonly program: InmateProgram;
  readonly clock: Clock;
  readonly log: Log;
  readonly randomText: () => string;
}

export const createProcessBackend = ({ program, clock, log, randomText }: ProcessBackendOptions): CellBackend => ({
  kind: "process",
  traits: { isolation: "process", snapshots: false },

  async probe() {
    const child = Bun.spawn([process.execPath, "--version"], { env: {}, stdout: "ignore", stderr: "ignore" });
    const code = await child.exited;
    return code === 0
      ? { ok: true, walls: NO_WALLS }
      : { ok: false, why: `${process.execPath} ended with ${code}`, walls: NO_WALLS };
  },

  async open(spec) {
    const entry = await program();
    const name = "HEARTH_CELL";
    const value = randomText();
    // What the inmate itself puts down for its commands. One that is killed takes nothing away.
    const temporary = await mkdtemp(join(tmpdir(), "hearth-temporary-"));
    const removal = removeFolderStep(temporary);
    const marks = [`${name}=${value}`, `HOME=${spec.workspace}`];
    const options = {
      clock,
      log,
      argv: [process.execPath, "--no-install", "--no-env-file", "--smol", entry, spec.workspace],
      // The working directory is the code's own: Bun reads settings from there, and the workspace is not trusted.
      cwd: dirname(entry),
      env: {
        PATH: environment("PATH") ?? "/usr/bin:/bin",
        LANG: "C.UTF-8",
        // Without a home it would keep what it works out of the sources right beside them.
        BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
        TMPDIR: temporary,
        [name]: value,
      },
      walls: NO_WALLS,
      // The inmate has its mark; a command that outlived it has the workspace for a home.
      cleanup: [{ name: "end what is left of its commands", run: () => sweepMarked(clock, marks) }, removal],
    };
    try {
      return holdInmate(options);
    } catch (error) {
      await runCleanup(log, [removal]);
      throw error;
    }
  },
});
