/** Houses, rooms and agents: one definition of their five routes, used three times. */
import { createRoute } from "@hono/zod-openapi";
import {
  AgentRecord,
  CreateAgent,
  CreateHouse,
  CreateRoom,
  type HouseId,
  HouseId as HouseIdSchema,
  HouseRecord,
  PatchRecord,
  type RecordId,
  type RecordType,
  RoomRecord,
} from "@hearth/protocol";
import { z } from "zod";
import { sees } from "../access.ts";
import { answer } from "../answer.ts";
import { type App, jsonBody, jsonOperation, Name, operation, type RouteOptions } from "./route.ts";

interface Definition {
  readonly type: RecordType;
  readonly plural: string;
  readonly create: z.ZodType<{ readonly house?: HouseId | undefined; readonly content: unknown }>;
  readonly record: z.ZodType;
}

const definitions: readonly Definition[] = [
  { type: "house", plural: "houses", create: CreateHouse, record: HouseRecord },
  { type: "room", plural: "rooms", create: CreateRoom, record: RoomRecord },
  { type: "agent", plural: "agents", create: CreateAgent, record: AgentRecord },
];

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
        who: "agent",
        summary: `Lists the ${plural} that you see`,
        answers: { status: 200, schema: z.array(record) },
      }),
      request: { query: ListQuery },
    }),
    async (c) => {
      const { house } = c.req.valid("query");
      const self = await access.self(c.env.principal);
      return answer((await records.list(type, house)).filter((item) => sees(self, item)));
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path,
      ...jsonOperation(options, {
        id: `create${called}`,
        tag,
        who: "person",
        summary: `Makes ${type === "agent" ? "an" : "a"} ${type}`,
        answers: { status: 201, schema: record },
        errors: ["record.invalid", "record.handle-taken", "record.not-found"],
      }),
      request: { body: jsonBody(create) },
    }),
    async (c) => {
      const { house, content } = c.req.valid("json");
      const self = await access.self(c.env.principal);
      const home = type === "house" ? {} : { house: house ?? self.house };
      return answer(await records.mutate({ kind: "create", type, ...home, content }, self.id), 201);
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: one,
      ...operation(options, {
        id: `show${called}`,
        tag,
        who: "agent",
        summary: `Shows one ${type}`,
        answers: { status: 200, schema: record },
        errors: ["record.not-found"],
      }),
      request: { params: RecordPath },
    }),
    async (c) => {
      const found = await records.get(type, c.req.valid("param").id);
      await access.requireRecord(c.env.principal, found);
      return answer(found);
    },
  );

  app.openapi(
    createRoute({
      method: "patch",
      path: one,
      ...jsonOperation(options, {
        id: `edit${called}`,
        tag,
        who: "person",
        summary: `Changes fields of one ${type}`,
        answers: { status: 200, schema: record },
        errors: ["record.not-found", "record.invalid", "record.handle-taken", "record.version", "record.pinned"],
      }),
      request: { params: RecordPath, body: jsonBody(PatchRecord) },
    }),
    async (c) => {
      const { version, content } = c.req.valid("json");
      const { id } = await records.get(type, c.req.valid("param").id);
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
        who: "person",
        summary: `Removes one ${type} and answers what it was`,
        answers: { status: 200, schema: record },
        errors: ["record.not-found", "record.invalid", "record.pinned"],
      }),
      request: { params: RecordPath },
    }),
    async (c) => {
      const { id }: { id: RecordId } = await records.get(type, c.req.valid("param").id);
      return answer(await records.mutate({ kind: "remove", id }, c.env.principal.agent));
    },
  );
};
