/**
 * Chooses the backend for an agent's kind of cell on this machine. Probes the backends once, when
 * the first cell is opened.
 */
import { type AgentRecord, type BackendKind, type CellKind, lazy, HearthError } from "@hearth/protocol";
import type { CellBackend, Probe } from "./backend.ts";

/** The backends that this house was built with. */
export type BackendTable = Readonly<Partial<Record<BackendKind, CellBackend>>>;

export interface Backends {
  /**
   * Returns the backend for this kind. Throws `cell.unavailable` with the missing requirement and
   * how to install it.
   */
  choose(kind: CellKind): Promise<ChosenBackend>;
  /** Probes every backend again. */
  examine(): Promise<readonly { readonly backend: CellBackend; readonly probe: Probe }[]>;
}

export interface ChosenBackend {
  readonly backend: CellBackend;
  readonly probe: Probe;
}

/**
 * The order in which `auto` tries backends: fast backends with walls first. `process` has no walls,
 * so the house does not offer commands there, and reports this.
 */
const AUTO_ORDER = ["bubblewrap", "landlock", "process"] as const satisfies readonly BackendKind[];
/** The order in which the strongest backend is chosen. All of them have walls. */
const STRONGEST_ORDER = ["qemu", "bubblewrap", "landlock"] as const satisfies readonly BackendKind[];

export const createBackends = (table: BackendTable): Backends => {
  const probeBackend = async (kind: BackendKind): Promise<ChosenBackend> => {
    const backend = table[kind];
    if (backend === undefined) throw unavailableError(`This house was built without the cell kind ${kind}.`);
    return { backend, probe: await backend.probe() };
  };
  const choices = new Map<BackendKind, () => Promise<ChosenBackend>>();
  const probeOnce = (kind: BackendKind): Promise<ChosenBackend> => {
    const choice = choices.get(kind) ?? lazy(() => probeBackend(kind));
    choices.set(kind, choice);
    return choice();
  };

  const firstOf = async (kind: CellKind, order: readonly BackendKind[]): Promise<ChosenBackend> => {
    const reasons: string[] = [];
    for (const candidate of order.filter((name) => table[name] !== undefined)) {
      const probed = await probeOnce(candidate);
      if (probed.probe.ok) return probed;
      reasons.push(`${candidate}: ${probed.probe.why ?? "does not work"}`);
    }
    throw unavailableError(`No cell of kind ${kind} works here. ${reasons.join(" · ")}`);
  };

  return {
    async choose(kind) {
      if (kind === "auto") return firstOf(kind, AUTO_ORDER);
      if (kind === "strongest") return firstOf(kind, STRONGEST_ORDER);
      return firstOf(kind, [kind]);
    },
    examine: () => Promise.all(Object.keys(table).map((kind) => probeBackend(kind as BackendKind))),
  };
};

/**
 * Creates the predicate whether an agent's commands are confined to its own files and to the
 * house's egress.
 */
export const createIsIsolated =
  (backends: Backends, kind: () => CellKind) =>
  async (agent: AgentRecord): Promise<boolean> => {
    try {
      const { walls } = (await backends.choose(agent.content.cell ?? kind())).probe;
      return walls.has("fs") && walls.has("net");
    } catch {
      // No cell works here. The activation that acquires a cell reports the reason.
      return false;
    }
  };

const unavailableError = (message: string): HearthError =>
  new HearthError("cell.unavailable", message, { hint: "Run: hearth doctor" });
