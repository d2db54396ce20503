/** Probes the machine for backends with walls. */
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentId, type Clock, DEFAULT_CELL_LIMITS, HearthError } from "@hearth/protocol";
import type { Cell, CellSpec } from "../../../cells/backend.ts";
import type { Machine } from "../../../cells/system-calls.ts";

/** Maximum duration of the trial. */
const TIMEOUT_MS = 10_000;

/** Opens a cell around a command that exits. Returns the reason if it failed. */
export const runTrial = async (clock: Clock, open: (spec: CellSpec) => Promise<Cell>): Promise<string | undefined> => {
  const brain = await realpath(await mkdtemp(join(tmpdir(), "hearth-trial-")));
  try {
    const workspace = join(brain, "workspace");
    await mkdir(workspace);
    const agent = "agent_trial" as AgentId;
    const cell = await open({ agent, audience: "private", brain, hidden: [], workspace, limits: DEFAULT_CELL_LIMITS });
    const controller = new AbortController();
    const deadline = clock
      .sleep(TIMEOUT_MS, controller.signal)
      .then(() => `it did not end within ${TIMEOUT_MS / 1000} s`);
    const why = await Promise.race([cell.exited, deadline]);
    controller.abort();
    await cell.close();
    return why === "its process ended with 0" ? undefined : why;
  } catch (error) {
    return error instanceof Error ? error.message : "it did not start";
  } finally {
    await rm(brain, { recursive: true, force: true });
  }
};

/**
 * Returns the processor architecture of this machine. Throws `cell.unavailable` on a machine with
 * other system call numbers.
 */
export const machineHere = (): Machine => {
  const { arch } = process;
  if (arch === "x64" || arch === "arm64") return arch;
  throw new HearthError("cell.unavailable", `Isolated cells need x64 or arm64; this machine is ${arch}.`);
};
