/** `hearth cell`: lists, opens and closes the sandboxes (cells) in which agents run tools. */
import { type CellInfo, type CellLimits, isHearthError } from "@hearth/protocol";
import { withoutAt } from "../show/agent-list.ts";
import { type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeLine } from "../show/safe-text.ts";
import { formatAge } from "../show/time.ts";

const list = defineCommand({
  summary: "Lists open cells with their isolation, limits and running activations",
  needs: "a credential",
  flags: { agent: { kind: "text", value: "AGENT", summary: "only cells of this agent" } },
  details:
    "Lists cells of agents whose house you may read. WALLS lists what a cell is isolated from: fs (files outside of it), net (the network, except through the house), kernel, memory, pids and cpu.",
  examples: ["hearth cell list", "hearth cell list --agent main", "hearth cell list --json"],
  async run({ connect, json, output, terminal }, { agent }) {
    const client = await connect();
    const agentId = agent === undefined ? undefined : (await client.agents.get(withoutAt(agent))).id;
    const cells = (await client.cells.list()).filter((cell) => agentId === undefined || cell.agent === agentId);
    if (json) {
      output.json(cells);
      return exitCodes.done;
    }
    const [agents, rooms] =
      cells.length === 0 ? [[], []] : await Promise.all([client.agents.list(), client.rooms.list()]);
    const names = new Map<string, string>([
      ...agents.map(({ id, handle }) => [id, `@${handle}`] as const),
      ...rooms.map(({ id, handle }) => [`room:${id}`, `room ${handle}`] as const),
    ]);
    output.table(
      ["AGENT", "AUDIENCE", "BACKEND", "ISOLATION", "WALLS", "LIMITS", "OPENED", "ACTIVATIONS"],
      cells.map((cell) => [
        names.get(cell.agent) ?? cell.agent,
        names.get(cell.audience) ?? cell.audience,
        describeBackend(cell),
        cell.isolation,
        cell.walls.join(" ") || "none",
        describeLimits(cell.limits),
        formatAge(cell.openedAt, terminal.now()),
        cell.activations.length === 0 ? "nothing" : cell.activations.join(" "),
      ]),
      "No cell is open. A cell opens when an agent wakes.",
    );
    return exitCodes.done;
  },
});

const open = defineCommand({
  summary: "Opens an agent's cell for a room, ahead of its first use",
  needs: "x on the agent's house",
  args: [{ name: "AGENT" }, { name: "ROOM", optional: true }],
  flags: {},
  details:
    "Without ROOM, uses your direct room with the agent. If everyone who may read the room has x on the agent's house, the room uses the agent's private cell; otherwise it has a separate cell.",
  examples: ["hearth cell open main", "hearth cell open main kitchen --json"],
  async run({ connect, json, output }, _flags, [name = "", room]) {
    const client = await connect();
    const { id, handle } = await client.agents.get(withoutAt(name));
    const cell = await client.cells.open(id, room ?? (await client.agents.room(id)).id);
    if (json) output.json(cell);
    else
      output.line(
        `a cell of @${safeLine(handle)} is open: ${describeBackend(cell)}, ${cell.walls.length === 0 ? "no isolation" : `isolation: ${cell.walls.join(" ")}`}`,
      );
    return exitCodes.done;
  },
});

const close = defineCommand({
  summary: "Closes an agent's cells; running work continues in a new cell",
  needs: "x on the agent's house",
  args: [{ name: "AGENT" }],
  flags: {
    for: { kind: "text", value: "ROOM", summary: "only this cell: private, or a room with a separate cell" },
  },
  examples: ["hearth cell close main", "hearth cell close main --for private", "hearth cell close main --for kitchen"],
  async run({ connect, json, output }, { for: audience }, [name = ""]) {
    const client = await connect();
    const { id, handle } = await client.agents.get(withoutAt(name));
    const closedCount = await client.cells.close(
      id,
      audience === undefined || audience === "private" ? audience : await toRoomAudience(client, audience),
    );
    if (json) output.json({ closed: closedCount });
    else output.line(`${closedCount} ${closedCount === 1 ? "cell" : "cells"} of @${safeLine(handle)} closed`);
    return exitCodes.done;
  },
});

/** Returns the audience of a room. A removed room is found by its id. */
const toRoomAudience = async (
  client: { readonly rooms: { get(name: string): Promise<{ readonly id: string }> } },
  name: string,
): Promise<string> => {
  if (name.startsWith("room:")) return name;
  try {
    return `room:${(await client.rooms.get(name)).id}`;
  } catch (error) {
    if (isHearthError(error, "record.not-found") && name.startsWith("room_")) return `room:${name}`;
    throw error;
  }
};

/** Describes a backend, for example "bubblewrap (process 4711)". */
const describeBackend = ({ backend, pid }: CellInfo): string =>
  safeLine(pid === undefined ? backend : `${backend} (process ${pid})`);

/** Describes limits, for example "1024 MiB, 256 processes, 1 CPU, files 1024 MiB, disk 4096 MiB". */
export const describeLimits = ({ memoryMiB, processes, cpus, fileMiB, diskMiB }: CellLimits): string =>
  `${memoryMiB} MiB, ${processes} processes, ${cpus} CPU, files ${fileMiB} MiB, disk ${diskMiB} MiB`;

export const cell: Group = {
  kind: "group",
  summary: "Lists, opens and closes the sandboxes of agents",
  verbs: { list, open, close },
};
