/**
 * The `process` backend: an inmate in a child process. The daemon and the inmate exchange frames on
 * its stdin and stdout. The process protects the daemon from crashes and memory leaks of the inmate,
 * but does not confine commands, so agents have no shell until a person enables the shell.
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
import { startInmate } from "./inmate-process.ts";
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

  /** Checks that this executable can start as a child process. */
  async probe() {
    const child = Bun.spawn([process.execPath, "--version"], { env: {}, stdout: "ignore", stderr: "ignore" });
    const code = await child.exited;
    return code === 0
      ? { ok: true, walls: NO_WALLS }
      : { ok: false, why: `${process.execPath} ended with ${code}`, walls: NO_WALLS };
  },

  async open(spec) {
    const entry = await program();
    const cellMark = { variable: "HEARTH_CELL", value: randomText() };
    // This folder holds temporary files of the inmate's commands. A killed inmate cannot remove them itself.
    const temporaryFolder = await mkdtemp(join(tmpdir(), "hearth-temporary-"));
    const removeTemporary = removeFolderStep(temporaryFolder);
    // These variables identify the processes to end. The inmate has the variable of its cell. Its
    // commands do not inherit that variable, but their HOME is the workspace.
    const markedVariables = [`${cellMark.variable}=${cellMark.value}`, `HOME=${spec.workspace}`];
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
        // Without HOME, Bun would write its transpiler cache next to the sources.
        BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
        TMPDIR: temporaryFolder,
        [cellMark.variable]: cellMark.value,
      },
      walls: NO_WALLS,
      cleanup: [
        { name: "end the inmate and its remaining commands", run: () => sweepMarked(clock, markedVariables) },
        removeTemporary,
      ],
    };
    try {
      return startInmate(options);
    } catch (error) {
      await runCleanup(log, [removeTemporary]);
      throw error;
    }
  },
});
