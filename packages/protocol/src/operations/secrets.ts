/** Operations on the secrets of a house and the key of the vault. */
import { z } from "zod";
import { IdOrHandle } from "./parameters.ts";
import {
  ChangeVaultKey,
  CreateSecret,
  NewSecretGrant,
  RotateSecret,
  SecretGrant,
  SecretInfo,
  SecretList,
  VaultStatus,
} from "../policy/secret.ts";
import { declareOperations } from "./operation.ts";

const SECRET_PARAMS = { house: IdOrHandle, name: z.string().min(1).max(200).describe("name of the secret") };
const CHANGE_ERRORS = ["secret.not-found", "secret.invalid", "secret.locked", "record.version"] as const;

export const secretOperations = declareOperations("Secrets", {
  list: {
    id: "listSecrets",
    method: "GET",
    path: "/api/houses/{house}/secrets",
    needs: "x on house {house} or secrets",
    summary: "Lists the secrets of a house and their grants, without values",
    params: { house: IdOrHandle },
    answers: { status: 200, schema: SecretList },
    errors: ["record.not-found"],
  },
  set: {
    id: "setSecret",
    method: "POST",
    path: "/api/houses/{house}/secrets",
    needs: "x on house {house} or secrets",
    freshLogin: true,
    summary: "Stores a secret under a new name",
    description:
      "Encrypted before it is written, and never shown again. It is not used until it is granted. The right `secrets` excludes names that the config file or a job uses.",
    params: { house: IdOrHandle },
    body: CreateSecret,
    answers: { status: 201, schema: SecretInfo },
    errors: [...CHANGE_ERRORS, "record.not-found", "secret.taken"],
  },
  rotate: {
    id: "rotateSecret",
    method: "POST",
    path: "/api/houses/{house}/secrets/{name}/rotate",
    needs: "x on house {house} or secrets",
    freshLogin: true,
    summary: "Replaces the value of a secret; its grants stay",
    params: SECRET_PARAMS,
    body: RotateSecret,
    answers: { status: 200, schema: SecretInfo },
    errors: [...CHANGE_ERRORS, "record.not-found"],
  },
  remove: {
    id: "removeSecret",
    method: "DELETE",
    path: "/api/houses/{house}/secrets/{name}",
    needs: "x on house {house} or secrets",
    summary: "Removes a secret and all of its grants",
    params: SECRET_PARAMS,
    answers: { status: 204, text: "It is gone." },
    errors: ["record.not-found", "secret.not-found", "record.version"],
  },
  grant: {
    id: "grantSecret",
    method: "POST",
    path: "/api/houses/{house}/secrets/{name}/grants",
    needs: "x on house {house} or secrets",
    requiresKey: "lasting",
    freshLogin: true,
    summary: "Grants a secret for an agent's requests to a host",
    description:
      "The warden's proxy inserts the secret into the request; the agent never sees it. The host also needs an egress grant. Plain HTTP requires `plain`. With the right `secrets`, only another agent on the terms of a present grant.",
    params: SECRET_PARAMS,
    body: NewSecretGrant,
    answers: { status: 201, schema: SecretGrant },
    errors: [...CHANGE_ERRORS, "record.not-found", "secret.damaged"],
  },
  revoke: {
    id: "revokeSecret",
    method: "DELETE",
    path: "/api/houses/{house}/secrets/{name}/grants/{grant}",
    needs: "x on house {house} or secrets",
    summary: "Revokes a secret's grant for an agent's requests",
    params: { ...SECRET_PARAMS, grant: z.string().min(1).max(200) },
    answers: { status: 204, text: "It is gone." },
    errors: ["record.not-found", "secret.not-found", "record.version"],
  },
  vault: {
    id: "showVault",
    method: "GET",
    path: "/api/vault",
    needs: "x on home or secrets",
    summary: "Shows whether secrets can be used, and where their key is",
    answers: { status: 200, schema: VaultStatus },
  },
  changeKey: {
    id: "changeVaultKey",
    method: "POST",
    path: "/api/vault/key",
    needs: "x on home",
    requiresKey: "whole",
    freshLogin: true,
    summary: "Re-encrypts all secrets of the home with a new key, and deletes the old one",
    body: ChangeVaultKey,
    answers: { status: 200, schema: VaultStatus },
    errors: ["secret.locked", "secret.invalid", "record.version"],
  },
});
