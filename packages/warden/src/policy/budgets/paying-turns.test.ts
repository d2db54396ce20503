import { expect, test } from "bun:test";
import type { ActivationId, AgentRecord } from "@hearth/protocol";
import { payingTurns } from "./paying-turns.ts";

const agent = (id: string): AgentRecord => ({ id, type: "agent" }) as AgentRecord;

/** Turns by id: the agent and the turn that requested them. */
const rows: Readonly<Record<string, { agent: string; parent: string | null; trigger: string; room?: string }>> = {
  act_first: { agent: "agent_first", parent: null, trigger: "heartbeat", room: "room_first" },
  act_second: { agent: "agent_second", parent: "act_first", trigger: "inbox", room: "room_second" },
  act_third: { agent: "agent_third", parent: "act_second", trigger: "inbox" },
  act_orphan: { agent: "agent_third", parent: "act_gone", trigger: "inbox" },
};
const sources = {
  records: { find: async (_type: string, id: string) => agent(id) },
  store: {
    select: async ({ where }: { where: { id: string } }) => {
      const row = rows[where.id];
      return row === undefined ? [] : [{ id: where.id, ...row }];
    },
  },
} as never;
const paid = async (id: string) =>
  (await payingTurns(id as ActivationId, agent(rows[id]?.agent ?? ""), sources)).map((turn) => [
    turn.activation,
    turn.agent.id,
    turn.isHeartbeat === true,
  ]);

test("a turn pays for its calls first, and every turn that requested it pays too", async () => {
  expect(await paid("act_third")).toEqual([
    ["act_third", "agent_third", false],
    ["act_second", "agent_second", false],
    ["act_first", "agent_first", true],
  ] as never);
  expect(await paid("act_first")).toEqual([["act_first", "agent_first", true]] as never);
});

test("a turn that pays names its room", async () => {
  const [first, second] = await payingTurns("act_second" as ActivationId, agent("agent_second"), sources);
  expect([first?.room, second?.room]).toEqual(["room_second", "room_first"] as never);
  expect(await payingTurns("act_gone" as ActivationId, agent("agent_first"), sources)).toEqual([
    { activation: "act_gone", agent: agent("agent_first") },
  ] as never);
});

test("a turn whose parent no longer exists pays alone", async () => {
  expect(await paid("act_orphan")).toEqual([["act_orphan", "agent_third", false]] as never);
});
