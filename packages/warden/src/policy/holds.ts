/**
 * STOP: the agents that may not act until a person resumes them. The holds are stored, so that they
 * survive a restart.
 */
import type { DurableStreams, NewEvent, Store } from "../kernel/index.ts";
import type { AgentId, Hold, HoldScope, HouseId, World } from "@hearth/protocol";

export interface Holds {
  /** Whether the agent is held. Reads from memory, because every step calls this. */
  isHeld(agent: AgentId): boolean;
  isHouseHeld(): boolean;
  list(): readonly Hold[];
  /**
   * Holds the agents. The hold is in force before the promise resolves, and is reported in the
   * house's log. Throws if the disk cannot store it. The hold then lasts until the daemon ends,
   * or until a repeated call stores it.
   */
  hold(scope: HoldScope, by: AgentId): Promise<Hold>;
  /**
   * Ends a hold and returns whether there was one. The end is durable and in force when the
   * promise resolves, and is reported in the house's log.
   */
  release(scope: HoldScope, by: AgentId): Promise<boolean>;
  /** Called after each change. */
  onChange(listener: () => void): void;
  /** Calls the listeners. Called when the result of `isOnHold` has changed. */
  recheck(): void;
}

export interface HoldsOptions {
  readonly world: World;
  readonly store: Store;
  readonly streams: Pick<DurableStreams, "commit">;
  /** The house whose log reports the holds. */
  readonly house: HouseId;
  /** Whether all agents are held for a reason that `release` does not end. Default: never. */
  readonly onHold?: (() => boolean) | undefined;
}

export const createHolds = async ({
  world,
  store,
  streams,
  house,
  onHold = () => false,
}: HoldsOptions): Promise<Holds> => {
  const { clock } = world;
  const holds = new Map<HoldScope, Hold>();
  /** Holds in force that are not yet on disk. */
  const unkept = new WeakSet<Hold>();
  /** Holds in force until their release is on disk. */
  const ending = new Set<Hold>();
  /** The last write per scope. The writes of one scope reach the disk in order. */
  const last = new Map<HoldScope, Promise<void>>();
  const listeners: (() => void)[] = [];
  for (const { scope, by, at } of await store.select({ table: "holds" })) holds.set(scope, { scope, by, at });
  const tell = (): void => {
    for (const listener of listeners) listener();
  };

  const toEvent = ({ scope, by, at }: Hold, isHeld: boolean): NewEvent => ({
    stream: `house:${house}`,
    id: world.ids.fresh("evt"),
    event: { type: "hold-changed", at, by, scope, isHeld },
  });

  const inOrder = (scope: HoldScope, write: () => Promise<void>): Promise<void> => {
    const next = (last.get(scope) ?? Promise.resolve()).catch(() => {}).then(write);
    last.set(scope, next);
    return next;
  };

  const keep = (hold: Hold): Promise<void> =>
    inOrder(hold.scope, async () => {
      if (!unkept.has(hold)) return;
      await streams.commit({
        writes: [{ kind: "put", table: "holds", row: { ...hold } }],
        events: [toEvent(hold, true)],
      });
      unkept.delete(hold);
    });

  const forget = (hold: Hold, by: AgentId): Promise<void> =>
    inOrder(hold.scope, async () => {
      await streams.commit({
        writes: [{ kind: "delete", table: "holds", where: { scope: hold.scope } }],
        events: [toEvent({ scope: hold.scope, by, at: clock.now() }, false)],
      });
    });

  return {
    isHeld: (agent) => onHold() || holds.has("house") || holds.has(agent),
    isHouseHeld: () => onHold() || holds.has("house"),
    list: () => [...holds.values()],
    async hold(scope, by) {
      const known = holds.get(scope);
      // A hold that is being released does not count for a new STOP.
      if (known !== undefined && !ending.has(known)) {
        await keep(known);
        return known;
      }
      const hold: Hold = { scope, by, at: clock.now() };
      holds.set(scope, hold);
      unkept.add(hold);
      tell();
      await keep(hold);
      return hold;
    },
    async release(scope, by) {
      const known = holds.get(scope);
      if (known === undefined || ending.has(known)) return false;
      ending.add(known);
      try {
        await forget(known, by);
      } finally {
        ending.delete(known);
      }
      if (holds.get(scope) !== known) return true;
      holds.delete(scope);
      tell();
      return true;
    },
    onChange: (listener) => void listeners.push(listener),
    recheck: tell,
  };
};
