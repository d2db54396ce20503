/**
 * Leases: the right to write for an agent. Each holder has a higher number than earlier ones, and
 * every write of the journal is guarded by it, so a holder that was paused too long cannot write.
 */
import { type AgentId, HearthError, type World } from "@hearth/protocol";
import type { Guard, Store, Write } from "../store/store.ts";

export interface Lease {
  readonly agent: AgentId;
  readonly fence: number;
  /** Holds while this lease is the newest. It is part of every write for the agent. */
  readonly guard: Guard;
  /**
   * Returns the renewal to add to the next commit, if one is due. The call itself has no effect.
   */
  renewal(): readonly Write[];
  /**
   * Reports a commit with these writes. A renewal among them counts from now on. The lease plans
   * an unreported renewal again.
   */
  confirmRenewal(writes: readonly Write[]): void;
  /** Whether the lease may have expired. Needs no read. Always false in an exclusive home. */
  hasExpired(): boolean;
}

export interface Leases {
  /**
   * Returns the agent's lease. Takes it if it is free, has expired, or belongs to an earlier run
   * of this daemon. Throws `lease.lost` while another holder has it.
   */
  acquire(agent: AgentId): Promise<Lease>;
  /** Drops the cached lease after a refused write, so that the next `acquire` reads the store. */
  forget(agent: AgentId): void;
}

export interface LeasesOptions {
  readonly world: Pick<World, "clock">;
  readonly store: Store;
  /** An id that is unique to this run of the daemon. */
  readonly holder: string;
  /**
   * `alone`: the home is locked, so every other holder is dead, and its lease is taken at once.
   * `shared`: another daemon may use this store, and its lease is taken only after it expires.
   */
  readonly house: "alone" | "shared";
}

/** Time without a write after which a holder may be replaced. */
export const LEASE_MS = 60_000;

export const createLeases = ({ world, store, holder, house }: LeasesOptions): Leases => {
  const leases = new Map<AgentId, Lease>();
  const pendingLeases = new Map<AgentId, Promise<Lease>>();

  const toLease = (agent: AgentId, fence: number, initialExpiry: number): Lease => {
    const name = nameOf(agent);
    let expiresAt = initialExpiry;
    return {
      agent,
      fence,
      guard: { name: "lease", kind: "exists", table: "leases", where: { name, fence } },
      renewal() {
        const now = world.clock.now();
        if (now < expiresAt - LEASE_MS / 2) return [];
        return [{ kind: "update", table: "leases", where: { name, fence }, set: { expires_at: now + LEASE_MS } }];
      },
      confirmRenewal(writes) {
        for (const write of writes)
          if (write.kind === "update" && write.table === "leases")
            expiresAt = Math.max(expiresAt, write.set.expires_at ?? 0);
      },
      hasExpired: () => house === "shared" && world.clock.now() >= expiresAt,
    };
  };

  const acquireFromStore = async (agent: AgentId): Promise<Lease> => {
    const name = nameOf(agent);
    const [row] = await store.select({ table: "leases", where: { name } });
    const now = world.clock.now();
    if (row !== undefined && row.holder !== holder && house === "shared" && row.expires_at > now)
      throw leaseTakenError(agent);
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
    if (kind !== "committed") throw leaseTakenError(agent);
    const lease = toLease(agent, fence, expiresAt);
    leases.set(agent, lease);
    return lease;
  };

  return {
    async acquire(agent) {
      const cached = leases.get(agent);
      // An expired lease may have another holder. A read costs little, and a mistake would cost a
      // turn.
      if (cached !== undefined && !cached.hasExpired()) return cached;
      const acquisition =
        pendingLeases.get(agent) ?? acquireFromStore(agent).finally(() => pendingLeases.delete(agent));
      pendingLeases.set(agent, acquisition);
      return acquisition;
    },
    forget: (agent) => void leases.delete(agent),
  };
};

const nameOf = (agent: AgentId): string => `agent:${agent}`;

const leaseTakenError = (agent: AgentId): HearthError =>
  new HearthError("lease.lost", `Another daemon of this house runs the activations of ${agent}.`, {
    hint: "That daemon answers. If it is gone, this one takes over within a minute.",
  });
