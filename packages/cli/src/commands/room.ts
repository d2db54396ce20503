/** `hearth room`: manages rooms and shows their messages. */
import type { Client } from "@hearth/client";
import { HearthError, isHearthError, type RoomRecord, type RoomView, type StoredEvent } from "@hearth/protocol";
import { admissionFlags, changeAdmission, describeAdmission } from "../flags/admission-flags.ts";
import { changeAgents, toIds } from "../show/agent-list.ts";
import { readListChange } from "../flags/change-list.ts";
import { type Context, type Group, defineCommand } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { describeGrants } from "../show/grants.ts";
import { houseFlag, toHouse } from "../flags/level-flags.ts";
import { type Names, createNames } from "../show/names.ts";
import { toFields, toTexts } from "../flags/record-fields.ts";
import { nameLine, nameReactions, toRoomLines } from "../show/room-lines.ts";
import { safeJson, safeLine, safeText } from "../show/safe-text.ts";
import { localTime } from "../show/time.ts";
import { UsageError } from "../args/usage-error.ts";
import { readWhen } from "../args/when.ts";
import { fates } from "./room-fates.ts";
import { files } from "./room-files.ts";
import { branch, react } from "./room-react.ts";
import { retry } from "./room-retry.ts";
import { archive, nameOfRoom, pin, rename, unarchive, unpin } from "./room-view.ts";
import { speech, transcript } from "./room-voice.ts";

const list = defineCommand({
  summary: "Lists rooms",
  needs: "a credential",
  flags: {
    house: { ...houseFlag.house, summary: "only rooms of this house, by handle or id" },
    archived: { kind: "switch", summary: "the rooms that you archived, instead of the others" },
  },
  details: "Pinned rooms come first.",
  examples: ["hearth room list", "hearth room list --house annex", "hearth room list --archived --json"],
  async run({ connect, json, output }, { house, archived }) {
    const client = await connect();
    const allRooms = await client.rooms.list(house === undefined ? {} : { house: await toHouse(client, house) });
    const { views } = await client.rooms.views();
    const viewsByRoom = new Map(views.map((view) => [view.room, view]));
    const rooms = allRooms
      .filter(({ id }) => (viewsByRoom.get(id)?.archivedHead !== undefined) === archived)
      .toSorted((a, b) => pinRank(viewsByRoom.get(a.id)) - pinRank(viewsByRoom.get(b.id)));
    if (json) output.json(rooms);
    else {
      const names = await createNames(client);
      output.table(
        ["HANDLE", "NAME", "KIND", "MEMBERS", "DESCRIPTION"],
        await Promise.all(
          rooms.map(async (room) => [
            room.handle,
            nameOfRoom(room),
            room.content.kind,
            await nameMembers(room.content, names),
            room.content.description ?? "",
          ]),
        ),
        archived ? "No archived rooms." : "No rooms. Create one: hearth room add NAME",
      );
    }
    return exitCodes.done;
  },
});

const pinRank = (view: RoomView | undefined): number => (view?.pinnedAt === undefined ? 1 : 0);

const show = defineCommand({
  summary: "Shows a room",
  needs: "permission to see the room",
  args: [{ name: "ROOM" }],
  flags: {},
  examples: ["hearth room show den", "hearth room show den --json"],
  async run(context, _flags, [name = ""]) {
    const client = await context.connect();
    await printRoom(context, client, await client.rooms.get(name));
    return exitCodes.done;
  },
});

const add = defineCommand({
  summary: "Creates a room",
  needs: "w on the house",
  args: [{ name: "NAME" }],
  flags: {
    members: { kind: "text", value: "LIST", summary: "the members: a,b (default: everyone in the house)" },
    description: { kind: "text", value: "TEXT", summary: "what the room is for; its bots read it" },
    ...houseFlag,
  },
  examples: ["hearth room add Den", 'hearth room add "Trip to Rome" --members ada,main --description "Plans for May"'],
  async run(context, { members, description, house }, [name = ""]) {
    const client = await context.connect();
    const change = members === undefined ? undefined : readListChange("--members", members);
    if (change?.kind === "change")
      throw new UsageError("A new room has no members to change.", "Give the whole list: --members a,b");
    const ids = change === undefined ? {} : { members: await toIds(client, change.names) };
    const content = { name, ...ids, ...toTexts({ description }) };
    const room = await client.rooms.create(content, house === undefined ? {} : { house: await toHouse(client, house) });
    await printRoom(context, client, room);
    return exitCodes.done;
  },
});

const edit = defineCommand({
  summary: "Changes a room",
  needs: "x on the room",
  args: [{ name: "ROOM" }],
  flags: {
    name: { kind: "text", value: "NAME", summary: "the new name; the handle changes with it" },
    members: {
      kind: "text",
      value: "LIST",
      summary: "a,b to set the list; +a,-b to change it; all for everyone in the house",
    },
    description: { kind: "text", value: "TEXT", summary: "what the room is for; an empty text removes it" },
    ...admissionFlags,
  },
  details: [
    "Admission decides whose messages may wake agents. Other messages are still posted, but wake no agent: see",
    "hearth activation list --skip admission. An empty LIST removes the list; with mode allow, an empty list admits no one.",
  ].join("\n"),
  examples: [
    "hearth room edit den --members +archivist",
    "hearth room edit den --members all",
    'hearth room edit den --name "The Den"',
    "hearth room edit den --admission-mode allow --admission-allow owner,main",
    "hearth room edit den --admission-block +main --admission-mention-required yes",
  ],
  async run(context, { name, members, description, ...admissionValues }, [roomName = ""]) {
    const client = await context.connect();
    const room = await client.rooms.get(roomName);
    const admission = await changeAdmission(client, admissionValues, room.content.admission);
    const newMembers =
      members === undefined || members === "all" ? members : await changeMembers(client, room, members);
    const content = toFields({ name, description, members: newMembers === "all" ? null : newMembers, admission });
    if (Object.keys(content).length === 0)
      throw new UsageError(
        "Nothing to change: no field was given.",
        "Give a field: --name, --members, --description or --admission-…",
      );
    await printRoom(context, client, await client.rooms.update(room.id, { version: room.version, content }));
    return exitCodes.done;
  },
});

