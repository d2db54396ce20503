/** Operations on houses, rooms and agents: the same five for each type. */
import { z } from "zod";
import { AgentList, CreateAgent, CreateHouse, CreateRoom, HouseList, PatchRecord, RoomList } from "../house/records.ts";
import { HouseId } from "../base/ids.ts";
import { AgentRecord, HouseRecord, type RecordType, RoomRecord } from "../people/record.ts";
import type { Needs } from "./needs.ts";
import { declareOperations } from "./operation.ts";
import { IdOrHandle } from "./parameters.ts";

interface Definition<
  Type extends RecordType,
  Plural extends string,
  Create extends z.ZodType,
  Record extends z.ZodType,
  List extends z.ZodType,
> {
  readonly type: Type;
  readonly plural: Plural;
  readonly create: Create;
  readonly record: Record;
  readonly list: List;
  readonly needs: { readonly create: Needs; readonly change: Needs; readonly remove: Needs };
}

const ListQuery = z.object({ house: HouseId.optional() });

const UPDATE_ERRORS = [
  "record.not-found",
  "record.invalid",
  "record.handle-taken",
  "record.version",
  "record.pinned",
] as const;

const recordOperationsFor = <
  const Type extends RecordType,
  const Plural extends string,
  Create extends z.ZodType,
  Record extends z.ZodType,
  List extends z.ZodType,
>({
  type,
  plural,
  create,
  record,
  list,
  needs,
}: Definition<Type, Plural, Create, Record, List>) => {
  const idSuffix = `${type[0]?.toUpperCase()}${type.slice(1)}`;
  return {
    list: {
      id: `list${idSuffix}s`,
      method: "GET",
      path: `/api/${plural}`,
      needs: "credential",
      summary: `Lists the visible ${plural}`,
      query: ListQuery,
      answers: { status: 200, schema: list },
    },
    create: {
      id: `create${idSuffix}`,
      method: "POST",
      path: `/api/${plural}`,
      needs: needs.create,
      summary: `Creates ${type === "agent" ? "an" : "a"} ${type}`,
      body: create,
      answers: { status: 201, schema: record },
      errors: ["record.invalid", "record.handle-taken", "record.not-found", "grant.exceeds"],
    },
    get: {
      id: `show${idSuffix}`,
      method: "GET",
      path: `/api/${plural}/{id}`,
      needs: `sight of ${type} {id}`,
      summary: `Shows one ${type}`,
      params: { id: IdOrHandle },
      answers: { status: 200, schema: record },
      errors: ["record.not-found"],
    },
    update: {
      id: `edit${idSuffix}`,
      method: "PATCH",
      path: `/api/${plural}/{id}`,
      needs: needs.change,
      summary: `Changes fields of one ${type}`,
      params: { id: IdOrHandle },
      body: PatchRecord,
      answers: { status: 200, schema: record },
      errors: [...UPDATE_ERRORS, "grant.exceeds"],
    },
    remove: {
      id: `remove${idSuffix}`,
      method: "DELETE",
      path: `/api/${plural}/{id}`,
      needs: needs.remove,
      summary: `Removes one ${type} and returns its last state`,
      params: { id: IdOrHandle },
      answers: { status: 200, schema: record },
      errors: ["record.not-found", "record.invalid", "record.pinned"],
    },
  } as const;
};

export const houseOperations = declareOperations(
  "Records",
  recordOperationsFor({
    type: "house",
    plural: "houses",
    create: CreateHouse,
    record: HouseRecord,
    list: HouseList,
    needs: { create: "x on home", change: "x on house {id}", remove: "x on house {id}" },
  }),
);

export const roomOperations = declareOperations(
  "Records",
  recordOperationsFor({
    type: "room",
    plural: "rooms",
    create: CreateRoom,
    record: RoomRecord,
    list: RoomList,
    needs: { create: "w on house in body", change: "x on room {id}", remove: "x on room {id}" },
  }),
);

export const agentOperations = declareOperations(
  "Records",
  recordOperationsFor({
    type: "agent",
    plural: "agents",
    create: CreateAgent,
    record: AgentRecord,
    list: AgentList,
    needs: { create: "x on house in body", change: "x on agent {id} or self", remove: "x on agent {id}" },
  }),
);
