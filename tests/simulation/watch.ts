/** Watches every commit as it becomes durable: what must hold at every instant and not only at the end. */
import type { CommitResult, MemoryDisk } from "@hearth/warden/memory-warden";
import type { Complain, IsLate } from "./far-side.ts";

type Commit = Parameters<MemoryDisk["store"]["commit"]>[0];

export interface Watch {
  committed(daemon: string, change: Commit, result: CommitResult): void;
  readonly isLate: IsLate;
}

const OVER = ["replied", "skipped", "failed", "stopped"];

export const createWatch = ({
  disk,
  complain,
  isShared,
}: {
  readonly disk: MemoryDisk;
  readonly complain: Complain;
  /** Whether there are two daemons: what one has left to the other stands there as it was. */
  readonly isShared: boolean;
}): Watch => {
  /** The name under which each daemon holds leases, as its first lease says. */
  const holders = new Map<string, string>();
  /** How each activation ended. */
  const ended = new Map<string, string>();
  /** Which daemon took each up last. */
  const running = new Map<string, string>();
  /** What each daemon began, and who wrote last about each. */
  const begun = new Set<string>();
  const last = new Map<string, string>();

  const note = (daemon: string, what: string, state: unknown): void => {
    last.set(what, daemon);
    if (state === "started" || state === "sending") begun.add(`${daemon} ${what}`);
  };

  /** I10: whoever writes for an agent is the newest holder of its lease. */
  const checkOwner = async (daemon: string, activation: string): Promise<void> => {
    const [row] = await disk.store.select({ table: "activations", where: { id: activation } });
    const [lease] = await disk.store.select({ table: "leases", where: { name: `agent:${row?.agent ?? ""}` } });
    if (lease === undefined || lease.holder !== holders.get(daemon))
      complain("I10", `${daemon} wrote a step of ${activation}, and another one holds its agent`);
  };

  /** One at a time for an agent in a room. What an earlier daemon left there as running does not run. */
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
      complain("I10", `${own.map(({ id }) => id).join(" and ")} run at once in one room for one agent`);
  };

  return {
    isLate: (daemon, what) => isShared && begun.has(`${daemon} ${what}`) && last.get(what) !== daemon,

    committed(daemon, { writes, remade }, { kind }) {
      if (kind !== "committed") return;
      for (const write of writes) {
        if (write.kind === "append") continue;
        const given: Readonly<Record<string, unknown>> =
          write.kind === "delete"
            ? write.where
            : write.kind === "update"
              ? { ...plain(write.where), ...plain(write.set) }
              : write.row;
        if (write.table === "leases" && write.kind === "put") holders.set(daemon, write.row.holder);
        if (write.table === "steps") {
          void checkOwner(daemon, String(given["activation"]));
          note(daemon, `${String(given["activation"])}/${String(given["step"])}`, given["state"]);
          if (write.kind === "put") note(daemon, write.row.input_hash, write.row.state);
        }
        if (write.table === "outbox") note(daemon, String(given["id"]), given["state"]);
        if (write.table !== "activations" || typeof given["state"] !== "string") continue;
        const id = String(given["id"]);
        const before = ended.get(id);
        // Meant for a row that was otherwise: it changed nothing.
        if (write.kind === "update" && before !== undefined && (write.where.state ?? before) !== before) continue;
        if (before !== undefined) complain("I2", `${id} had ended as ${before} and became ${given["state"]}`);
        if (OVER.includes(given["state"]) && remade === true)
          complain("I2", `${id} ended as ${given["state"]}, and that may go with the power`);
        if (OVER.includes(given["state"])) ended.set(id, given["state"]);
        if (given["state"] === "running" && !isShared) void checkAlone(daemon, id);
      }
    },
  };
};

/** Of whichever table: two of them together are more types than a compiler takes. */
const plain = (columns: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => columns;
