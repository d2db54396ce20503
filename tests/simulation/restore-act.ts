/**
 * Checks of a house whose disk was replaced by an older copy: while it is on hold, and after the
 * owner's decision.
 */
import type { RestoreWork } from "@hearth/protocol";
import type { House } from "./house.ts";

/** A snapshot of what the far sides of a house have received. */
export interface Snapshot {
  readonly requests: number;
  readonly effects: ReadonlyMap<string, number>;
  /** Ids of the deliveries that arrived, in order, by platform. */
  readonly arrived: readonly (readonly string[])[];
}

export const takeSnapshot = ({ requests, toolWorld, platforms }: House): Snapshot => ({
  requests: requests(),
  effects: new Map(toolWorld.effects),
  arrived: platforms.map(({ arrived }) => arrived.map(({ key }) => key)),
});

/** The sum of the audit logs' heads. */
export const auditedTo = async ({ disk }: House): Promise<number> =>
  (await disk.store.select({ table: "heads" }))
    .filter(({ stream }) => stream.startsWith("audit:"))
    .reduce((sum, { head }) => sum + head, 0);

/** Checks that no request, effect or delivery has happened since the snapshot. */
export const checkIdle = (house: House, since: Snapshot, when: string): void => {
  const now = takeSnapshot(house);
  if (now.requests > since.requests) house.complain("restore", `a model was asked ${when}`);
  if (sum(now.effects) > sum(since.effects)) house.complain("restore", `a tool took effect ${when}`);
  if (now.arrived.flat().length > since.arrived.flat().length) house.complain("restore", `something was sent ${when}`);
};

/** Checks that each repeated call or delivery belongs to listed work, or is a consequence of it. */
export const checkRepeats = async (
  house: House,
  since: Snapshot,
  work: RestoreWork,
  decidedAt: number,
): Promise<void> => {
  const now = takeSnapshot(house);
  const { store } = house.disk;
  const open = new Set<string>(work.activations.map(({ id }) => id));
  const unread = new Set<string>(work.messages.map(({ room }) => room));
  const listed = new Set<string>(work.deliveries.map(({ id }) => id));
  const rows = await store.select({ table: "activations" });
  const roots = new Set<string>(rows.filter(({ id }) => open.has(id)).flatMap(({ root }) => root ?? []));
  for (const [key, count] of now.effects) {
    const before = since.effects.get(key) ?? 0;
    if (before === 0 || count === before) continue;
    const [id = ""] = key.split("/");
    const row = rows.find((row) => row.id === id);
    if (
      !open.has(id) &&
      !open.has(row?.parent ?? "") &&
      !roots.has(row?.root ?? "none") &&
      !unread.has(row?.room ?? "")
    )
      house.complain("restore", `the call ${key} took effect again, but the owner's list did not contain it`);
  }
  for (const [index, keys] of now.arrived.entries()) {
    const before = since.arrived[index] ?? [];
    for (const id of keys.slice(before.length)) {
      if (!before.includes(id) || listed.has(id)) continue;
      const [row] = await store.select({ table: "outbox", where: { id } });
      if (row === undefined || row.created_at < decidedAt)
        house.complain("restore", `${id} was sent again, but the owner's list did not contain it`);
    }
  }
};

const sum = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((all, count) => all + count, 0);
