/** The tables of the vault. None has a value or a key in plain text. */
import type {
  ActivationId,
  AgentId,
  EgressEntry,
  EgressId,
  HouseId,
  KeySourceKind,
  SecretGrantId,
  NewSecretGrant,
  SecretGrant,
} from "@hearth/protocol";
import { integer, json, nullable, table, text } from "./table.ts";

export const secretTables = {
  /** Secrets, each sealed with its own data key, which is sealed with the vault's key. */
  secrets: table({
    columns: {
      house: text<HouseId>(),
      name: text(),
      /** Increases with each value. */
      version: integer(),
      /** The vault key that `wrapped` is sealed with. */
      key: text(),
      /** Nonce and box, base64. */
      wrapped: text(),
      sealed: text(),
      created_at: integer(),
      set_at: integer(),
    },
    key: ["house", "name"],
    owner: { by: "house", column: "house" },
    growsWith: "setup",
  }),
  /** Which agents' requests receive a secret, and for which hosts. */
  secret_grants: table({
    columns: {
      id: text<SecretGrantId>(),
      house: text<HouseId>(),
      secret: text(),
      agent: text<SecretGrant["agent"]>(),
      /** The other terms. */
      terms: json<Omit<NewSecretGrant, "agent">>(),
      by: text<AgentId>(),
      at: integer(),
    },
    key: ["id"],
    indexes: {
      secret_grants_agent: { on: ["agent"] },
      secret_grants_secret: { on: ["house", "secret"] },
    },
    owner: { by: "house", column: "house" },
    growsWith: "setup",
  }),
  /** The key that seals data keys: where it is stored, and its proof. Never the key. */
  vault_keys: table({
    columns: {
      id: text(),
      source: text<KeySourceKind>(),
      /** Data that its source needs to find it; not secret. */
      about: text(),
      /** A known text sealed with the key, which detects a wrong key. */
      proof: text(),
      /** Increases with each change of a secret, so that a key change detects concurrent ones. */
      revision: integer(),
      created_at: integer(),
    },
    key: ["id"],
    owner: "home",
    growsWith: "setup",
  }),
  /** Network requests of turns. */
  egress: table({
    columns: {
      id: text<EgressId>(),
      agent: text<AgentId>(),
      activation: nullable(text<ActivationId>()),
      at: integer(),
      host: text(),
      port: integer(),
      method: nullable(text()),
      /** Without its query. */
      path: nullable(text()),
      outcome: text<EgressEntry["outcome"]>(),
      status: nullable(integer()),
      why: nullable(text()),
      sent_bytes: integer(),
      received_bytes: integer(),
      /** Names of injected secrets. */
      secrets: json<readonly string[]>(),
      /** Usage of a model request. */
      usage: nullable(json<NonNullable<EgressEntry["usage"]>>()),
    },
    key: ["id"],
    indexes: {
      egress_activation: { on: ["activation"], fewRows: "Requests of one activation, which is limited in time." },
      egress_at: { on: ["at"] },
      egress_secrets: { on: ["at"], where: { column: "secrets", is: "<", value: "[]" } },
    },
    owner: { by: "agent", column: "agent" },
    growsWith: "use",
  }),
};
