/**
 * Reports the usage of models to a caller: sums the rows that the caller may see, by one dimension
 * and by day.
 */
import type { Row } from "../kernel/index.ts";
import type { Policy } from "../policy/index.ts";
import type { Principal, Records } from "../people/index.ts";
import {
  type AgentRecord,
  type Clock,
  HearthError,
  type HearthRecord,
  includesLevel,
  MAX_USAGE_DAYS,
  MAX_USAGE_GROUPS,
  type RoomId,
  tokensOf,
  type UsageDimension,
  type UsageGroup,
  type UsageQuery,
  type UsageReport,
  type UsageSum,
  wallDay,
} from "@hearth/protocol";
import type { Access } from "./access.ts";

export interface UsageReportsOptions {
  readonly clock: Pick<Clock, "now">;
  readonly access: Access;
  readonly records: Pick<Records, "get" | "list">;
  readonly usage: Policy["usage"];
  /** Whether the caller may see the spending of this agent. */
  readonly mayRead: (principal: Principal, agent: AgentRecord) => Promise<boolean>;
}

type UsageRow = Row<"model_usage">;

/** The records that the caller may see, by id. */
interface VisibleRecords {
  readonly agents: ReadonlyMap<string, AgentRecord>;
  readonly rooms: ReadonlyMap<string, Extract<HearthRecord, { type: "room" }>>;
  /** Whether the caller sees costs of no agent, and of agents that were removed. */
  readonly isHomeAdmin: boolean;
  /** All present agents. */
  readonly present: ReadonlySet<string>;
}

export const createUsageReports = (options: UsageReportsOptions) => {
  const { clock, access, records, usage, mayRead } = options;

  const findVisible = async (principal: Principal): Promise<VisibleRecords> => {
    const agents = await records.list("agent");
    const readable = await Promise.all(agents.map((agent) => mayRead(principal, agent)));
    const rooms = new Set<RoomId>(await access.readableRooms(principal));
    return {
      agents: new Map(agents.flatMap((agent, index) => (readable[index] === true ? [[agent.id, agent] as const] : []))),
      rooms: new Map((await records.list("room")).flatMap((room) => (rooms.has(room.id) ? [[room.id, room]] : []))),
      isHomeAdmin: includesLevel(await access.levelOf(principal, access.home), "x"),
      present: new Set(agents.map(({ id }) => id)),
    };
  };

  const rangeOf = async ({ from, to, days }: UsageQuery): Promise<{ readonly from: string; readonly to: string }> => {
    const lastDay = to ?? wallDay(clock.now(), (await records.get("house", access.home)).content.timezone);
    const firstDay = from ?? subtractDays(lastDay, days - 1);
    if (countDaysBetween(firstDay, lastDay) >= 0 && countDaysBetween(firstDay, lastDay) < MAX_USAGE_DAYS)
      return { from: firstDay, to: lastDay };
    throw new HearthError("request.invalid", `The days from ${firstDay} to ${lastDay} are not a valid range.`, {
      hint: `Give two days, the earlier one as \`from\`, with at most ${MAX_USAGE_DAYS} days in total.`,
    });
  };

  return async (principal: Principal, query: UsageQuery): Promise<UsageReport> => {
    const { by } = query;
    const [agent, room, range] = await Promise.all([
      query.agent === undefined ? undefined : access.find(principal, "agent", query.agent),
      query.room === undefined ? undefined : access.find(principal, "room", query.room),
      rangeOf(query),
    ]);
    const visible = await findVisible(principal);
    if (room !== undefined) await access.require(principal, "r", room.id);
    const rows = (await usage.list(range.from, range.to)).filter(
      (row) =>
        isVisible(row, visible) &&
        (agent === undefined || row.agent === agent.id) &&
        (room === undefined || row.room === room.id),
    );
    const groups = groupBy(rows, (row) => keyOf(row, by, visible));
    if (by !== "day") groups.sort(byCost);
    return {
      currency: "USD",
      ...range,
      by,
      total: sumOf(rows),
      groups: groups
        .slice(0, by === "day" ? MAX_USAGE_DAYS : MAX_USAGE_GROUPS)
        .map((group) => withName(group, by, visible)),
      more: by === "day" ? 0 : Math.max(0, groups.length - MAX_USAGE_GROUPS),
    };
  };
};

const DAY_MS = 24 * 60 * 60_000;

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
/** Returns NaN if one of the days does not exist. */
const countDaysBetween = (from: string, to: string): number => (startOf(to) - startOf(from)) / DAY_MS;
const subtractDays = (day: string, days: number): string => {
  const startAt = startOf(day) - days * DAY_MS;
  return Number.isNaN(startAt) ? day : new Date(startAt).toISOString().slice(0, "2026-11-22".length);
};

const isVisible = ({ agent }: UsageRow, { agents, isHomeAdmin, present }: VisibleRecords): boolean =>
  agents.has(agent) || (isHomeAdmin && !present.has(agent));

/** Returns the value of the dimension. Rooms that the caller may not read share the key "". */
const keyOf = (row: UsageRow, by: UsageDimension, { rooms }: VisibleRecords): string =>
  by === "room" && !rooms.has(row.room) ? "" : row[by];

const groupBy = (rows: readonly UsageRow[], readKey: (row: UsageRow) => string): UsageGroup[] => {
  const groups = new Map<string, UsageRow[]>();
  for (const row of rows) {
    const key = readKey(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups].map(([key, group]) => ({
    ...(key === "" ? {} : { of: key }),
    total: sumOf(group),
    days: daysOf(group),
  }));
};

/** Groups rows by day. The rows come in the order of their days. */
const daysOf = (rows: readonly UsageRow[]): UsageGroup["days"] => {
  const days = new Map<string, UsageRow[]>();
  for (const row of rows) {
    const dayRows = days.get(row.day);
    if (dayRows === undefined) days.set(row.day, [row]);
    else dayRows.push(row);
  }
  return [...days].map(([day, group]) => ({ day, sum: sumOf(group) }));
};

const sumOf = (rows: readonly UsageRow[]): UsageSum => {
  const total = (column: NumberColumn): number => rows.reduce((sum, row) => sum + row[column], 0);
  return {
    calls: total("calls"),
    inputTokens: total("input_tokens"),
    outputTokens: total("output_tokens"),
    cacheReadTokens: total("cache_read_tokens"),
    cacheWriteTokens: total("cache_write_tokens"),
    money: total("money"),
    estimated: { tokens: total("estimated_tokens"), money: total("estimated_money") },
  };
};

type NumberColumn = { [Name in keyof UsageRow]: UsageRow[Name] extends number ? Name : never }[keyof UsageRow];

const byCost = ({ total: a }: UsageGroup, { total: b }: UsageGroup): number =>
  b.money - a.money || tokensOf(b) - tokensOf(a);

const withName = (group: UsageGroup, by: UsageDimension, { agents, rooms }: VisibleRecords): UsageGroup => {
  const { of } = group;
  if (of === undefined || (by !== "agent" && by !== "room")) return group;
  const record = by === "agent" ? agents.get(of) : rooms.get(of);
  const name = record === undefined ? undefined : (record.content.name ?? record.handle);
  return name === undefined ? group : { ...group, name };
};
