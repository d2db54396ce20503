/** `hearth invite`: creates, lists and revokes links with which new people join. */
import type { Client } from "@hearth/client";
import { type CreatedInvite, type HouseId, type Invite, Level, levels, rights, RoomId } from "@hearth/protocol";
import { readId } from "../args/ids.ts";
import { createPlaces } from "../args/place.ts";
import { UsageError } from "../args/usage-error.ts";
import { readDuration } from "../args/when.ts";
import { type Context, type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { houseFlag, toHouse, toRight } from "../flags/level-flags.ts";
import { createNames } from "../show/names.ts";
import { safeLine } from "../show/safe-text.ts";
import { formatAge, localTime } from "../show/time.ts";

const list = defineCommand({
  summary: "Lists invite links, including used and revoked ones",
  needs: "x on the house",
  flags: { ...houseFlag },
  examples: ["hearth invite list", "hearth invite list --json"],
  async run({ connect, json, output, terminal }, { house }) {
    const client = await connect();
    const invites = await (await client.invites()).list(await findHouse(client, house));
    if (json) output.json(invites);
    else {
      const names = await createNames(client);
      const nameOf = await createPlaces(client);
      output.table(
        ["ID", "LEVEL", "ON", "NOTE", "BY", "CREATED", "STATE"],
        await Promise.all(
          invites.map(async (invite) => [
            invite.id,
            [invite.level, ...(invite.rights ?? [])].join("+"),
            (invite.rooms ?? [invite.house]).map(nameOf).join(", "),
            invite.note ?? "",
            await names.get(invite.by),
            formatAge(invite.createdAt, terminal.now()),
            invite.usedBy === undefined ? describeState(invite) : `used by ${await names.get(invite.usedBy)}`,
          ]),
        ),
        "No invite links. Create one: hearth invite create",
      );
    }
    return exitCodes.done;
  },
});

const describeState = ({ state, expiresAt }: Invite): string =>
  state === "open" ? `open until ${localTime(expiresAt)}` : state;

const create = defineCommand({
  summary: "Creates an invite link, which works once, and shows it once",
  needs: "x on the house",
  flags: {
    level: {
      kind: "text",
      value: "LEVEL",
      choices: levels,
      summary: "what the guest may do: r reads, w also writes (default), x also administers",
    },
    rooms: {
      kind: "text",
      value: "ROOMS",
      summary: "the only rooms that the guest may enter, a,b (default: the whole house)",
    },
    rights: {
      kind: "text",
      value: "RIGHTS",
      summary: `rights of the guest beside the level, a,b of ${rights.join(", ")}; see hearth grant`,
    },
    expires: { kind: "text", value: "SPAN", summary: "how long the link is valid, up to 90d (default: 7d)" },
    note: { kind: "text", value: "TEXT", summary: "a reminder for the list, such as whom the link is for" },
    ...houseFlag,
  },
  details:
    "The guest opens the link, chooses a name and a password, and is a member. At a terminal, the link is also shown as a QR code.",
  examples: [
    "hearth invite create",
    "hearth invite create --level r --expires 1d --note Ada --json",
    "hearth invite create --level r --rights audit",
  ],
  async run(context, { level, rooms, rights: requestedRights, expires, note, house }) {
    const lifeMs = expires === undefined ? undefined : readDuration("--expires", expires);
    const client = await context.connect();
    const houseId = await findHouse(client, house);
    const roomIds =
      rooms === undefined ? undefined : await Promise.all(namesOf(rooms).map((name) => findRoom(client, name)));
    const invites = await client.invites();
    const newInvite = await invites.create(houseId, {
      level: Level.parse(level ?? "w"),
      ...(roomIds === undefined ? {} : { rooms: roomIds }),
      ...(requestedRights === undefined ? {} : { rights: namesOf(requestedRights).map(toRight) }),
      ...(note === undefined ? {} : { note }),
      ...(lifeMs === undefined ? {} : { expiresAt: context.terminal.now() + lifeMs }),
    });
    await printInvite(context, newInvite);
    return exitCodes.done;
  },
});

const printInvite = async ({ json, output, terminal }: Context, invite: CreatedInvite): Promise<void> => {
  if (json) return output.json(invite);
  const link = invite.publicUrl ?? invite.url;
  output.line(link);
  if (terminal.stdoutIsTerminal) {
    const { toQrLines } = await import("../show/qr-lines.ts");
    for (const line of toQrLines(link)) output.line(line);
  }
  output.note(`This link works once, until ${localTime(invite.expiresAt)}, and is not shown again.`);
  if (invite.publicUrl === undefined)
    output.note("It works on this machine only. For other machines, set [server] public_url in hearth.toml.");
  output.note(`To revoke it: hearth invite revoke ${invite.id}`);
};

const revoke = defineCommand({
  summary: "Revokes an invite link that has not been used",
  needs: "x on the house",
  args: [{ name: "INVITE" }],
  flags: { ...houseFlag },
  details: "A link that was already used stays used. To remove the person: hearth person remove PERSON",
  examples: ["hearth invite revoke inv_01h2xcejqtf2nbrexx3vqjhp41"],
  async run({ connect, json, output }, { house }, [inviteId = ""]) {
    const id = readId("inv", inviteId, "hearth invite list");
    const client = await connect();
    const { state } = await (await client.invites()).revoke(await findHouse(client, house), id);
    if (json) output.json({ invite: id, state });
    else output.line(`${id} is ${safeLine(state)}`);
    return exitCodes.done;
  },
});

const findHouse = async (client: Client, name: string | undefined): Promise<HouseId> =>
  name === undefined ? (await client.me()).house.id : toHouse(client, name);

const namesOf = (text: string): readonly string[] => {
  const names = text.split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()]));
  if (names.length > 0) return names;
  throw new UsageError("--rooms names no room.", "For example: --rooms den,kitchen");
};

const findRoom = async (client: Client, name: string): Promise<RoomId> =>
  RoomId.parse((await client.rooms.get(name)).id);

export const invite: Group = {
  kind: "group",
  summary: "Manages invite links for new people",
  verbs: { list, create, revoke },
};
