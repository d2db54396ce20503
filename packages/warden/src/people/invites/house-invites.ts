/**
 * Invite links. The token of a link is shown once and stored as SHA-256. One commit uses up the
 * link and creates the person, their rights, their password and their session.
 */
import { type Guard, readJson, type Row, type Store, type Write, writeJson } from "../../kernel/index.ts";
import {
  type AcceptInvite,
  type AgentId,
  type CreateInvite,
  DEFAULT_INVITE_DAYS,
  HearthError,
  type HouseId,
  type Invite,
  type InviteId,
  type InvitePreview,
  isHearthError,
  MAX_INVITE_DAYS,
  nameToHandle,
  type RoomId,
  type RoomRecord,
  type World,
} from "@hearth/protocol";
import type { Device, Logins, NewSession } from "../credentials/house-logins.ts";
import type { Passwords } from "../credentials/house-passwords.ts";
import { newSecret } from "../credentials/secret.ts";
import { toStoredRights } from "../permissions/grant-change.ts";
import { requireVisible } from "../records/plain-name.ts";
import type { Records } from "../records/records.ts";

export interface InviteAcceptance {
  readonly session: NewSession;
  readonly handle: string;
  /** The first room of the invite. */
  readonly room: RoomRecord | undefined;
}

/** Invites. Guests pass the token of their link. An invalid one throws `auth.link`. */
export interface Invites {
  /** Returns the invites, newest first. */
  list(house: HouseId): Promise<readonly Invite[]>;
  /**
   * Throws `auth.denied` unless `by` is a person, `request.invalid` for an end in the past or in
   * the far future, and `record.not-found` for a room that is not a group room of the house.
   */
  create(house: HouseId, request: CreateInvite, by: AgentId): Promise<Invite & { readonly token: string }>;
  /** Revokes an invite. A used or revoked one stays as it is. Throws `record.not-found`. */
  revoke(house: HouseId, id: InviteId): Promise<Invite>;
  preview(token: string): Promise<InvitePreview>;
  /**
   * Accepts an invite. If two guests use one link, the house accepts exactly one. Throws
   * `record.handle-taken` and `record.invalid` for the name, and the link then stays valid.
   */
  accept(request: AcceptInvite, device: Device): Promise<InviteAcceptance>;
}

export interface InvitesOptions {
  readonly world: World;
  readonly store: Store;
  readonly records: Records;
  readonly passwords: Pick<Passwords, "prepare">;
  readonly logins: Pick<Logins, "prepare">;
}

const DAY_MS = 24 * 60 * 60_000;

type InviteRow = Row<"invites">;

export const createInvites = ({ world, store, records, passwords, logins }: InvitesOptions): Invites => {
  const { clock, hash, ids } = world;

  const toInvite = (row: InviteRow): Invite => describeInvite(row, clock.now());

  const get = async (house: HouseId, id: InviteId): Promise<InviteRow> => {
    const [row] = await store.select({ table: "invites", where: { id, house } });
    if (row !== undefined) return row;
    throw new HearthError("record.not-found", `There is no invite ${id}.`, { hint: "List them: hearth invite list" });
  };

  const requirePerson = async (by: AgentId): Promise<void> => {
    if ((await records.get("agent", by)).content.kind === "human") return;
    throw new HearthError("auth.denied", "Only a person can invite people.", {
      hint: "Use the key or the login of a person.",
    });
  };

  const requireRoom = async (id: RoomId, house: HouseId): Promise<void> => {
    const room = await records.get("room", id, house);
    if (room.content.kind === "group") return;
    throw new HearthError("request.invalid", `${room.content.name} is a direct room and cannot have further members.`, {
      hint: "Invite people to group rooms: hearth room list",
    });
  };

  const expiryOf = (requestedExpiry: number | undefined, now: number): number => {
    const expiresAt = requestedExpiry ?? now + DEFAULT_INVITE_DAYS * DAY_MS;
    if (expiresAt > now && expiresAt <= now + MAX_INVITE_DAYS * DAY_MS) return expiresAt;
    throw new HearthError("request.invalid", "The expiry of the invite is in the past or too far in the future.", {
      hint: `Choose an expiry within ${MAX_INVITE_DAYS} days.`,
    });
  };

  /** Returns the rooms of the invite, or undefined if one was removed. */
  const roomsOf = async ({ rooms, house }: InviteRow): Promise<readonly RoomRecord[] | undefined> => {
    const foundRooms: RoomRecord[] = [];
    for (const id of rooms === null ? [] : readJson(rooms)) {
      const room = await records.find("room", id, house);
      if (room === undefined) return undefined;
      foundRooms.push(room);
    }
    return foundRooms;
  };

  /** Returns the invite if it can be used now. */
  const openInvite = async (token: string) => {
    const [row] = await store.select({ table: "invites", where: { hash: hash(token) } });
    if (row === undefined || stateOf(row, clock.now()) !== "open") throw invalidInviteError();
    const [invitingGrant] = await store.select({ table: "grants", where: invitingGrantOf(row) });
    const rooms = await roomsOf(row);
    if (invitingGrant === undefined || rooms === undefined) throw invalidInviteError();
    return { row, rooms };
  };

  return {
    async list(house) {
      const rows = await store.select({ table: "invites", where: { house } });
      return rows.map(toInvite).toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
    },

    async create(house, { level, rooms, rights = [], note, expiresAt }, by) {
      await requirePerson(by);
      for (const room of rooms ?? []) await requireRoom(room, house);
      if (rights.length > 0 && rooms !== undefined) throw rightsInRoomsError();
      const storedRights = level === "x" ? undefined : toStoredRights(rights);
      if (note !== undefined) requireVisible("request.invalid", "The note", note);
      const now = clock.now();
      const token = newSecret(world);
      const row: InviteRow = {
        id: ids.fresh("inv"),
        house,
        hash: hash(token),
        level,
        rooms: rooms === undefined ? null : writeJson([...new Set(rooms)]),
        note: note ?? null,
        by,
        created_at: now,
        expires_at: expiryOf(expiresAt, now),
        used_at: null,
        used_by: null,
        revoked_at: null,
        rights: storedRights === undefined ? null : writeJson(storedRights),
      };
      await store.commit({ by, writes: [{ kind: "insert", table: "invites", row }] });
      return { ...toInvite(row), token };
    },

    async revoke(house, id) {
      await get(house, id);
      await store.commit({
        guards: [{ kind: "exists", table: "invites", where: { id, used_at: null, revoked_at: null } }],
        writes: [{ kind: "update", table: "invites", where: { id }, set: { revoked_at: clock.now() } }],
      });
      // Read again, because the link may have been used meanwhile.
      return toInvite(await get(house, id));
    },

    async preview(token) {
      const { row, rooms } = await openInvite(token);
      const house = await records.get("house", row.house);
      const by = await records.get("agent", row.by);
      return {
        house: house.content.name,
        by: by.content.name,
        level: row.level,
        ...(row.rooms === null ? {} : { rooms: rooms.map(({ content }) => content.name) }),
        ...(row.rights === null ? {} : { rights: [...readJson(row.rights)] }),
        expiresAt: row.expires_at,
      };
    },

    async accept({ token, name, password }, device) {
      const { row, rooms } = await openInvite(token);
      await requireFree(records, name, row.house);
      const toPassword = await passwords.prepare(password);
      const toSession = logins.prepare(device, "invite");
      try {
        const person = await records.mutate(
          {
            kind: "create",
            type: "agent",
            house: row.house,
            level: "none",
            content: { name, kind: "human" },
            sameCommit: (record) => {
              const agent = record.id as AgentId;
              return {
                guards: guardsOf(row),
                writes: [
                  ...grantsOf(row, agent, clock.now()),
                  {
                    kind: "update",
                    table: "invites",
                    where: { id: row.id },
                    set: { used_at: clock.now(), used_by: agent },
                  },
                  toPassword(agent),
                  toSession(agent).write,
                ],
              };
            },
          },
          row.by,
        );
        return { session: toSession(person.id as AgentId).session, handle: person.handle, room: rooms[0] };
      } catch (error) {
        // A guard failed: the link was used or revoked meanwhile, or its creator lost their rights.
        if (isHearthError(error, "record.version")) throw invalidInviteError();
        throw error;
      }
    },
  };
};

