/**
 * Security findings about access: keys, standing approvals, and rooms and channels that reach
 * agents with tools.
 */
import {
  type AgentId,
  type AgentRecord,
  highest,
  type Level,
  includesLevel,
  type Right,
  type RoomRecord,
  type SecurityFinding,
} from "@hearth/protocol";
import { findTool } from "@hearth/protocol/tools";
import { toolsOf } from "./trifecta.ts";
import { botsOf, type StoredRule, type SecurityView } from "./view.ts";
import { joinWords, commandFix } from "./words.ts";

export const findInAccess = (view: SecurityView): readonly SecurityFinding[] => [
  ...checkKeys(view),
  ...checkInvites(view),
  ...checkRights(view),
  ...view.rules.flatMap((rule) => checkRule(view, rule)),
  ...checkRooms(view),
  ...checkChannels(view),
];

/** The rights whose misuse costs money or reaches other systems. */
const COSTLY_RIGHTS: readonly Right[] = ["providers", "secrets"];

const checkKeys = ({ keys, agents }: SecurityView): readonly SecurityFinding[] =>
  keys.flatMap(({ id, name, agent, scope, expiresAt }) => {
    const handle = agents.find((candidate) => candidate.id === agent)?.handle ?? agent;
    const costlyRights = COSTLY_RIGHTS.filter((right) => scope?.rights?.includes(right) === true);
    const problems = [
      ...(expiresAt === undefined ? ["does not expire"] : []),
      ...(scope === undefined ? [`has all rights of @${handle}`] : scope.level === "x" ? ["has the admin role"] : []),
      // A narrow key with an end is as careful as this duty allows.
      ...(costlyRights.length > 0 && expiresAt === undefined ? [`manages ${joinWords(costlyRights)}`] : []),
    ];
    if (problems.length === 0) return [];
    return [
      {
        id: "key.wide",
        severity: problems.length > 1 ? "medium" : "low",
        where: `key ${id}`,
        what: `The API key "${name}" of @${handle} ${joinWords(problems)}. If it leaks, its finder gets the same rights.`,
        fix: commandFix(`hearth key revoke ${id}`),
        change: { kind: "revoke-key", key: id },
        instead: "Create a narrower key first: hearth key create --name NAME --level w --on ROOM --expires 90d.",
      },
    ];
  });

const checkInvites = ({ invites }: SecurityView): readonly SecurityFinding[] =>
  invites.flatMap(({ id, house, level, rights, expiresAt }): readonly SecurityFinding[] => {
    const costlyRights = COSTLY_RIGHTS.filter((right) => rights.includes(right));
    if (level !== "x" && costlyRights.length === 0) return [];
    const until = new Date(expiresAt).toISOString().slice(0, 10);
    const revocation = {
      where: `invite ${id}`,
      fix: commandFix(`hearth invite revoke ${id}`),
      change: { kind: "revoke-invite", house, invite: id },
    } as const;
    return [
      level === "x"
        ? {
            id: "invite.admin",
            severity: "medium",
            what: `Until ${until}, the first person who opens this link becomes an admin.`,
            ...revocation,
            instead: "Invite the person as a member, and make them an admin when they have joined.",
          }
        : {
            id: "invite.rights",
            severity: "low",
            what: `Until ${until}, the first person who opens this link may manage ${joinWords(costlyRights)}.`,
            ...revocation,
            instead: "Invite the person without rights, and give the rights when they have joined.",
          },
    ];
  });

const IDLE_DAYS = 90;
const DAY_MS = 24 * 60 * 60_000;

/** Finds people who hold rights and have not used the house since. */
const checkRights = ({ grants, agents, houses, lastLogins, now }: SecurityView): readonly SecurityFinding[] =>
  grants.flatMap(({ agent, on, level, rights = [], at }) => {
    const person = agents.find(({ id }) => id === agent);
    const house = houses.find(({ id }) => id === on);
    const lastLogin = lastLogins.get(agent);
    if (person === undefined || house === undefined || rights.length === 0) return [];
    if (now - Math.max(at, lastLogin ?? 0) < IDLE_DAYS * DAY_MS) return [];
    const loginStatus =
      lastLogin === undefined
        ? "has never logged in"
        : `last logged in on ${new Date(lastLogin).toISOString().slice(0, 10)}`;
    return [
      {
        id: "rights.idle",
        severity: "medium",
        where: `person ${person.handle} in house ${house.handle}`,
        what: `@${person.handle} may manage ${joinWords(rights)} and ${loginStatus}. Their password or an old device of theirs still gives these rights.`,
        fix: commandFix(
          rights.map((right) => `hearth grant remove ${person.handle} ${right} --on ${house.handle}`).join(" && "),
        ),
        change: { kind: "remove-rights", house: house.id, agent, level },
        instead: "An admin can give the rights again when the person needs them.",
      },
    ];
  });

