/** Status of the house, in numbers. */
import type { Activations } from "../turns/index.ts";
import type { Records } from "../people/index.ts";
import type { Store } from "../kernel/index.ts";
import type { Status } from "@hearth/protocol";
import type { Pool } from "../cells/index.ts";
import type { Reach } from "./reach.ts";

export interface StatusOptions extends Pick<Status, "version" | "home" | "pid" | "startedAt"> {
  readonly reach: () => Reach;
  readonly records: Pick<Records, "list">;
  readonly activations: Pick<Activations, "counts">;
  readonly store: Pick<Store, "traits">;
  readonly cells: Pick<Pool, "list">;
}

export const readStatus = async (options: StatusOptions): Promise<Status> => {
  const { version, home, pid, startedAt, records, activations, store, cells } = options;
  const [houses, rooms, agents] = await Promise.all([
    records.list("house"),
    records.list("room"),
    records.list("agent"),
  ]);
  const { localUrl, publicUrl } = options.reach();
  return {
    ...{ version, home, url: localUrl, pid, startedAt },
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...{ houses: houses.length, rooms: rooms.length, agents: agents.length },
    activations: activations.counts(),
    durability: store.traits.durability,
    cells: [...cells.list()],
  };
};
