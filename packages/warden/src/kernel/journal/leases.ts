/**
 * Who may write for an agent. Each holder has a number that is higher than any before it, and every write of the journal is
 * guarded by it: a holder that was away too long, and does not know it, writes nothing any more.
 */
import { type AgentId, HearthError, type World } from "@hearth/protocol";
import type { Guard, Store, Write } from "../store/store.ts";

export interface Lease {
  readonly agent: AgentId;
  readonly fence: number;
  /** Holds while this lease is the newest. Goes with every write for the agent. */
  readonly guard: Guard;
  /** What keeps it going, when it is time for that: rides on a commit that is made anyway. Changes nothing here. */
  renewal(): readonly Write[];
  /** After a commit with these writes: a renewal among them counts from now on. One that nobody reports is planned again. */
  renewed(writes: readonly Write[]): void;
  /** Whether it may be somebody else's by now, as far as one can know without asking. Never where nobody else is. */
  hasRunOut(): boolean;
}

export interface Leases {
  /**
   * The agent's lease, taken if it is free, run out, or one of an earlier life of this house. Throws `lease.lost` while somebody
   * else holds it.
   */
  hold(agent: AgentId): Promise<Lease>;
  /** After a write was refused: the next `hold` asks the store again. */
  forget(agent: AgentId): void;
}

export interface LeasesOptions {
  readonly world: Pick<World, "clock">;
  readonly store: Store;
  /** Unique to this run of the daemon. */
  readonly holder: string;
  /**
   * `alone`: the home is locked, so every other holder is dead and its lease is taken at once. `shared`: others may work on this
   * store, and theirs is taken only once it has run out.
   */
  readonly house: "alone" | "shared";
}

/** A holder that has written nothing for this long may be replaced. */
export const LEASE_MS = 60_000;

export const createLeases = ({ world, store, holder, house }: LeasesOptions): Leases => {
  const held = new Map<AgentId, Lease>();
  const taking = new Map<AgentId, Promise<Lease>>();

  const toLease = (agent: AgentId, fence: number, from: number): Lease => {
    const name = nameOf(agent);
    let expiresAt = from;
    return {
      agent,
      fence,
      guard: { kind: "exists", table: "leases", where: { name, fence } },
      renewal() {
        const now = world.clock.now();
        if (now < expiresAt - LEASE_MS / 2) return [];
        return [{ kind: "update", table: "leases", where: { name, fence }, set: { expires_at: now + LEASE_MS } }];
      },
      renewed(writes) {
        for (const write of writes)
          if (write.kind === "update" && write.table === "leases")
            expiresAt = Math.max(expiresAt, write.set.expires_at ?? 0);
      },
      hasRunOut: () => house === "shared" && world.clock.now() >= expiresAt,
    };
  };

  const take = async (agent: AgentId): Promise<Lease> => {
    const name = nameOf(agent);
    const [row] = await store.select({ table: "leases", where: { name } });
    const now = world.clock.now();
    if (row !== undefined && row.holder !== holder && house === "shared" && row.expires_at > now) throw taken(agent);
    const fence = (row?.fence ?? 0) + 1;
    const expiresAt = now + LEASE_MS;
    const { kind } = await store.commit({
      guards: [
        row === undefined
          ? { kind: "absent", table: "leases", where: { name } }
          : { kind: "exists", table: "leases", where: { name, fence: row.fence, expires_at: row.expires_at } },
      ],
      writes: [{ kind: "put", table: "leases", row: { name, holder, fence, expires_at: expiresAt } }],
    });
    if (kind !== "committed") throw taken(agent);
    const fresh = toLease(agent, fence, expiresAt);
    held.set(agent, fresh);
    return fresh;
  };

  return {
    async hold(agent) {
      const known = held.get(agent);
      // One that ran out may be somebody else's by now: asking costs a read, being wrong costs a turn.
      if (known !== undefined && !known.hasRunOut()) return known;
      const waiting = taking.get(agent) ?? take(agent).finally(() => taking.delete(agent));
      taking.set(agent, waiting);
      return waiting;
    },
    forget: (agent) => void held.delete(agent),
  };
};

const nameOf = (agent: AgentId): string => `agent:${agent}`;

const taken = (agent: AgentId): HearthError =>
  new HearthError("lease.lost", `Another daemon of this house works for ${agent}.`, {
    hint: "It answers there. If it is gone, this one takes over within a minute.",
  });
