/**
 * Answers queries about the agent's own records. In rooms and turns, the answer contains only what
 * the requesting person and all readers of the room may see too.
 */
import { createRoomName } from "../../../people/index.ts";
import {
  DEFAULT_MODEL,
  type EgressGrant,
  includesLevel,
  PUBLIC_WEB,
  type RoomRecord,
  showLimit,
} from "@hearth/protocol";
import type { HostCall } from "../call.ts";
import type { RoomParts } from "../parts.ts";
import { type RunHostTool } from "../tool.ts";

const MAX_SHOWN = 50;

export const houseQuery: RunHostTool<"house_query", RoomParts> = async ({ about }, call, parts) => ({
  text: (await answers[about](call, parts)).join("\n") || "Nothing.",
  failed: false,
});

type Answer = (call: HostCall, parts: RoomParts) => Promise<readonly string[]>;

const answers: Readonly<Record<"me" | "rooms" | "turns" | "network" | "budget", Answer>> = {
  async me({ agent, granted }) {
    const { content, handle } = agent;
    return [
      `name: ${content.name} (@${handle})`,
      `model: ${[content.model ?? DEFAULT_MODEL, ...(content.fallback ?? [])].join(", then ")}`,
      `tools: ${granted.join(", ")}`,
      ...(content.description === undefined ? [] : [`description: ${content.description}`]),
    ];
  },

  rooms: async (call, parts) =>
    Promise.all(
      (await sharedRooms(call, parts)).map(async (room) => {
        const { content, handle, id } = room;
        const name = await createRoomName(parts)(room);
        // If the handle was made from the name, it is shown.
        return `${name} (#${name === content.name ? handle : id}), ${content.kind}`;
      }),
    ),

  async turns(call, parts) {
    const shared = await sharedRooms(call, parts);
    const nameOf = createRoomName(parts);
    const rooms = new Map(
      await Promise.all(shared.map(async (room) => [room.id as string, await nameOf(room)] as const)),
    );
    const rows = await parts.store.select({
      table: "activations",
      where: { agent: call.agent.id },
      order: [{ column: "created_at", descending: true }],
      limit: MAX_SHOWN * 4,
    });
    return rows
      .filter(({ room }) => rooms.has(room))
      .slice(0, MAX_SHOWN)
      .map(
        ({ created_at, room, state, reason }) =>
          `${new Date(created_at).toISOString()} in ${rooms.get(room)}: ${state}${reason === null ? "" : `, ${reason}`}`,
      );
  },

  network: async ({ agent }) => (agent.content.egress ?? []).map(describe),

  async budget({ agent }, { budgets }) {
    const report = await budgets.report([agent], "agents");
    return report.budgets.map(({ per, spent, limit, left, resetsAt }) =>
      [
        `${per === "day" ? "today" : "this month"}: ${showLimit(spent)} spent`,
        ...(limit === undefined ? ["no limit of your own"] : [`of ${showLimit(limit)}, ${showLimit(left ?? {})} left`]),
        `resets at ${new Date(resetsAt).toISOString()}`,
      ].join(", "),
    );
  },
};

const sharedRooms = async ({ agent, activation }: HostCall, parts: RoomParts): Promise<readonly RoomRecord[]> => {
  const shared: RoomRecord[] = [];
  const currentRoom = await parts.records.find("room", activation.room);
  if (currentRoom === undefined) return [];
  for (const room of await parts.records.list("room")) {
    const levels = [agent.id, activation.person].map((id) => parts.levelOf({ agent: id }, room.id));
    if (
      (await Promise.all(levels)).every((level) => includesLevel(level, "r")) &&
      (await parts.mayCarry(agent, room.id, currentRoom))
    )
      shared.push(room);
    if (shared.length >= MAX_SHOWN) break;
  }
  return shared;
};

const describe = ({ host, port, methods, path, maxBytes }: EgressGrant): string =>
  [
    host === PUBLIC_WEB ? "public pages by http_fetch" : `${host}${port === undefined ? "" : `:${port}`}${path ?? ""}`,
    ...(methods === undefined ? [] : [methods.join(" ")]),
    ...(maxBytes === undefined ? [] : [`at most ${maxBytes} bytes a turn`]),
  ].join(", ");
