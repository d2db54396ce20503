/**
 * The `process` backend: an inmate in a child process, with frames on its stdin and stdout. It
 * protects the daemon from crashes and leaks, but does not confine commands, so the shell is off in
 * it until a person enables it.
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
    // Temporary files of the inmate's commands. A killed inmate cannot remove them itself.
    const temporary = await mkdtemp(join(tmpdir(), "hearth-temporary-"));
    const removal = removeFolderStep(temporary);
    const marks = [`${name}=${value}`, `HOME=${spec.workspace}`];
    const options = {
      clock,
      log,
      argv: [process.execPath, "--no-install", "--no-env-file", "--smol", entry, spec.workspace],
      // The working directory is the program's folder: Bun reads settings from there, and the
      // workspace is not trusted.
      cwd: dirname(entry),
      env: {
        PATH: environment("PATH") ?? "/usr/bin:/bin",
        LANG: "C.UTF-8",
        // Without a home, Bun would write its transpiler cache next to the sources.
        BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
        TMPDIR: temporary,
        [name]: value,
      },
      walls: NO_WALLS,
      // The inmate has the mark in its environment; a command that outlived it has the workspace as
      // its HOME.
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
