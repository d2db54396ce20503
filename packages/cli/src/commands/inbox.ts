/** `hearth inbox`: archives messages between agents. `hearth agent inbox AGENT` lists them. */
import { defineCommand, type Group } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { readId } from "../args/ids.ts";

const archive = defineCommand({
  summary: "Archives a message; agents no longer read it",
  needs: "x on the agent's house, or the agent itself",
  args: [{ name: "ID" }],
  flags: {},
  details: "People can still read archived messages. To list an agent's messages: hearth agent inbox AGENT",
  examples: ["hearth inbox archive note_01hzy7m8v3x2k5q9w4t6r8n0ab"],
  async run({ connect, json, output }, _flags, [id = ""]) {
    const client = await connect();
    const message = await client.inbox.archive(readId("note", id, "hearth agent inbox AGENT"));
    if (json) output.json(message);
    else output.line(`archived ${message.id}`);
    return exitCodes.done;
  },
});

export const inbox: Group = { kind: "group", summary: "Archives messages between agents", verbs: { archive } };
