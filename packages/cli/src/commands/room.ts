/** Rooms: their records, and what was said in them. */
import type { Client } from "@hearth/client";
import type { AgentId, RoomRecord, StoredMessage } from "@hearth/protocol";
import { applyListChange, namesOf, readListChange } from "../change-list.ts";
import { type Context, type Group, defineCommand } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { type Names, createNames } from "../names.ts";
import { safeJson, safeLine, safeText } from "../safe-text.ts";
import { localTime } from "../time.ts";
import { UsageError } from "../usage-error.ts";

const list = defineCommand({
  summary: "Lists rooms",
  flags: {},
  examples: ["hearth room list", "hearth room list --json"],
  async run({ connect, json, output }) {
    const client = await connect();
    const rooms = await client.rooms.list();
    if (json) output.json(rooms);
    else {
      const names = await createNames(client);
      output.table(
        ["HANDLE", "NAME", "KIND", "MEMBERS", "DESCRIPTION"],
        await Promise.all(
          rooms.map(async ({ handle, content }) => [
            handle,
            content.name,
            content.kind,
            await memberNames(content, names),
            content.description ?? "",
          ]),
        ),
        "There are no rooms. Make one: hearth room add NAME",
      );
    }
    return exitCodes.done;
  },
});

const show = defineCommand({
  summary: "Shows a room",
  args: [{ name: "ROOM" }],
  flags: {},
  examples: ["hearth room show den", "hearth room show den --json"],
  async run(context, _flags, [name = ""]) {
    const client = await context.connect();
    await print(context, client, await client.rooms.get(name));
    return exitCodes.done;
  },
});

const add = defineCommand({
  summary: "Makes a room",
  args: [{ name: "NAME" }],
  flags: {
    members: { kind: "text", value: "LIST", summary: "who takes part: a,b (default: everyone in the house)" },
    description: { kind: "text", value: "TEXT", summary: "what it is for; its bots read it" },
  },
  examples: ["hearth room add Den", 'hearth room add "Trip to Rome" --members ada,main --description "Plans for May"'],
  async run(context, { members, description }, [name = ""]) {
    const client = await context.connect();
    const change = members === undefined ? undefined : readListChange("--members", members);
    if (change?.kind === "change")
      throw new UsageError("A new room has no members to change.", "Name them all: --members a,b");
    const ids = change === undefined ? {} : { members: await toIds(client, change.names) };
    const room = await client.rooms.create({
      name,
      ...ids,
      ...(description === undefined || description === "" ? {} : { description }),
    });
    await print(context, client, room);
    return exitCodes.done;
  },
});

const edit = defineCommand({
  summary: "Changes a room",
  args: [{ name: "ROOM" }],
  flags: {
    name: { kind: "text", value: "NAME", summary: "what it is called; its handle follows" },
    members: {
      kind: "text",
      value: "LIST",
      summary: "a,b for these alone; +a,-b to change the list; all for everyone in the house",
    },
    description: { kind: "text", value: "TEXT", summary: "what it is for; empty takes it away" },
  },
  examples: [
    "hearth room edit den --members +archivist",
    "hearth room edit den --members all",
    'hearth room edit den --name "The Den"',
  ],
  async run(context, { name, members, description }, [named = ""]) {
    const client = await context.connect();
    const room = await client.rooms.get(named);
    const content = {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description: description === "" ? null : description }),
      ...(members === undefined
        ? {}
        : { members: members === "all" ? null : await changeMembers(client, room, members) }),
    };
    if (Object.keys(content).length === 0)
      throw new UsageError("There is nothing to change.", "Name a field: --name, --members or --description");
    await print(context, client, await client.rooms.update(room.id, { version: room.version, content }));
    return exitCodes.done;
  },
});

const remove = defineCommand({
  summary: "Removes a room",
  args: [{ name: "ROOM" }],
  flags: {},
  examples: ["hearth room remove den"],
  async run({ connect, json, output }, _flags, [name = ""]) {
    const client = await connect();
    const { id, handle } = await client.rooms.get(name);
    await client.rooms.remove(id);
    if (json) output.json({ removed: id });
    else output.line(`removed ${safeLine(handle)}`);
    return exitCodes.done;
  },
});

