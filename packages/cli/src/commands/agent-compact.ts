/**
 * `hearth agent compact`: replaces the oldest part of a conversation with notes and a summary, and
 * lists compactions.
 */
import type { Compaction } from "@hearth/protocol";
import { withoutAt } from "../show/agent-list.ts";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeLine } from "../show/safe-text.ts";
import { localTime } from "../show/time.ts";
import { describeUsage } from "../show/turn-story.ts";

export const compact = defineCommand({
  summary: "Summarises an agent's conversation; later turns read the summary",
  needs: "x on the agent's house",
  args: [{ name: "AGENT" }],
  flags: {
    room: {
      kind: "text",
      value: "ROOM",
      summary: "the conversation in this room (default: your direct room with the agent)",
    },
    keep: {
      kind: "number",
      value: "N",
      min: 0,
      max: 1000,
      summary: "keep this number of the latest messages unchanged (default: 0)",
    },
    list: { kind: "switch", summary: "list past compactions instead of requesting one" },
  },
  details: [
    "The agent compacts at the start of its next turn in the room: it stores lasting facts in its memory and summarises the rest.",
    "Hearth also compacts automatically when a conversation approaches the model's context limit: hearth config list compaction shows its settings.",
    "The room keeps every message: hearth room events ROOM. To start a new session instead, send the message /new.",
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
      const compactions = await client.agents.compactions(id, room === undefined ? {} : { room });
      if (json) output.json(compactions);
      else
        output.table(
          ["WHEN", "STATE", "EVENTS", "MESSAGES", "USAGE", "NOTE"],
          compactions.map(toLine),
          "This conversation has no compactions.",
        );
      return exitCodes.done;
    }
    const targetRoom = await (room === undefined ? client.agents.room(id) : client.rooms.get(room));
    const compaction = await client.agents.compact(id, { room: targetRoom.id, keep });
    if (json) output.json(compaction);
    else
      output.line(`@${safeLine(handle)} will compact at the start of its next turn in ${safeLine(targetRoom.handle)}`);
    return exitCodes.done;
  },
});

const toLine = ({ at, state, range, messages, usage, files, reason }: Compaction): readonly string[] => [
  localTime(at),
  state,
  range === undefined ? "" : `${range.after + 1}–${range.through}`,
  messages === undefined ? "" : String(messages),
  describeUsage(usage),
  safeLine(reason ?? files.map(({ path }) => path).join(", ")),
];
