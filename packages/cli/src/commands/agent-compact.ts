/** `hearth agent compact`: the oldest of a conversation becomes notes and a summary, and which of them did. */
import type { Compaction } from "@hearth/protocol";
import { withoutAt } from "../agent-list.ts";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeLine } from "../safe-text.ts";
import { localTime } from "../time.ts";
import { tellUsage } from "../turn-story.ts";

export const compact = defineCommand({
  summary: "Has one of them make a summary of a conversation that it reads from then on",
  needs: "x on the agent's house",
  args: [{ name: "AGENT" }],
  flags: {
    room: { kind: "text", value: "ROOM", summary: "of what was said in that room (default: your direct room with it)" },
    keep: {
      kind: "number",
      value: "N",
      min: 0,
      max: 1000,
      summary: "so many of the last messages stay as they are (default: 0)",
    },
    list: { kind: "switch", summary: "show what was compacted so far, and ask for nothing" },
  },
  details: [
    "It is the first thing that its next turn there does: facts worth keeping go into its memory, the rest becomes a summary.",
    "By itself it happens when a conversation comes near to what the model takes: [compaction] in hearth.toml.",
    "What was said stays in the room: hearth room events ROOM. A conversation begins anew with the message: /new",
  ].join("\n"),
  examples: [
    "hearth agent compact main",
    "hearth agent compact main --room kitchen --keep 10",
    "hearth agent compact main --list",
  ],
  async run({ connect, json, output }, { room, keep = 0, list }, [name = ""]) {
    const client = await connect();
    const { id, handle } = await client.agents.get(withoutAt(name));
    if (list) {
      const all = await client.agents.compactions(id, room === undefined ? {} : { room });
      if (json) output.json(all);
      else
        output.table(
          ["WHEN", "STATE", "EVENTS", "MESSAGES", "USAGE", "NOTE"],
          all.map(toLine),
          "Nothing of it was compacted.",
        );
      return exitCodes.done;
    }
    const where = await (room === undefined ? client.agents.room(id) : client.rooms.get(room));
    const asked = await client.agents.compact(id, { room: where.id, keep });
    if (json) output.json(asked);
    else output.line(`@${safeLine(handle)} begins its next turn in ${safeLine(where.handle)} with a compaction`);
    return exitCodes.done;
  },
});

const toLine = ({ at, state, range, messages, usage, files, reason }: Compaction): readonly string[] => [
  localTime(at),
  state,
  range === undefined ? "" : `${range.after + 1}–${range.through}`,
  messages === undefined ? "" : String(messages),
  tellUsage(usage),
  safeLine(reason ?? files.map(({ path }) => path).join(", ")),
];