const events = defineCommand({
  summary: "Shows what was said in a room, oldest first",
  args: [{ name: "ROOM" }],
  flags: {
    limit: { kind: "number", value: "N", min: 1, max: 1000, summary: "at most this many (default: 50)" },
    after: {
      kind: "number",
      value: "OFFSET",
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      summary: "begin after this offset instead of with the latest",
    },
    follow: { kind: "switch", summary: "go on with what is said from here on, until Ctrl-C; in JSON one event a line" },
  },
  examples: ["hearth room events den", "hearth room events den --limit 5 --json", "hearth room events den --follow"],
  async run(context, { limit = 50, after, follow }, [named = ""]) {
    const { connect, json, output, terminal } = context;
    const client = await connect();
    const room = await client.rooms.get(named);
    const from = after ?? Math.max(0, (await client.rooms.head(room.id)) - limit);
    const page = await client.rooms.events(room.id, { after: from, limit });
    const names = await createNames(client);
    const say = async (message: StoredMessage): Promise<void> => {
      if (json) terminal.out(`${safeJson(message)}\n`);
      else {
        output.line(
          `${output.style.dim(localTime(message.at))} ${output.style.bold(safeLine(await names.of(message.author)))}`,
        );
        output.line(safeText(message.body.text));
      }
    };
    if (json && !follow) output.json(page);
    else for (const event of page.events) if (event.type === "message") await say(event);
    return follow ? followRoom(context, client, room, page.next, say) : exitCodes.done;
  },
});

const followRoom = async (
  { output, terminal }: Context,
  client: Client,
  room: RoomRecord,
  after: number,
  say: (message: StoredMessage) => Promise<void>,
): Promise<ExitCode> => {
  const over = new AbortController();
  const forget = terminal.onInterrupt(() => over.abort());
  try {
    for await (const item of client.rooms.follow(room.id, { after, signal: over.signal })) {
      if (item.kind === "event") await say(item.event);
      if (item.kind === "lost") output.note("Hearth does not answer; trying again ...");
      if (item.kind === "failed") throw item.error;
    }
    return exitCodes.done;
  } finally {
    forget();
  }
};

const toIds = (client: Client, names: readonly string[]): Promise<AgentId[]> =>
  Promise.all(names.map(async (name) => (await client.agents.get(name.replace(/^@/, ""))).id));

const changeMembers = async (client: Client, room: RoomRecord, text: string): Promise<string[]> => {
  const change = readListChange("--members", text);
  const ids = new Map<string, AgentId>();
  for (const name of namesOf(change)) ids.set(name, (await toIds(client, [name]))[0] as AgentId);
  const toId = (name: string): string => ids.get(name) ?? name;
  if (change.kind === "set") return change.names.map(toId);
  // Open to everyone: what is taken away is taken from everyone.
  const present =
    room.content.members ??
    (await client.agents.list()).filter(({ house }) => house === room.house).map(({ id }) => id);
  return applyListChange({ kind: "change", add: change.add.map(toId), remove: change.remove.map(toId) }, present);
};

const memberNames = async ({ members }: RoomRecord["content"], names: Names): Promise<string> =>
  members === undefined
    ? "everyone"
    : (
        await Promise.all(
          members.map(async (id) => {
            const name = await names.of(id);
            return name === id ? "(gone)" : name;
          }),
        )
      ).join(", ");

const print = async ({ json, output }: Context, client: Client, record: RoomRecord): Promise<void> => {
  if (json) return output.json(record);
  const { content } = record;
  output.facts([
    ["name", content.name],
    ["handle", record.handle],
    ["id", record.id],
    ["kind", content.kind],
    ["description", content.description],
    ["members", await memberNames(content, await createNames(client))],
    ["changed", `${localTime(record.updatedAt)} (version ${record.version})`],
  ]);
};

export const room: Group = {
  kind: "group",
  summary: "Rooms and what was said in them",
  verbs: { list, show, add, edit, remove, events },
};
