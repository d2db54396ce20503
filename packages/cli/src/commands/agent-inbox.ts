/** `hearth agent inbox`: lists the messages that other agents left for an agent. */
import type { AgentRecord, InboxMessage, InboxStatus } from "@hearth/protocol";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeLine } from "../show/safe-text.ts";
import { formatAge } from "../show/time.ts";

const STATUSES = ["pending", "read", "archived"] as const satisfies readonly InboxStatus[];
/** Maximum length of a text in the table, in characters. */
const MAX_TEXT_LENGTH = 80;

export const inbox = defineCommand({
  summary: "Lists messages that other agents left for an agent",
  needs: "x on the agent's house, or the agent itself",
  args: [{ name: "AGENT" }],
  flags: { status: { kind: "text", value: "STATUS", choices: [...STATUSES], summary: "pending, read or archived" } },
  details: [
    "The agent sees pending messages in its next turn, whichever room that is in. They count as read when that turn ends with a reply.",
    "To archive a message: hearth inbox archive ID",
  ].join("\n"),
  examples: ["hearth agent inbox main", "hearth agent inbox main --status pending", "hearth agent inbox main --json"],
  async run({ connect, json, output, terminal }, { status }, [name = ""]) {
    const client = await connect();
    const messages = await client.agents.inbox(name, status === undefined ? {} : { status: status as InboxStatus });
    if (json) output.json(messages);
    else {
      const handles = handlesOf(messages.length === 0 ? [] : await client.agents.list());
      const now = terminal.now();
      output.table(
        ["ID", "FROM", "TYPE", "STATUS", "SENT", "TEXT"],
        messages.map((message) => toRow(message, handles, now)),
        "The inbox is empty.",
      );
    }
    return exitCodes.done;
  },
});

const handlesOf = (agents: readonly AgentRecord[]): ReadonlyMap<string, string> =>
  new Map(agents.map(({ id, handle }) => [id, `@${handle}`]));

const toRow = (
  { id, from, type, status, at, text }: InboxMessage,
  handles: ReadonlyMap<string, string>,
  now: number,
): string[] => {
  const line = safeLine(text);
  const shortText = line.length > MAX_TEXT_LENGTH ? `${line.slice(0, MAX_TEXT_LENGTH - 1).toWellFormed()}…` : line;
  return [id, handles.get(from) ?? from, type, status, formatAge(at, now), shortText];
};
