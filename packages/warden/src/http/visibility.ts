/** Determines which houses, rooms and agents a principal sees. */
import type { Permissions, Principal, Records } from "../people/index.ts";
import { type HearthRecord, type HouseId, includesLevel, type RoomRecord } from "@hearth/protocol";

/** Whether the principal sees the record; a room by the given record, current or former. */
export type Visibility = (record: HearthRecord) => Promise<boolean>;

export interface VisibilityOptions {
  readonly records: Pick<Records, "get" | "list">;
  readonly permissions: Pick<Permissions, "levelIn" | "levelOf" | "readers">;
}

/**
 * Created for one answer. Determines the visible rooms and their members once, for any number of
 * records, and only if a record's own house does not decide.
 */
export const createVisibilityOf =
  ({ records, permissions }: VisibilityOptions) =>
  (principal: Principal): Visibility => {
    const reads = async (house: HouseId): Promise<boolean> =>
      includesLevel(await permissions.levelOf(principal, house), "r");

    const rooms = once(async (): Promise<readonly RoomRecord[]> => {
      const all = await records.list("room");
      const has = await Promise.all(all.map((room) => permissions.levelIn(principal, room)));
      return all.filter((_, index) => includesLevel(has[index], "r"));
    });
    const houses = once(async () => new Set((await rooms()).map(({ house }) => house)));
    const peers = once(async () => permissions.readers(await rooms()));

    return async (record) => {
      switch (record.type) {
        case "room":
          return includesLevel(await permissions.levelIn(principal, record), "r");
        case "house":
          return (
            (await reads(record.id)) ||
            (await records.get("agent", principal.agent)).house === record.id ||
            (await houses()).has(record.id)
          );
        case "agent":
          return record.id === principal.agent || (await reads(record.house)) || (await peers()).has(record.id);
      }
    };
  };

const once = <Value>(ask: () => Promise<Value>): (() => Promise<Value>) => {
  let answer: Promise<Value> | undefined;
  return () => (answer ??= ask());
};
