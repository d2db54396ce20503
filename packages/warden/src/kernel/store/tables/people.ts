/** The tables of records, and of the credentials and permissions of people. */
import type {
  AgentId,
  HearthRecord,
  HouseId,
  InviteId,
  KeyId,
  KeyScope,
  Level,
  LoginMethod,
  Place,
  PushChoices,
  RecordId,
  RecordType,
  Right,
  RoomId,
  SessionId,
  SpokenReplies,
} from "@hearth/protocol";
import { integer, json, nullable, table, text } from "./table.ts";

export const recordTables = {
  /** The current state of houses, rooms and agents. */
  records: table({
    columns: {
      id: text<RecordId>(),
      type: text<RecordType>(),
      house: text<HouseId>(),
      handle: text(),
      version: integer(),
      created_at: integer(),
      updated_at: integer(),
      content: json<HearthRecord["content"]>(),
    },
    key: ["id"],
    unique: [["house", "type", "handle"]],
    indexes: {
      records_type: { on: ["type", "handle"] },
    },
    owner: { by: "house", column: "house" },
    growsWith: "setup",
    hasRowid: true,
  }),
  keys: table({
    columns: {
      id: text<KeyId>(),
      name: text(),
      agent: text<AgentId>(),
      /** SHA-256 of the key. */
      hash: text(),
      created_at: integer(),
      revoked_at: nullable(integer()),
      /** Limits of its rights. Null for all rights of its agent. */
      scope: nullable(json<KeyScope>()),
      expires_at: nullable(integer()),
    },
    key: ["id"],
    unique: [["hash"]],
    indexes: {
      keys_agent: { on: ["agent"] },
    },
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
    credentials: "rows",
  }),
  /** The last use of each key. A separate table, so that a deferred write never restores a revoked key. */
  key_uses: table({
    columns: {
      id: text<KeyId>(),
      agent: text<AgentId>(),
      /** To within an hour. */
      used_at: integer(),
    },
    key: ["id"],
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
    credentials: "rows",
  }),
  /** Browser sessions, by the SHA-256 of their cookie. */
  logins: table({
    columns: {
      hash: text(),
      id: text<SessionId>(),
      agent: text<AgentId>(),
      /** The browser's description of itself. */
      about: text(),
      created_at: integer(),
      expires_at: integer(),
      /** The name that the person gave the browser. */
      name: nullable(text()),
      /** The last use, to within some minutes, and its address. */
      used_at: integer(),
      address: nullable(text()),
      /** How it began. Null: unknown. */
      method: nullable(text<LoginMethod>()),
    },
    key: ["hash"],
    unique: [["id"]],
    indexes: {
      logins_agent: { on: ["agent"], fewRows: "Sessions of a person are limited in number." },
      logins_expiry: { on: ["expires_at"] },
    },
    owner: { by: "agent", column: "agent" },
    growsWith: "use",
    retention: "area",
    credentials: "rows",
  }),
  /** Argon2id, in the PHC string format. */
  passwords: table({
    columns: {
      agent: text<AgentId>(),
      hash: text(),
      at: integer(),
    },
    key: ["agent"],
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
    credentials: "rows",
  }),
  /** People whose logins need a code. The seed is in the vault, under the name that `id` gives. */
  second_factors: table({
    columns: {
      agent: text<AgentId>(),
      id: text(),
      /** The time step of the last code that was used. Earlier codes are not accepted again. */
      last_step: integer(),
      created_at: integer(),
    },
    key: ["agent"],
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
    credentials: "rows",
  }),
  /** Codes that work once, in place of a code of the app. By their SHA-256. */
  recovery_codes: table({
    columns: {
      agent: text<AgentId>(),
      hash: text(),
      used_at: nullable(integer()),
    },
    key: ["agent", "hash"],
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
    credentials: "rows",
  }),
  /** Public keys with which people log in, by their credential id. */
  passkeys: table({
    columns: {
      id: text(),
      agent: text<AgentId>(),
      name: text(),
      /** COSE, as base64url. */
      public_key: text(),
      /** The signatures that the authenticator has counted. 0: it counts none. */
      counter: integer(),
      /** The name of the house's address for which it was made. */
      host: text(),
      created_at: integer(),
      /** The last login. Null: it was never used. */
      used_at: nullable(integer()),
    },
    key: ["id"],
    indexes: {
      passkeys_agent: { on: ["agent"] },
    },
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
    credentials: "rows",
  }),
  /** Accounts at OpenID Connect providers with which people log in. */
  identities: table({
    columns: {
      /** 128 bits of the SHA-256 of the issuer and the subject, which together identify the account. */
      id: text(),
      agent: text<AgentId>(),
      /** The name of the provider in the config file when the account was linked. */
      provider: text(),
      issuer: text(),
      subject: text(),
      /** The name or the address of the account, as the provider reported it. Only for display. */
      account: nullable(text()),
      created_at: integer(),
      /** The last login. Null: it was never used. */
      used_at: nullable(integer()),
    },
    key: ["id"],
    indexes: {
      identities_agent: { on: ["agent"] },
    },
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
    credentials: "rows",
  }),
  /** Invite links, by the SHA-256 of their token. */
  invites: table({
    columns: {
      id: text<InviteId>(),
      house: text<HouseId>(),
      hash: text(),
      /** The level of the guest on the rooms, or on the house. */
      level: text<Level>(),
      /** Null: the level applies to the whole house. */
      rooms: nullable(json<readonly RoomId[]>()),
      note: nullable(text()),
      by: text<AgentId>(),
      created_at: integer(),
      expires_at: integer(),
      used_at: nullable(integer()),
      used_by: nullable(text<AgentId>()),
      revoked_at: nullable(integer()),
      /** Rights of the guest beside the level. Null: none. */
      rights: nullable(json<readonly Right[]>()),
    },
    key: ["id"],
    unique: [["hash"]],
    indexes: {
      invites_house: { on: ["house"] },
    },
    owner: { by: "house", column: "house" },
    growsWith: "setup",
  }),
  /** Permissions on houses and rooms. */
  grants: table({
    columns: {
      agent: text<AgentId>(),
      /** A house's or a room's id. */
      target: text<Place>(),
      /** The house of the target. */
      house: text<HouseId>(),
      level: text<Level>(),
      by: text<AgentId>(),
      at: integer(),
      /** Rights beside the level. Null: none. */
      rights: nullable(json<readonly Right[]>()),
    },
    key: ["agent", "target"],
    indexes: {
      grants_target: { on: ["target"] },
    },
    owner: { by: "house", column: "house" },
    growsWith: "setup",
  }),
  /** Browsers of people that get notifications from a push service. */
  push_devices: table({
    columns: {
      /** 128 bits of the SHA-256 of the person and the endpoint. */
      id: text(),
      agent: text<AgentId>(),
      /** It gets nothing after the end of this session. Null: until it is removed. */
      session: nullable(text<SessionId>()),
      name: text(),
      /** The address at the push service, which only the browser and the house know. */
      endpoint: text(),
      /** The keys for which the house encrypts, as base64url. */
      p256dh: text(),
      auth: text(),
      created_at: integer(),
      sent_at: nullable(integer()),
    },
    key: ["id"],
    indexes: {
      push_devices_agent: { on: ["agent"] },
    },
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
    credentials: "rows",
  }),
  /** The kinds of notification that each person wants. */
  push_choices: table({
    columns: {
      agent: text<AgentId>(),
      choices: json<PushChoices>(),
    },
    key: ["agent"],
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
  }),
  /** Which replies each person hears. Without a row, `DEFAULT_SPOKEN_REPLIES`. */
  voice_choices: table({
    columns: {
      agent: text<AgentId>(),
      replies: text<SpokenReplies>(),
    },
    key: ["agent"],
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
  }),
  /** Rooms that people pinned or archived in their own lists. */
  room_views: table({
    columns: {
      /** The person. */
      agent: text<AgentId>(),
      room: text<RoomId>(),
      pinned_at: nullable(integer()),
      /** The head of the room when it was archived. */
      archived_head: nullable(integer()),
    },
    key: ["agent", "room"],
    indexes: {
      room_views_room: { on: ["room"] },
    },
    owner: { by: "room", column: "room" },
    growsWith: "setup",
  }),
};
