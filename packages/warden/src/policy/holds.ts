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
  /** Adds a listener that is called after each change. */
  onChange(listener: () => void): void;
  /**
   * Calls the listeners of `onChange`. The caller uses it after the result of `onHold` has changed.
   */
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
  const unstored = new WeakSet<Hold>();
  /** Holds in force until their release is on disk. */
  const releasing = new Set<Hold>();
  /** The last write per scope. The writes of one scope reach the disk in order. */
  const lastWrites = new Map<HoldScope, Promise<void>>();
  const listeners: (() => void)[] = [];
  for (const { scope, by, at } of await store.select({ table: "holds" })) holds.set(scope, { scope, by, at });
  const notifyListeners = (): void => {
    for (const listener of listeners) listener();
  };

  const toEvent = ({ scope, by, at }: Hold, isHeld: boolean): NewEvent => ({
    stream: `house:${house}`,
    id: world.ids.fresh("evt"),
    event: { type: "hold-changed", at, by, scope, isHeld },
  });

  const enqueueWrite = (scope: HoldScope, write: () => Promise<void>): Promise<void> => {
    const nextWrite = (lastWrites.get(scope) ?? Promise.resolve()).catch(() => {}).then(write);
    lastWrites.set(scope, nextWrite);
    return nextWrite;
  };

  const storeHold = (hold: Hold): Promise<void> =>
    enqueueWrite(hold.scope, async () => {
      if (!unstored.has(hold)) return;
      await streams.commit({
        writes: [{ kind: "put", table: "holds", row: { ...hold } }],
        events: [toEvent(hold, true)],
      });
      unstored.delete(hold);
    });

  const deleteHold = (hold: Hold, by: AgentId): Promise<void> =>
    enqueueWrite(hold.scope, async () => {
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
      const existingHold = holds.get(scope);
      // A hold that is being released does not count for a new STOP.
      if (existingHold !== undefined && !releasing.has(existingHold)) {
        await storeHold(existingHold);
        return existingHold;
      }
      const hold: Hold = { scope, by, at: clock.now() };
      holds.set(scope, hold);
      unstored.add(hold);
      notifyListeners();
      await storeHold(hold);
      return hold;
    },
    async release(scope, by) {
      const existingHold = holds.get(scope);
      if (existingHold === undefined || releasing.has(existingHold)) return false;
      releasing.add(existingHold);
      try {
        await deleteHold(existingHold, by);
      } finally {
        releasing.delete(existingHold);
      }
      if (holds.get(scope) !== existingHold) return true;
      holds.delete(scope);
      notifyListeners();
      return true;
    },
    onChange: (listener) => void listeners.push(listener),
    recheck: notifyListeners,
  };
};
