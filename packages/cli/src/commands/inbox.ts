/** Messages between agents, one by one. An agent's list of them: `hearth agent inbox AGENT`. */
import { defineCommand, type Group } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { readId } from "../ids.ts";

const archive = defineCommand({
  summary: "Puts a message away: no agent is shown it any more",
  needs: "x on the agent's house, or to be it",
  args: [{ name: "ID" }],
  flags: {},
  details: "It stays where it is for people to look up. List what an agent has: hearth agent inbox AGENT",
  examples: ["hearth inbox archive note_01hzy7m8v3x2k5q9w4t6r8n0ab"],
  async run({ connect, json, output }, _flags, [id = ""]) {
    const client = await connect();
    const message = await client.inbox.archive(readId("note", id, "hearth agent inbox AGENT"));
    if (json) output.json(message);
    else output.line(`archived ${message.id}`);
    return exitCodes.done;
  },
});

export const inbox: Group = { kind: "group", summary: "What agents leave for each other", verbs: { archive } };
