/** Checks the invariants that must hold at every commit, and not only at the end of a run. */
import type { CommitResult, MemoryDisk } from "@hearth/warden/memory-warden";
import type { Families } from "./families.ts";
import type { Complain, IsLate } from "./far-side.ts";

type Commit = Parameters<MemoryDisk["store"]["commit"]>[0];

export interface Watch {
  committed(daemon: string, change: Commit, result: CommitResult): void;
  died(daemon: string): void;
  cellKilled(): void;
  readonly isLate: IsLate;
}

/** Deaths without a finished step after which an activation is given up. */
const DAEMON_DEATHS = 10;
const CELL_DEATHS = 3;

const OVER = ["replied", "skipped", "failed", "stopped"];

export const createWatch = ({
  disk,
  complain,
  families,
  isShared,
}: {
  readonly disk: MemoryDisk;
  readonly complain: Complain;
  readonly families: Families;
  /** Whether there are two daemons. Rows that one has left to the other may still be "running". */
  readonly isShared: boolean;
}): Watch => {
  /** The holder name of each daemon, from the leases that it writes. */
  const holders = new Map<string, string>();
  /** The final state of each activation. */
  const ended = new Map<string, string>();
  /** The daemon that runs each activation. */
  const running = new Map<string, string>();
  /** Steps, requests and deliveries that each daemon began, and the last writer of each. */
  const begun = new Set<string>();
  const last = new Map<string, string>();
  /**
   * The step of each request that a daemon began. Another daemon may replace the request of a step.
   */
  const stepOf = new Map<string, string>();

  /** Finished steps of each activation: now, and when its daemon last died. */
  const finished = new Map<string, number>();
  const finishedBefore = new Map<string, number>();
  /** Deaths in a row during which an activation ran without finishing a step. */
  const idleDeaths = new Map<string, number>();
  let cellsKilled = 0;

  /** I3: a step starts only after the model answer that requested it is in the journal. */
  const checkOrder = async (activation: string, step: number): Promise<void> => {
    if (step < 0) return;
    const before = await disk.store.select({
      table: "steps",
      where: { activation, kind: "model", state: "started" },
      and: [
        { column: "step", is: "<", value: step },
        { column: "step", is: ">=", value: 0 },
      ],
    });
    for (const { step: model } of before)
      complain("I3", `step ${step} of ${activation} started before the answer of step ${model} was in the journal`);
  };

  /** An activation is given up only after enough deaths in a row without a finished step. */
  const checkGivenUp = (id: string, error: unknown): void => {
    if (typeof error !== "string") return;
    if (/cell of this agent died \d+ times/.test(error) && cellsKilled < CELL_DEATHS)
      complain("I2", `${id} was given up for deaths of its cell, but only ${cellsKilled} cells were killed`);
    const deaths = idleDeaths.get(id) ?? 0;
    if (families.has("dying-turns") && /Hearth died \d+ times/.test(error) && deaths < DAEMON_DEATHS)
      complain("I2", `${id} was given up after ${deaths} daemons died without a step`);
  };

  const note = (daemon: string, what: string, state: unknown): void => {
    last.set(what, daemon);
    if (state === "started" || state === "sending") begun.add(`${daemon} ${what}`);
  };

  /** I10: only the newest holder of an agent's lease writes steps for it. */
  const checkOwner = async (daemon: string, activation: string): Promise<void> => {
    const [row] = await disk.store.select({ table: "activations", where: { id: activation } });
    const [lease] = await disk.store.select({ table: "leases", where: { name: `agent:${row?.agent ?? ""}` } });
    if (lease === undefined || lease.holder !== holders.get(daemon))
      complain("I10", `${daemon} wrote a step of ${activation} without the lease of its agent`);
  };

  /**
   * I10: an agent runs one activation per room. Rows that a dead daemon left as "running" do not
   * count.
   */
  const checkAlone = async (daemon: string, activation: string): Promise<void> => {
    running.set(activation, daemon);
    const [row] = await disk.store.select({ table: "activations", where: { id: activation } });
    if (row === undefined) return;
    const beside = await disk.store.select({
      table: "activations",
      where: { agent: row.agent, room: row.room, state: "running" },
    });
    const own = beside.filter(({ id }) => running.get(id) === daemon);
    if (own.length > 1)
      complain("I10", `${own.map(({ id }) => id).join(" and ")} of one agent run at once in one room`);
  };

  return {
    isLate: (daemon, what) =>
      isShared &&
      begun.has(`${daemon} ${what}`) &&
      [what, stepOf.get(`${daemon} ${what}`) ?? what].some((each) => last.get(each) !== daemon),

    cellKilled: () => void (cellsKilled += 1),
    died(daemon) {
      for (const [id, by] of running) {
        if (by !== daemon || ended.has(id)) continue;
        const count = finished.get(id) ?? 0;
        const hasProgress = count > (finishedBefore.get(id) ?? 0);
        finishedBefore.set(id, count);
        idleDeaths.set(id, hasProgress ? 0 : (idleDeaths.get(id) ?? 0) + 1);
        running.delete(id);
      }
    },

    committed(daemon, { writes, isReproducible }, { kind }) {
      if (kind !== "committed") return;
      for (const write of writes) {
        if (write.kind === "append" || write.kind === "trim") continue;
        const given: Readonly<Record<string, unknown>> =
          write.kind === "delete"
            ? write.where
            : write.kind === "update"
              ? { ...plain(write.where), ...plain(write.set) }
              : write.row;
        if (write.table === "leases" && write.kind === "put") holders.set(daemon, write.row.holder);
        // A write without a state erases a step's text, which needs no lease.
        if (write.table === "steps" && typeof given["state"] === "string") {
          void checkOwner(daemon, String(given["activation"]));
          const activation = String(given["activation"]);
          if (given["state"] === "started") void checkOrder(activation, Number(given["step"]));
          if (given["state"] === "done") finished.set(activation, (finished.get(activation) ?? 0) + 1);
          const step = `${activation}/${String(given["step"])}`;
          note(daemon, step, given["state"]);
          if (write.kind === "put") {
            note(daemon, write.row.input_hash, write.row.state);
            stepOf.set(`${daemon} ${write.row.input_hash}`, step);
          }
        }
        if (write.table === "outbox") note(daemon, String(given["id"]), given["state"]);
        if (write.table !== "activations" || typeof given["state"] !== "string") continue;
        const id = String(given["id"]);
        const before = ended.get(id);
        // An update whose condition does not match changed nothing.
        if (write.kind === "update" && before !== undefined && (write.where.state ?? before) !== before) continue;
        if (before !== undefined) complain("I2", `${id} had ended as ${before} and became ${given["state"]}`);
        if (OVER.includes(given["state"]) && isReproducible === true)
          complain("I2", `${id} ended as ${given["state"]} in a commit that a power failure may undo`);
        if (given["state"] === "failed") checkGivenUp(id, given["error"]);
        if (OVER.includes(given["state"])) ended.set(id, given["state"]);
        if (given["state"] === "running") running.set(id, daemon);
        if (given["state"] === "running" && !isShared) void checkAlone(daemon, id);
      }
    },
  };
};

/** Drops the column types, because unions of two tables are too large for the compiler. */
const plain = (columns: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => columns;