/** Refuses a taken name before the password is hashed. */
const requireFree = async (records: Pick<Records, "find">, name: string, house: HouseId): Promise<void> => {
  requireVisible("record.invalid", "Your name", name);
  if ((await records.find("agent", nameToHandle(name), house)) === undefined) return;
  throw new HearthError("record.handle-taken", `Another member of the house is already called "${name}".`, {
    hint: "Choose another name.",
  });
};

const describeInvite = (row: InviteRow, now: number): Invite => ({
  id: row.id,
  house: row.house,
  level: row.level,
  ...(row.rooms === null ? {} : { rooms: [...readJson(row.rooms)] }),
  ...(row.rights === null ? {} : { rights: [...readJson(row.rights)] }),
  ...(row.note === null ? {} : { note: row.note }),
  by: row.by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  state: stateOf(row, now),
  ...(row.used_by === null ? {} : { usedBy: row.used_by }),
});

const stateOf = ({ used_at, revoked_at, expires_at }: InviteRow, now: number): Invite["state"] => {
  if (used_at !== null) return "used";
  if (revoked_at !== null) return "revoked";
  return expires_at > now ? "open" : "expired";
};

/** Returns the right to invite, which the creator must still have when the link is used. */
const invitingGrantOf = ({ by, house }: InviteRow) => ({ agent: by, target: house, level: "x" as const });

const guardsOf = (row: InviteRow): readonly Guard[] => [
  { kind: "exists", table: "invites", where: { id: row.id, used_at: null, revoked_at: null } },
  { kind: "exists", table: "grants", where: invitingGrantOf(row) },
  ...placesOf(row).map((id): Guard => ({ kind: "exists", table: "records", where: { id, house: row.house } })),
];

const grantsOf = (row: InviteRow, agent: AgentId, at: number): readonly Write[] =>
  placesOf(row).map((target): Write => {
    const { house, level, by, rights } = row;
    return { kind: "insert", table: "grants", row: { agent, target, house, level, by, at, rights } };
  });

const placesOf = ({ rooms, house }: InviteRow): readonly (RoomId | HouseId)[] =>
  rooms === null ? [house] : readJson(rooms);

/**
 * Returns the same error for every link that cannot be used, so that it reveals nothing to a
 * stranger.
 */
const invalidInviteError = (): HearthError =>
  new HearthError("auth.link", "This invite link was already used, was revoked or has expired.", {
    hint: "Ask for a new link. If you used this link yourself, log in with your name and password.",
  });

const rightsInRoomsError = (): HearthError =>
  new HearthError("request.invalid", "Rights apply to the whole house, and this invite is for single rooms.", {
    hint: "Leave out the rooms or the rights.",
  });
