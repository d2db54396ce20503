/** `hearth search`: finds messages, memory and workspace files, agents and rooms. */
import type { FoundAttachment, SearchAnswer } from "@hearth/protocol";
import { SearchKind } from "@hearth/protocol/api";
import { readWhen } from "../args/when.ts";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { createNames } from "../show/names.ts";
import { safeLine } from "../show/safe-text.ts";
import { localTime } from "../show/time.ts";

export const search = defineCommand({
  summary: "Finds messages, memory and workspace files, agents and rooms",
  needs: "a credential",
  args: [{ name: "WORDS", rest: true }],
  flags: {
    room: { kind: "text", value: "ROOM", summary: "only messages of this room" },
    from: { kind: "text", value: "NAME", summary: "only what this person or agent wrote or remembers" },
    since: { kind: "text", value: "WHEN", summary: "only messages since then: 2h, 30d, 2026-01-31, 2026-01-31T08:30" },
    until: { kind: "text", value: "WHEN", summary: "only messages before then" },
    kind: {
      kind: "text",
      value: "KINDS",
      summary: `only results of these kinds, separated by commas: ${SearchKind.options.join(", ")}`,
    },
    limit: { kind: "number", value: "N", min: 1, max: 50, summary: "at most this many messages (default: 20)" },
    cursor: { kind: "text", value: "CURSOR", summary: "the next page of messages; the page before prints its CURSOR" },
  },
  details:
    "All words must occur. The last word may be incomplete, and a quoted phrase must occur as it is. Messages are listed newest first. A message is also found by the text of its documents, with the page, and by captions and transcripts. Files of workspaces are found by their path and their text. The search finds only what you may read.",
  examples: [
    "hearth search boiler",
    'hearth search "boiler service" --room den --since 30d',
    "hearth search vidal --json",
  ],
  async run({ connect, json, output, terminal }, { room, from, since, until, kind, limit, cursor }, words) {
    const now = terminal.now();
    const client = await connect();
    const { find } = await client.search();
    const answer = await find({
      q: words.join(" "),
      ...(room === undefined ? {} : { room }),
      ...(from === undefined ? {} : { from }),
      ...(since === undefined ? {} : { since: readWhen("--since", since, now) }),
      ...(until === undefined ? {} : { until: readWhen("--until", until, now) }),
      ...(kind === undefined ? {} : { kind }),
      ...(limit === undefined ? {} : { limit }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    if (json) output.json(answer);
    else {
      const names = await createNames(client);
      const rooms = new Map((await client.rooms.list()).map(({ id, handle }) => [id, handle]));
      for (const { handle, name } of answer.agents) output.line(`agent  @${handle}  ${safeLine(name)}`);
      for (const { handle, name } of answer.rooms) output.line(`room  ${handle}  ${safeLine(name)}`);
      for (const { agent, path, lines, text } of answer.files)
        output.line(`memory of ${safeLine(await names.get(agent))}  ${safeLine(path)}:${lines[0]}  ${safeLine(text)}`);
      for (const { agent, path, line, excerpt } of answer.workspaceFiles) {
        const lineSuffix = line === undefined ? "" : `:${line}`;
        const text = excerpt === undefined ? "" : `  ${safeLine(excerpt.text)}`;
        output.line(`workspace of ${safeLine(await names.get(agent))}  ${safeLine(path)}${lineSuffix}${text}`);
      }
      for (const { room: roomId, author, at, excerpt, file } of answer.messages) {
        const filePrefix = file === undefined ? "" : `${safeLine(describeHitPlace(file))}: `;
        output.line(
          `${localTime(at)}  ${rooms.get(roomId) ?? roomId}  ${safeLine(await names.get(author))}: ${filePrefix}${safeLine(excerpt.text)}`,
        );
      }
      if (isEmpty(answer)) output.note("No matches.");
      if (answer.next !== undefined) output.note(`More messages: --cursor ${answer.next}`);
      if (!answer.isComplete) output.note("Some messages or files are still being indexed. Repeat the search later.");
    }
    return exitCodes.done;
  },
});

/** Formats the place of a hit, such as "budget.pdf, page 12". */
const describeHitPlace = ({ name, place }: FoundAttachment): string =>
  place === undefined ? name : `${name}, ${place}`;

const isEmpty = ({ messages, files, workspaceFiles, agents, rooms }: SearchAnswer): boolean =>
  [messages, files, workspaceFiles, agents, rooms].every(({ length }) => length === 0);
