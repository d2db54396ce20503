/** Houses, rooms and agents: one definition of their five routes, used three times. */
import type { Principal } from "../../people/index.ts";
import { requireLasting } from "../../people/lazy.ts";
import { createRoute } from "@hono/zod-openapi";
import {
  AgentRecord,
  CreateAgent,
  CreateHouse,
  CreateRoom,
  type HouseId,
  HouseId as HouseIdSchema,
  HouseRecord,
  type Level,
  PatchRecord,
  type RecordId,
  type RecordType,
  RoomRecord,
} from "@hearth/protocol";
import { z } from "zod";
import type { Access } from "../access.ts";
import { answer } from "../answer.ts";
import type { Needs } from "../needs.ts";
import { type App, jsonBody, jsonOperation, Name, operation, type RouteOptions } from "./route.ts";

interface Definition {
  readonly type: RecordType;
  readonly plural: string;
  readonly create: z.ZodType<{
    readonly house?: HouseId | undefined;
    readonly content: unknown;
    readonly level?: Level | "none" | undefined;
  }>;
  readonly record: z.ZodType;
}

const definitions: readonly Definition[] = [
  { type: "house", plural: "houses", create: CreateHouse, record: HouseRecord },
  { type: "room", plural: "rooms", create: CreateRoom, record: RoomRecord },
  { type: "agent", plural: "agents", create: CreateAgent, record: AgentRecord },
];

const NEEDS: Readonly<Record<RecordType, { readonly create: Needs; readonly change: Needs; readonly remove: Needs }>> =
  {
    house: { create: "x on home", change: "x on house {id}", remove: "x on house {id}" },
    room: { create: "w on house in body", change: "x on room {id}", remove: "x on room {id}" },
    agent: { create: "x on house in body", change: "x on agent {id} or self", remove: "x on agent {id}" },
  };

/**
 * Fields that an agent may change in its own record. Its model, tools and triggers are for
 * administrators.
 */
const OWN: ReadonlySet<string> = new Set(["name", "description", "timezone"]);

const checkSelf = async (
  access: Access,
  principal: Principal,
  agent: AgentRecord,
  fields: readonly string[],
): Promise<void> => {
  if (agent.id !== principal.agent) return;
  if (agent.content.kind === "bot" || fields.some((field) => !OWN.has(field)))
    await access.require(principal, "x", agent.house);
};

/**
 * Whether the change grants an agent access: an agent with a level, or a room's list of members.
 */
const givesRights = (type: RecordType, content: unknown, level: Level | "none" | undefined): boolean => {
  if (type === "agent") return level !== "none";
  return type === "room" && typeof content === "object" && content !== null && Object.hasOwn(content, "members");
};

const ListQuery = z.object({ house: HouseIdSchema.optional() });
const RecordPath = z.object({ id: Name });

export const recordRoutes = (app: App, options: RouteOptions): void => {
  for (const definition of definitions) routesOf(app, options, definition);
};

const routesOf = (app: App, options: RouteOptions, { type, plural, create, record }: Definition): void => {
  const { records, access } = options;
  const tag = "Records";
  const path = `/api/${plural}`;
  const one = `${path}/{id}`;
  const called = `${type[0]?.toUpperCase()}${type.slice(1)}`;

  app.openapi(
    createRoute({
      method: "get",
      path,
      ...operation(options, {
        id: `list${called}s`,
        tag,
        needs: "credential",
        summary: `Lists the visible ${plural}`,
        answers: { status: 200, schema: z.array(record) },
      }),
      request: { query: ListQuery },
    }),
    async (c) => {
      const { house } = c.req.valid("query");
      return answer(await access.seen(c.env.principal, await records.list(type, house)));
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path,
      ...jsonOperation(options, {
        id: `create${called}`,
        tag,
        needs: NEEDS[type].create,
        summary: `Makes ${type === "agent" ? "an" : "a"} ${type}`,
        answers: { status: 201, schema: record },
        errors: ["record.invalid", "record.handle-taken", "record.not-found", "grant.exceeds"],
      }),
      request: { body: jsonBody(create) },
    }),
    async (c) => {
      const { house, content, level } = c.req.valid("json");
      if (givesRights(type, content, level)) requireLasting(c.env.principal);
      const self = await access.self(c.env.principal);
      const home = type === "house" ? {} : { house: house ?? self.house };
      const given = level === undefined ? {} : { level };
      return answer(await records.mutate({ kind: "create", type, ...home, ...given, content }, self.id), 201);
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: one,
      ...operation(options, {
        id: `show${called}`,
        tag,
        needs: `sight of ${type} {id}`,
        summary: `Shows one ${type}`,
        answers: { status: 200, schema: record },
        errors: ["record.not-found"],
      }),
      request: { params: RecordPath },
    }),
    async (c) => {
      return answer(await access.find(c.env.principal, type, c.req.valid("param").id));
    },
  );

  app.openapi(
    createRoute({
      method: "patch",
      path: one,
      ...jsonOperation(options, {
        id: `edit${called}`,
        tag,
        needs: NEEDS[type].change,
        summary: `Changes fields of one ${type}`,
        answers: { status: 200, schema: record },
        errors: [
          ...(["record.not-found", "record.invalid", "record.handle-taken"] as const),
          ...(["record.version", "record.pinned", "grant.exceeds"] as const),
        ],
      }),
      request: { params: RecordPath, body: jsonBody(PatchRecord) },
    }),
    async (c) => {
      const { version, content } = c.req.valid("json");
      const record = await access.find(c.env.principal, type, c.req.valid("param").id);
      const { id } = record;
      if (givesRights(type, content, "none")) requireLasting(c.env.principal);
      if (record.type === "agent") await checkSelf(access, c.env.principal, record, Object.keys(content));
      const only = version === undefined ? {} : { version };
      return answer(await records.mutate({ kind: "update", id, content, ...only }, c.env.principal.agent));
    },
  );

  app.openapi(
    createRoute({
      method: "delete",
      path: one,
      ...operation(options, {
        id: `remove${called}`,
        tag,
        needs: NEEDS[type].remove,
        summary: `Removes one ${type} and returns its last state`,
        answers: { status: 200, schema: record },
        errors: ["record.not-found", "record.invalid", "record.pinned"],
      }),
      request: { params: RecordPath },
    }),
    async (c) => {
      const { id }: { id: RecordId } = await access.find(c.env.principal, type, c.req.valid("param").id);
      return answer(await records.mutate({ kind: "remove", id }, c.env.principal.agent));
    },
  );
};
