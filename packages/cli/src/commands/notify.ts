/** `hearth notify`: lists and removes devices that get notifications, sends a test, and sets the rules. */
import type { ChangePushChoices, PushChoices, QuietHours } from "@hearth/protocol";
import { PushRule } from "@hearth/protocol/api";
import { UsageError } from "../args/usage-error.ts";
import { type Context, type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { describeQuietHours, hasQuietFlags, type QuietFlags, quietFlags, toQuietHours } from "../flags/quiet-flags.ts";
import { safeLine } from "../show/safe-text.ts";
import { formatAge } from "../show/time.ts";

const getCalls = async ({ connect }: Pick<Context, "connect">) => (await connect()).notifications();

const list = defineCommand({
  summary: "Lists your devices that get notifications, oldest first",
  needs: "a credential",
  flags: {},
  details: "To add one, open Settings → Notifications in its browser.",
  examples: ["hearth notify list", "hearth notify list --json"],
  async run(context) {
    const { json, output, terminal } = context;
    const { devices } = await (await getCalls(context)).show();
    if (json) output.json(devices);
    else {
      output.table(
        ["ID", "NAME", "PUSH SERVICE", "ADDED", "LAST NOTIFICATION"],
        devices.map(({ id, name, service, createdAt, sentAt }) => [
          id,
          name,
          service,
          formatAge(createdAt, terminal.now()),
          sentAt === undefined ? "never" : formatAge(sentAt, terminal.now()),
        ]),
        "No devices. To add one, open Settings → Notifications in its browser.",
      );
    }
    return exitCodes.done;
  },
});

const test = defineCommand({
  summary: "Sends a test notification to your devices",
  needs: "a credential",
  flags: {},
  details: "Fails if a push service does not accept it.",
  examples: ["hearth notify test", "hearth notify test --json"],
  async run(context) {
    const { json, output } = context;
    const result = await (await getCalls(context)).test();
    if (json) output.json(result);
    else output.line(`sent to ${result.sent} of ${result.sent + result.failed}`);
    return result.failed === 0 ? exitCodes.done : exitCodes.failed;
  },
});

const remove = defineCommand({
  summary: "Stops notifications to one of your devices",
  needs: "a credential",
  args: [{ name: "DEVICE" }],
  flags: {},
  examples: ["hearth notify remove 9f86d081884c7d659a2feaa0c55ad015"],
  async run(context, _flags, [id = ""]) {
    const { json, output } = context;
    const { devices } = await (await getCalls(context)).remove(id);
    if (json) output.json(devices);
    else output.line(`removed ${safeLine(id)}`);
    return exitCodes.done;
  },
});

/** The value of the flag that removes the rule of a room. */
const DEFAULT = "default";

const rules = defineCommand({
  summary: "Shows or changes what you are notified about",
  needs: "a credential",
  flags: {
    default: { kind: "text", value: "RULE", summary: "for rooms without a rule", choices: PushRule.options },
    room: { kind: "text", value: "ROOM", summary: "the room that --rule is for" },
    rule: {
      kind: "text",
      value: "RULE",
      summary: "the rule of this room; default: the rule of other rooms",
      choices: [...PushRule.options, DEFAULT],
    },
    text: {
      kind: "text",
      value: "yes|no",
      summary: "whether notifications show the beginning of messages",
      choices: ["yes", "no"],
    },
    ...quietFlags,
  },
  details: [
    "all: every message and approval. important: mentions, replies, messages of direct rooms, approvals. none: nothing.",
    "Quiet hours such as 22:00-07:00 end on the next day. Notifications during quiet hours are dropped.",
  ].join("\n"),
  examples: [
    "hearth notify rules",
    "hearth notify rules --default all",
    "hearth notify rules --room den --rule none",
    "hearth notify rules --quiet 22:00-07:00 --days mon-fri --timezone Europe/Berlin",
    "hearth notify rules --quiet off",
  ],
  async run(context, flags) {
    const { connect, json, output } = context;
    if ((flags.room === undefined) !== (flags.rule === undefined))
      throw new UsageError("--room and --rule belong together. Give both, or --default for all other rooms.");
    const calls = await getCalls(context);
    const isChange = [flags.default, flags.rule, flags.text].some((flag) => flag !== undefined) || hasQuietFlags(flags);
    const room = flags.room === undefined ? undefined : await (await connect()).rooms.get(flags.room);
    const quiet = hasQuietFlags(flags) ? await findQuietHours(context, flags) : undefined;
    const { choices } = isChange ? await calls.change(toChange(flags, room?.id, quiet)) : await calls.show();
    if (json) output.json(choices);
    else await printChoices(context, choices);
    return exitCodes.done;
  },
});

interface RuleFlags {
  readonly default: string | undefined;
  readonly rule: string | undefined;
  readonly text: string | undefined;
}

/** Returns the quiet hours after the change. Absent flags leave their setting as it is. */
const findQuietHours = async (context: Context, flags: QuietFlags): Promise<QuietHours | null> => {
  const { choices } = await (await getCalls(context)).show();
  const { agent, house } = await (await context.connect()).me();
  return toQuietHours(flags, choices.quiet, agent.content.timezone ?? house.content.timezone);
};

const toRule = (word: string | undefined): PushRule | undefined => PushRule.options.find((option) => option === word);

const toChange = (
  flags: RuleFlags,
  room: string | undefined,
  quiet: QuietHours | null | undefined,
): ChangePushChoices => {
  const rule = toRule(flags.default);
  const rooms = room === undefined ? undefined : { [room]: toRule(flags.rule) ?? null };
  return {
    ...(rule === undefined ? {} : { rule }),
    ...(rooms === undefined ? {} : { rooms: rooms as NonNullable<ChangePushChoices["rooms"]> }),
    ...(flags.text === undefined ? {} : { showsText: flags.text === "yes" }),
    ...(quiet === undefined ? {} : { quiet }),
  };
};

const printChoices = async (
  { connect, output }: Context,
  { rule, rooms, showsText, quiet }: PushChoices,
): Promise<void> => {
  const allRooms = await (await connect()).rooms.list();
  const nameOf = (id: string): string => allRooms.find((room) => room.id === id)?.handle ?? id;
  output.table(
    ["ROOM", "RULE"],
    [["(others)", rule], ...Object.entries(rooms).map(([id, rule]) => [nameOf(id), rule])],
    "",
  );
  output.line(`text: ${showsText ? "yes" : "no"}`);
  if (quiet !== undefined) output.line(`quiet: ${safeLine(describeQuietHours(quiet))}`);
};

export const notify: Group = {
  kind: "group",
  summary: "Lists devices that get notifications, tests them, and sets the rules",
  verbs: { list, test, remove, rules },
};
