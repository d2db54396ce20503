/** The change of one grant: a level given, changed or revoked, in one commit with its event. */
import { type DurableStreams, type Guard, readJson, type Store, type Write, writeJson } from "../../kernel/index.ts";
import {
  type AgentId,
  type Grant,
  HearthError,
  type HouseRecord,
  type Level,
  type Right,
  rights as allRights,
  type RoomRecord,
  type World,
} from "@hearth/protocol";
import type { GrantBook } from "./grant-book.ts";
import type { Records } from "../records/records.ts";
import { planHomeNotice } from "../records/home-notices.ts";

/**
 * Gives the agent the level on the place, or revokes its grant if `level` is missing. Without
 * `rights`, the present rights stay. Throws `record.not-found`, `record.version`, `grant.last`.
 */
type ChangeGrant = (
  change: Pick<Grant, "agent" | "on" | "rights"> & { readonly level?: Level },
  place: HouseRecord | RoomRecord,
  by: AgentId,
) => Promise<Pick<Grant, "at" | "rights">>;

export interface GrantChangeOptions {
  readonly world: World;
  readonly store: Store;
  readonly streams: DurableStreams;
  readonly records: Records;
  readonly book: GrantBook;
}

export const createGrantChange =
  ({ world, store, streams, records, book }: GrantChangeOptions): ChangeGrant =>
  async ({ agent, on, level, rights }, place, by) => {
    const at = world.clock.now();
    const guards: Guard[] = [];
    const [currentGrant] = await store.select({ table: "grants", where: { agent, target: on } });
    const currentRights =
      currentGrant === undefined || currentGrant.rights === null ? [] : readJson(currentGrant.rights);
    const storedRights = level === undefined || level === "x" ? undefined : toStoredRights(rights ?? currentRights);
    const rightsJson = storedRights === undefined ? null : writeJson(storedRights);
    // A concurrent change of rights that this change copies is not undone.
    if (rights === undefined && level !== undefined)
      guards.push(
        currentGrant === undefined
          ? { name: "rights", kind: "absent", table: "grants", where: { agent, target: on } }
          : {
              name: "rights",
              kind: "exists",
              table: "grants",
              where: { agent, target: on, rights: currentGrant.rights },
            },
      );
    if (level !== undefined)
      guards.push({ name: "agent", kind: "exists", table: "records", where: { id: agent, type: "agent" } });
    if (place.type === "house" && level !== "x") {
      if (currentGrant?.level === "x") {
        const otherAdmin = await book.otherAdmin(place.id, agent);
        if (otherAdmin === undefined) throw lastAdminError(place.handle);
        guards.push({ kind: "exists", table: "grants", where: { agent: otherAdmin.agent, target: on, level: "x" } });
      }
    }
    const write: Write =
      level === undefined
        ? { kind: "delete", table: "grants", where: { agent, target: on } }
        : {
            kind: "put",
            table: "grants",
            row: { agent, target: on, house: place.house, level, by, at, rights: rightsJson },
          };
    try {
      const result = await streams.commit({
        guards,
        writes: [write],
        events: [
          {
            stream: `house:${place.house}`,
            id: world.ids.fresh("evt"),
            event: {
              type: "grant-changed",
              at,
              by,
              agent,
              on,
              ...(level === undefined ? {} : { level }),
              ...(storedRights === undefined ? {} : { rights: storedRights }),
            },
          },
          ...(level === undefined ? [] : await planHomeNotice({ world, records }, place, [{ agent, level, by, at }])),
        ],
      });
      if (result.kind === "refused" && result.guard === "agent") await records.get("agent", agent);
      if (result.kind === "refused" && result.guard === "rights") throw concurrentChangeError();
      if (result.kind !== "committed") throw lastAdminError(place.handle);
      return { at, ...(storedRights === undefined ? {} : { rights: storedRights }) };
    } finally {
      book.drop();
    }
  };

/** Returns each right once, in the order of their declaration, or undefined without any. */
export const toStoredRights = (rights: readonly Right[]): Right[] | undefined => {
  const uniqueRights = allRights.filter((right) => rights.includes(right));
  return uniqueRights.length === 0 ? undefined : uniqueRights;
};

const concurrentChangeError = (): HearthError =>
  new HearthError("record.version", "The grant was changed by another request at the same time.", {
    hint: "Try again.",
  });

/**
 * Returns the error: a house must keep a person with `x`, because its permissions could otherwise
 * not be repaired.
 */
export const lastAdminError = (house: string): HearthError =>
  new HearthError("grant.last", `House ${house} has no other person with x.`, {
    hint: "Give another person x there first: hearth grant add PERSON x --on HOUSE",
  });
