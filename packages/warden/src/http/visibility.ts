/** What somebody sees: the houses, rooms and agents that are there for them. */
import type { Permissions, Principal, Records } from "../people/index.ts";
import { type HearthRecord, type HouseId, reaches, type RoomRecord } from "@hearth/protocol";

/** Whether the record is there for them; a room as the record says that it is, or was. */
export type Visibility = (record: HearthRecord) => Promise<boolean>;

export interface VisibilityOptions {
  readonly records: Pick<Records, "get" | "list">;
  readonly permissions: Pick<Permissions, "levelIn" | "levelOf" | "readers">;
}

/**
 * A sight is for one answer and not kept. Which rooms there are for somebody, and who is in them, it works out once, however many
 * records it is asked about, and only when a record's own house does not say enough.
 */
export const createVisibilityOf =
  ({ records, permissions }: VisibilityOptions) =>
  (principal: Principal): Visibility => {
    const reads = async (house: HouseId): Promise<boolean> => reaches(await permissions.levelOf(principal, house), "r");

    const rooms = once(async (): Promise<readonly RoomRecord[]> => {
      const all = await records.list("room");
      const has = await Promise.all(all.map((room) => permissions.levelIn(principal, room)));
      return all.filter((_, index) => reaches(has[index], "r"));
    });
    const houses = once(async () => new Set((await rooms()).map(({ house }) => house)));
    const company = once(async () => permissions.readers(await rooms()));

    return async (record) => {
      switch (record.type) {
        case "room":
          return reaches(await permissions.levelIn(principal, record), "r");
        case "house":
          return (
            (await reads(record.id)) ||
            (await records.get("agent", principal.agent)).house === record.id ||
            (await houses()).has(record.id)
          );
        case "agent":
          return record.id === principal.agent || (await reads(record.house)) || (await company()).has(record.id);
      }
    };
  };

const once = <Value>(ask: () => Promise<Value>): (() => Promise<Value>) => {
  let answer: Promise<Value> | undefined;
  return () => (answer ??= ask());
};
