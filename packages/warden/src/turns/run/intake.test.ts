import { expect, test } from "bun:test";
import { createIntake } from "./intake.ts";

/**
 * A turn of this kind at its second step, in a room where another message waits and can be merged.
 */
const taken = async (row: { readonly trigger: string; readonly parent: string | null }): Promise<number> => {
  let asked = 0;
  const intake = createIntake({
    lanes: {
      take: () => {
        asked += 1;
        return [];
      },
      giveBack: () => {},
    },
    queueKeyOf: () => "lane",
  } as never);
  const turn = {
    row: { id: "act_1", person: "agent_ana", ...row },
    agent: { id: "agent_main", content: { queue: "steer" } },
    durable: Promise.resolve(),
    unheardFrom: undefined,
  };
  expect(await intake(turn as never, 1)).toEqual([]);
  return asked;
};

test("the turn of a message reads messages that arrived meanwhile", async () => {
  expect(await taken({ trigger: "message", parent: null })).toBe(1);
});

test.each([
  ["a job", { trigger: "job", parent: null }],
  ["a heartbeat", { trigger: "heartbeat", parent: null }],
  ["another agent's question", { trigger: "inbox", parent: "act_0" }],
])("the turn of %s takes in no room talk", async (_name, row) => {
  expect(await taken(row)).toBe(0);
});
