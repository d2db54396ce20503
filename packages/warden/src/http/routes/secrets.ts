/**
 * Secrets of a house: creating, setting, granting and removing. Values come in here and are never
 * returned.
 */
import { createRoute } from "@hono/zod-openapi";
import {
  ChangeVaultKey,
  CreateSecret,
  HearthError,
  NewSecretGrant,
  RotateSecret,
  SecretGrant,
  SecretGrantId,
  SecretInfo,
  SecretList,
  VaultStatus,
} from "@hearth/protocol";
import { z } from "zod";
import { answer, emptyAnswer } from "../answer.ts";
import { type App, jsonBody, jsonOperation, Name, operation, type RouteOptions } from "./route.ts";

const SecretPath = z.object({ house: Name, name: z.string().min(1).max(200).describe("name of the secret") });
const CHANGES = ["secret.not-found", "secret.invalid", "secret.locked", "record.version"] as const;

export const secretRoutes = (app: App, options: RouteOptions): void => {
  const { access, vault } = options;
  const tag = "Secrets";

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/houses/{house}/secrets",
      ...operation(options, {
        id: "listSecrets",
        tag,
        needs: "x on house {house}",
        summary: "Lists the secrets of a house and their grants, without values",
        answers: { status: 200, schema: SecretList },
        errors: ["record.not-found"],
      }),
      request: { params: z.object({ house: Name }) },
    }),
    async (c) => {
      const { id } = await access.find(c.env.principal, "house", c.req.valid("param").house);
      return answer((await vault.list(id)) satisfies readonly SecretInfo[]);
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/houses/{house}/secrets",
      ...jsonOperation(options, {
        id: "setSecret",
        tag,
        needs: "x on house {house}",
        summary: "Stores a secret under a new name",
        description: "Encrypted before it is written, and never shown again. It is not used until it is granted.",
        answers: { status: 201, schema: SecretInfo },
        errors: [...CHANGES, "record.not-found", "secret.taken"],
      }),
      request: { params: z.object({ house: Name }), body: jsonBody(CreateSecret) },
    }),
    async (c) => {
      const { principal } = c.env;
      const { id } = await access.find(principal, "house", c.req.valid("param").house);
      return answer(await vault.set(id, c.req.valid("json"), principal.agent), 201);
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/houses/{house}/secrets/{name}/rotate",
      ...jsonOperation(options, {
        id: "rotateSecret",
        tag,
        needs: "x on house {house}",
        summary: "Replaces the value of a secret; its grants stay",
        answers: { status: 200, schema: SecretInfo },
        errors: [...CHANGES, "record.not-found"],
      }),
      request: { params: SecretPath, body: jsonBody(RotateSecret) },
    }),
    async (c) => {
      const { principal } = c.env;
      const { house, name } = c.req.valid("param");
      const { id } = await access.find(principal, "house", house);
      return answer(await vault.rotate(id, { name, ...c.req.valid("json") }, principal.agent));
    },
  );

  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/houses/{house}/secrets/{name}",
      ...operation(options, {
        id: "removeSecret",
        tag,
        needs: "x on house {house}",
        summary: "Removes a secret and all of its grants",
        answers: { status: 204, text: "It is gone." },
        errors: ["record.not-found", "secret.not-found", "record.version"],
      }),
      request: { params: SecretPath },
    }),
    async (c) => {
      const { principal } = c.env;
      const { house, name } = c.req.valid("param");
      const { id } = await access.find(principal, "house", house);
      await vault.remove(id, name, principal.agent);
      return emptyAnswer(204);
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/houses/{house}/secrets/{name}/grants",
      ...jsonOperation(options, {
        id: "grantSecret",
        tag,
        needs: "x on house {house}",
        asks: "lasting",
        summary: "Grants a secret for an agent's requests to a host",
        description:
          "Inserted at the boundary, invisible to the agent. The host also needs an egress grant. Over plain HTTP only with `plain`.",
        answers: { status: 201, schema: SecretGrant },
        errors: [...CHANGES, "record.not-found", "secret.damaged"],
      }),
      request: { params: SecretPath, body: jsonBody(NewSecretGrant) },
    }),
    async (c) => {
      const { principal } = c.env;
      const { house, name } = c.req.valid("param");
      const { id } = await access.find(principal, "house", house);
      return answer(await vault.grant(id, name, c.req.valid("json"), principal.agent), 201);
    },
  );

  app.openapi(
    createRoute({
      method: "delete",
      path: "/api/houses/{house}/secrets/{name}/grants/{grant}",
      ...operation(options, {
        id: "revokeSecret",
        tag,
        needs: "x on house {house}",
        summary: "Revokes a secret's grant for an agent's requests",
        answers: { status: 204, text: "It is gone." },
        errors: ["record.not-found", "secret.not-found", "record.version"],
      }),
      request: { params: SecretPath.extend({ grant: z.string().min(1).max(200) }) },
    }),
    async (c) => {
      const { principal } = c.env;
      const { house, name, grant } = c.req.valid("param");
      const { id } = await access.find(principal, "house", house);
      const parsed = SecretGrantId.safeParse(grant);
      if (!parsed.success)
        throw new HearthError("secret.not-found", `${name} has no grant ${grant}.`, {
          hint: "List them: hearth secret list",
        });
      await vault.revoke(id, name, parsed.data, principal.agent);
      return emptyAnswer(204);
    },
  );

  keyRoutes(app, options);
};

const keyRoutes = (app: App, options: RouteOptions): void => {
  const { vault } = options;
  const tag = "Secrets";

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/vault",
      ...operation(options, {
        id: "showVault",
        tag,
        needs: "x on home",
        summary: "Shows whether secrets can be used, and where their key is",
        answers: { status: 200, schema: VaultStatus },
      }),
    }),
    async () => answer(vault.status()),
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/vault/key",
      ...jsonOperation(options, {
        id: "changeVaultKey",
        tag,
        needs: "x on home",
        asks: "whole",
        summary: "Re-encrypts all secrets of the home with a new key, and deletes the old one",
        answers: { status: 200, schema: VaultStatus },
        errors: ["secret.locked", "secret.invalid", "record.version"],
      }),
      request: { body: jsonBody(ChangeVaultKey) },
    }),
    async (c) => answer(await vault.changeKey(c.req.valid("json"))),
  );
};
