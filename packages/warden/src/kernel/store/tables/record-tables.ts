/** The tables of records, and of the credentials and permissions of people. */
import type {
  AgentId,
  HearthRecord,
  HouseId,
  KeyId,
  KeyScope,
  Level,
  Place,
  RecordId,
  RecordType,
  SessionId,
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
    },
    key: ["hash"],
    unique: [["id"]],
    indexes: {
      logins_agent: { on: ["agent"], fewRows: "Sessions of a person are limited in number." },
      logins_expiry: { on: ["expires_at"] },
    },
    owner: { by: "agent", column: "agent" },
    growsWith: "use",
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
    },
    key: ["agent", "target"],
    indexes: {
      grants_target: { on: ["target"] },
    },
    owner: { by: "house", column: "house" },
    growsWith: "setup",
  }),
};
