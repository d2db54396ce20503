/** Which backend an agent's kind of cell means on this machine. Asked of the machine once, when the first cell is to be opened. */
import { type AgentRecord, type BackendKind, type CellKind, lazy, HearthError } from "@hearth/protocol";
import type { CellBackend, Probe } from "./backend.ts";

/** Those that this house was built with. */
export type BackendTable = Readonly<Partial<Record<BackendKind, CellBackend>>>;

export interface Backends {
  /** Throws `cell.unavailable` with what is missing and how to get it. */
  choose(kind: CellKind): Promise<Chosen>;
  /** Every one, asked anew. */
  examine(): Promise<readonly { readonly backend: CellBackend; readonly probe: Probe }[]>;
}

export interface Chosen {
  readonly backend: CellBackend;
  readonly probe: Probe;
}

/** Fast ones with walls first. `process` is no wall, but the house says so and keeps commands out of it. */
const AUTO = ["bubblewrap", "landlock", "process"] as const satisfies readonly BackendKind[];
/** Only what has walls. */
const STRONGEST = ["qemu", "bubblewrap", "landlock"] as const satisfies readonly BackendKind[];

export const createBackends = (table: BackendTable): Backends => {
  const ask = async (kind: BackendKind): Promise<Chosen> => {
    const backend = table[kind];
    if (backend === undefined) throw unavailable(`This house has no cells of kind ${kind}.`);
    return { backend, probe: await backend.probe() };
  };
  const asked = new Map<BackendKind, () => Promise<Chosen>>();
  const askOnce = (kind: BackendKind): Promise<Chosen> => {
    const late = asked.get(kind) ?? lazy(() => ask(kind));
    asked.set(kind, late);
    return late();
  };

  const firstOf = async (kind: CellKind, order: readonly BackendKind[]): Promise<Chosen> => {
    const reasons: string[] = [];
    for (const each of order.filter((name) => table[name] !== undefined)) {
      const chosen = await askOnce(each);
      if (chosen.probe.ok) return chosen;
      reasons.push(`${each}: ${chosen.probe.why ?? "does not work"}`);
    }
    throw unavailable(`No cell of kind ${kind} works here. ${reasons.join(" · ")}`);
  };

  return {
    async choose(kind) {
      if (kind === "auto") return firstOf(kind, AUTO);
      if (kind === "strongest") return firstOf(kind, STRONGEST);
      return firstOf(kind, [kind]);
    },
    examine: () => Promise.all(Object.keys(table).map((kind) => ask(kind as BackendKind))),
  };
};

/** Whether what an agent's commands do is kept to its own files and to the house's egress. */
export const createHasWalls =
  (backends: Backends, kind: CellKind) =>
  async (agent: AgentRecord): Promise<boolean> => {
    try {
      const { walls } = (await backends.choose(agent.content.cell ?? kind)).probe;
      return walls.has("fs") && walls.has("net");
    } catch {
      // It has no cell at all: whoever sits down is told why.
      return false;
    }
  };

const unavailable = (message: string): HearthError =>
  new HearthError("cell.unavailable", message, { hint: "Run: hearth doctor" });
