/** The table of cell backends. Each is loaded on first use, because most houses use only one. */
import { type BackendKind, lazy, type Isolation, type World } from "@hearth/protocol";
import type { CellBackend } from "../../../cells/backend.ts";
import type { BackendTable } from "../../../cells/backends.ts";
import type { Log } from "../../../kernel/log/log.ts";
import { createInmateProgram } from "./inmate-program.ts";

export interface BackendTableOptions {
  readonly world: World;
  /** Receives failed cleanups. */
  readonly log: Log;
  /** Absolute path of a folder of the house for files that can be rebuilt. */
  readonly folder: string;
}

export const createBackendTable = ({ world, log, folder }: BackendTableOptions): BackendTable => {
  const { clock } = world;
  const program = createInmateProgram(folder);
  return {
    inline: lazyBackend("inline", "none", async () => (await import("./inline.ts")).createBunInlineBackend(clock)),
    bubblewrap: lazyBackend("bubblewrap", "container", async () =>
      (await import("./bubblewrap.ts")).createBubblewrapBackend({
        program,
        clock,
        log,
        folder: `${folder}/bubblewrap`,
      }),
    ),
    landlock: lazyBackend("landlock", "process", async () =>
      (await import("./landlock.ts")).createLandlockBackend({ program, clock, log }),
    ),
    qemu: lazyBackend("qemu", "vm", async () =>
      (await import("./qemu/qemu.ts")).createQemuBackend({ ...world, log, fallbackFolder: `${folder}/vm` }),
    ),
    process: lazyBackend("process", "process", async () =>
      (await import("./process.ts")).createProcessBackend({ program, clock, log, randomText: () => randomText(world) }),
    ),
  };
};

const lazyBackend = (kind: BackendKind, isolation: Isolation, load: () => Promise<CellBackend>): CellBackend => {
  const backend = lazy(load);
  return {
    kind,
    traits: { isolation, snapshots: kind === "qemu" },
    probe: async () => (await backend()).probe(),
    open: async (spec) => (await backend()).open(spec),
  };
};

const RANDOM_BYTES = 16;
const randomText = (world: Pick<World, "random">): string => Buffer.from(world.random(RANDOM_BYTES)).toString("hex");
