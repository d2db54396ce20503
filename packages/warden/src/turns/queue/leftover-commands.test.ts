import { expect, test } from "bun:test";
import { type AgentId, type Audience, type CellInfo, DEFAULT_CELL_LIMITS } from "@hearth/protocol";
import { createLeftoverCommands } from "./leftover-commands.ts";

const agent = "agent_1" as AgentId;
const other = "agent_2" as AgentId;
const ROOM = "room:room_1" as Audience;

const open = () => {
  const cells: CellInfo[] = [];
  const begin = (whose: AgentId, audience: Audience, openedAt: number): void => {
    const about = { agent: whose, audience, openedAt, backend: "process", isolation: "process", walls: [] } as const;
    cells.push({ ...about, walls: [], limits: DEFAULT_CELL_LIMITS, activations: [] });
  };
  return { cells, begin, left: createLeftoverCommands({ list: () => cells }) };
};

test("a command left running marks its cell's folder until the cell is closed", () => {
  const { cells, begin, left } = open();
  begin(agent, "private", 1);
  begin(agent, ROOM, 2);
  begin(other, "private", 3);
  left.record(agent, "private");
  left.record(agent, ROOM);
  expect([left.folders(agent), left.folders(other)]).toEqual([["", "rooms/room_1"], []]);
  cells.shift();
  expect(left.folders(agent)).toEqual(["rooms/room_1"]);
  begin(agent, "private", 9);
  expect(left.folders(agent)).toEqual(["rooms/room_1"]);
});

test("a cell that is already closed marks no folder", () => {
  const { begin, left } = open();
  left.record(agent, "private");
  begin(agent, "private", 5);
  expect(left.folders(agent)).toEqual([]);
});