const remove = defineCommand({
  summary: "Removes a room",
  needs: "x on the room",
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
  summary: "Shows the messages of a room, oldest first",
  needs: "r on the room",
  args: [{ name: "ROOM" }],
  flags: {
    limit: { kind: "number", value: "N", min: 1, max: 1000, summary: "at most this many (default: 50)" },
    after: {
      kind: "number",
      value: "OFFSET",
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      summary: "start after this offset instead of showing the latest messages",
    },
    since: { kind: "text", value: "WHEN", summary: "start then: 2h, 30d, 2026-01-31, 2026-01-31T08:30" },
    follow: { kind: "switch", summary: "keep printing new messages until Ctrl-C; with --json, one event per line" },
  },
  examples: [
    "hearth room events den",
    "hearth room events den --limit 5 --json",
    "hearth room events den --since 2026-01-31",
    "hearth room events den --follow",
  ],
  async run(context, { limit = 50, after, since, follow }, [roomName = ""]) {
    const { connect, json, output, terminal } = context;
    if (after !== undefined && since !== undefined)
      throw new UsageError("--after and --since exclude each other.", "Give one of them.");
    const client = await connect();
    const room = await client.rooms.get(roomName);
    const start =
      since === undefined ? after : await findOffsetBefore(client, room, readWhen("--since", since, terminal.now()));
    const page = await client.rooms.events(room.id, {
      ...(start === undefined ? { before: "end" } : { after: start }),
      limit,
    });
    const names = await createNames(client);
    const printEvents = async (events: readonly StoredEvent[]): Promise<void> => {
      if (json) return events.forEach((event) => terminal.out(`${safeJson(event)}\n`));
      for (const line of toRoomLines(events)) {
        const title = await nameLine(line, names);
        output.line(`${output.style.dim(localTime(line.at))} ${output.style.bold(title)}`);
        if (line.text !== undefined) output.line(safeText(line.text));
        const reactions = await nameReactions(line, names);
        if (reactions !== undefined) output.line(output.style.dim(reactions));
      }
    };
    if (json && !follow) output.json(page);
    else await printEvents(page.events);
    return follow ? followRoom(context, client, room, page.next, printEvents) : exitCodes.done;
  },
});

/** Returns the offset before the first event at this instant or later. */
const findOffsetBefore = async (client: Client, room: RoomRecord, time: number): Promise<number> =>
  ((await client.rooms.offsetAt(room.id, time)) ?? (await client.rooms.head(room.id)) + 1) - 1;

const followRoom = async (
  { output, terminal }: Context,
  client: Client,
  room: RoomRecord,
  after: number,
  printEvents: (events: readonly StoredEvent[]) => Promise<void>,
): Promise<ExitCode> => {
  const controller = new AbortController();
  const removeInterrupt = terminal.onInterrupt(() => controller.abort());
  try {
    for await (const item of client.rooms.follow(room.id, { after, signal: controller.signal })) {
      if (item.kind === "event") await printEvents([item.event]);
      if (item.kind === "lost") output.note("Hearth does not answer. Retrying ...");
      if (item.kind === "restarted")
        output.note("The house was restored from a backup. The room is shown again from its beginning.");
      if (item.kind === "failed") throw toEndError(item.error, room);
    }
    return exitCodes.done;
  } finally {
    removeInterrupt();
  }
};

/**
 * Explains why following ended. For a caller who may no longer read the room, the house reports it
 * as missing.
 */
const toEndError = (error: HearthError, { handle }: RoomRecord): HearthError =>
  isHearthError(error, "record.not-found")
    ? new HearthError("auth.denied", `You may no longer read ${handle}, or the room was removed.`, { cause: error })
    : error;

const changeMembers = (client: Client, { house, content }: RoomRecord, text: string): Promise<string[]> =>
  // A room without a member list is open to everyone, so changes start from everyone in the house.
  changeAgents(
    client,
    { flag: "--members", text },
    async () => content.members ?? (await client.agents.list({ house })).map(({ id }) => id),
  );

const nameMembers = async ({ members }: RoomRecord["content"], names: Names): Promise<string> =>
  members === undefined
    ? "everyone"
    : (
        await Promise.all(
          members.map(async (id) => {
            const name = await names.get(id);
            return name === id ? "(gone)" : name;
          }),
        )
      ).join(", ");

const printRoom = async ({ json, output }: Context, client: Client, record: RoomRecord): Promise<void> => {
  if (json) return output.json(record);
  const { content } = record;
  const names = await createNames(client);
  output.facts([
    ["name", content.name],
    ["title", content.title],
    ["handle", record.handle],
    ["id", record.id],
    ["kind", content.kind],
    ["description", content.description],
    ["members", await nameMembers(content, names)],
    ["admission", content.admission && (await describeAdmission(content.admission, names))],
    ["levels", await describeGrants(client, record.id)],
    ["changed", `${localTime(record.updatedAt)} (version ${record.version})`],
  ]);
};

export const room: Group = {
  kind: "group",
  summary: "Manages rooms and shows their messages",
  verbs: {
    list,
    show,
    add,
    edit,
    rename,
    pin,
    unpin,
    archive,
    unarchive,
    remove,
    events,
    react,
    branch,
    fates,
    files,
    transcript,
    speech,
    retry,
  },
};