const checkRule = ({ table, agents }: SecurityView, rule: StoredRule): readonly SecurityFinding[] => {
  const { id, agent, tool: name, bound, text, isForSession } = rule;
  const tool = findTool(table, name);
  if (tool === undefined || isForSession) return [];
  const boundSinks = tool.sinks.filter((sink) => bound.includes(sink));
  const unboundFields = Object.keys(tool.input.shape).filter((field) => !bound.includes(field));
  if (unboundFields.length === 0) return [];
  const hasNoBoundSink = tool.sinks.length > 0 && boundSinks.length === 0;
  const handle = agents.find((candidate) => candidate.id === agent)?.handle ?? agent;
  return [
    {
      id: "rule.wide",
      severity: hasNoBoundSink ? "high" : "medium",
      where: `rule ${id}`,
      what: `A saved rule lets @${handle} call ${name} without approval, even after it read untrusted text. The rule does not restrict ${joinWords(unboundFields)}: ${text}`,
      fix: commandFix(`hearth approval rule remove ${id}`),
      change: { kind: "remove-rule", rule: id },
    },
  ];
};

/** Returns the names of the tools that have effects. */
const actingToolsOf = (view: SecurityView, agent: AgentRecord): readonly string[] =>
  toolsOf(view, agent)
    .filter(({ traits }) => traits.acts || traits.destroys)
    .map(({ name }) => name);

const checkRooms = (view: SecurityView): readonly SecurityFinding[] => {
  const bots = botsOf(view).filter((agent) => actingToolsOf(view, agent).length > 0);
  return view.rooms.flatMap((room) => {
    const botsInRoom = bots.filter((bot) => includesLevel(levelIn(view, bot.id, room), "w"));
    const guests = view.agents.filter(
      ({ id, content }) =>
        content.kind === "human" &&
        mayWake(room, id) &&
        levelIn(view, id, room) === "w" &&
        levelOf(view, id, room.house) === undefined,
    );
    if (botsInRoom.length === 0 || guests.length === 0) return [];
    const [firstGuest] = guests;
    return [
      {
        id: "room.guests",
        severity: "medium",
        where: `room ${room.handle}`,
        what: `People without a role in the house (${joinWords(guests.map(({ handle }) => `@${handle}`))}) can wake ${joinWords(botsInRoom.map(({ handle }) => `@${handle}`))} in room ${room.handle}. Tools that act there: ${joinWords([...new Set(botsInRoom.flatMap((bot) => actingToolsOf(view, bot)))])}.`,
        fix: commandFix(
          `hearth room edit ${room.handle} --admission-block ${guests.map(({ handle }) => `+${handle}`).join(",")}`,
        ),
        change: {
          kind: "edit-admission",
          room: room.id,
          admission: {
            ...room.content.admission,
            block: [...(room.content.admission?.block ?? []), ...guests.map(({ id }) => id)],
          },
        },
        instead: `These people can still read and write in the room. To give read access only: hearth grant add ${firstGuest?.handle ?? "GUEST"} r --on ${room.handle}.`,
      },
    ];
  });
};

const levelOf = ({ grants }: SecurityView, agent: AgentId, on: string): Level | undefined =>
  grants.find((grant) => grant.agent === agent && grant.on === on)?.level;

/**
 * Returns the level of an agent in a room, by the rule of `identity`: members may write, and
 * otherwise only administrators of the house have access.
 */
const levelIn = (view: SecurityView, agent: AgentId, { id, house, content: { members } }: RoomRecord) => {
  const [agentLevel, inherited] = [levelOf(view, agent, id), levelOf(view, agent, house)];
  if (members === undefined) return highest(agentLevel, inherited);
  return highest(highest(agentLevel, members.includes(agent) ? "w" : undefined), inherited === "x" ? "x" : undefined);
};

const mayWake = ({ content: { admission = {} } }: RoomRecord, agent: AgentId): boolean =>
  admission.block?.includes(agent) !== true &&
  (admission.mode !== "allow" || admission.allow?.includes(agent) === true);

const checkChannels = ({ config, placeOf }: SecurityView): readonly SecurityFinding[] =>
  [...config.channels].flatMap(([name, { admission, agent }]) =>
    admission?.mode === "open"
      ? [
          {
            id: "channel.open",
            severity: "high",
            where: placeOf(["channels", name, "admission", "mode"]),
            what: `Everyone who finds the account of channel ${name} can write to @${agent} without pairing.`,
            fix: {
              kind: "config",
              section: `channels.${name}.admission`,
              key: "mode",
              line: 'mode = "pairing"',
            } as const,
          },
        ]
      : [],
  );
