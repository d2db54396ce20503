/** The agents, rooms and houses of a fake house, and the routes that read and change them. */
import {
  type AgentContent,
  AgentRecord,
  type ErrorBody,
  type HouseContent,
  HouseId,
  HouseRecord,
  type RoomContent,
  RoomRecord,
  errorStatus,
  nameToHandle,
} from "@hearth/protocol";

export interface FakeRecords {
  readonly agents: readonly AgentRecord[];
  readonly rooms: readonly RoomRecord[];
  readonly houses: readonly HouseRecord[];
  addAgent(content: AgentContent): AgentRecord;
  addRoom(content: RoomContent): RoomRecord;
  /** All agents and rooms belong to the first house. */
  addHouse(content: HouseContent): HouseRecord;
  /** Answers a request. Returns undefined when it is not about a record. */
  answer(
    request: Request,
    about: { readonly kind: string; readonly name?: string; readonly body: unknown },
  ): Response | undefined;
}

export const errorResponse = (error: ErrorBody): Response =>
  Response.json({ error }, { status: errorStatus[error.code] });

export const notFoundResponse = (): Response =>
  errorResponse({ code: "record.not-found", message: "It does not exist.", hint: "Look for it." });

/** Creates the records. `id` creates an id with a prefix. */
export const createFakeRecords = (id: (prefix: string) => string): FakeRecords => {
  const house = HouseId.parse(id("house"));
  const agents: AgentRecord[] = [];
  const rooms: RoomRecord[] = [];
  const houses: HouseRecord[] = [];
  const createBaseFields = () => ({ house, version: 1, createdAt: 1, updatedAt: 1 });

  const addAgent = (content: AgentContent): AgentRecord => {
    const handle = nameToHandle(content.name);
    const record = AgentRecord.parse({ type: "agent", id: id("agent"), handle, ...createBaseFields(), content });
    agents.push(record);
    return record;
  };
  const addRoom = (content: RoomContent): RoomRecord => {
    const handle = nameToHandle(content.name);
    const record = RoomRecord.parse({ type: "room", id: id("room"), handle, ...createBaseFields(), content });
    rooms.push(record);
    return record;
  };
  const addHouse = (content: HouseContent): HouseRecord => {
    const houseId = houses.length === 0 ? house : HouseId.parse(id("house"));
    const handle = nameToHandle(content.name);
    const record = HouseRecord.parse({
      type: "house",
      id: houseId,
      handle,
      ...createBaseFields(),
      house: houseId,
      content,
    });
    houses.push(record);
    return record;
  };

  return {
    agents,
    rooms,
    houses,
    addAgent,
    addRoom,
    addHouse,
    answer(request, { kind, name, body }) {
      const details = { request, name, body };
      if (kind === "houses") return answerFrom(houses, addHouse, details);
      if (kind === "agents") return answerFrom(agents, addAgent, details);
      return kind === "rooms" ? answerFrom(rooms, addRoom, details) : undefined;
    },
  };
};

const answerFrom = <Record extends AgentRecord | RoomRecord | HouseRecord>(
  list: Record[],
  add: (content: never) => Record,
  { request, name, body }: { readonly request: Request; readonly name: string | undefined; readonly body: unknown },
): Response => {
  if (name === undefined) {
    if (request.method === "GET") return Response.json(list);
    return Response.json(add((body as { content: never }).content), { status: 201 });
  }
  const index = list.findIndex((record) => record.id === name || record.handle === name);
  const record = list[index];
  if (record === undefined) return notFoundResponse();
  if (request.method === "DELETE") list.splice(index, 1);
  if (request.method !== "PATCH") return Response.json(record);
  const { content, version } = body as { content: { [field: string]: unknown }; version?: number };
  if (version !== undefined && version !== record.version)
    return errorResponse({ code: "record.version", message: "Another client changed it." });
  const mergedContent = Object.fromEntries(
    Object.entries({ ...record.content, ...content }).filter(([, value]) => value !== null),
  );
  const changedRecord = { ...record, version: record.version + 1, content: mergedContent } as Record;
  list[index] = changedRecord;
  return Response.json(changedRecord);
};
