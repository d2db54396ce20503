/**
 * `hearth channel`: adds, shows and removes chat platforms, and decides deliveries with an unknown
 * outcome.
 */
import type { ChannelInfo, Delivery, DeliveryDecision } from "@hearth/protocol";
import { type Command, type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { readId } from "../args/ids.ts";
import { toKey } from "../args/key.ts";
import { nearest } from "@hearth/protocol/nearest";
import { withoutAt } from "../show/agent-list.ts";
import { safeLine } from "../show/safe-text.ts";
import { formatAge, localTime } from "../show/time.ts";
import { UsageError, didYouMean } from "../args/usage-error.ts";

const NO_CHANNELS = "There are no channels. Add one: hearth channel add telegram --token-stdin";

const list = defineCommand({
  summary: "Lists channels",
  needs: "x on the first house",
  flags: {},
  examples: ["hearth channel list", "hearth channel list --json"],
  async run({ connect, json, output }) {
    const channels = await (await (await connect()).channels()).list();
    if (json) output.json(channels);
    else {
      output.table(
        ["NAME", "KIND", "MODE", "AGENT", "STATE", "QUEUED", "UNKNOWN", "DETAIL"],
        channels.map(({ name, kind, mode, agent, state, queued, unknown, error }) => [
          name,
          kind,
          mode,
          `@${agent}`,
          state,
          String(queued),
          String(unknown),
          error?.message ?? "",
        ]),
        NO_CHANNELS,
      );
    }
    return exitCodes.done;
  },
});

const show = defineCommand({
  summary: "Shows a channel and its deliveries",
  needs: "x on the first house",
  args: [{ name: "NAME" }],
  flags: {
    limit: { kind: "number", value: "N", min: 1, max: 1000, summary: "at most this many of each (default: 20)" },
  },
  details:
    "Lists deliveries that are queued, unknown (they may have arrived) or refused, and incoming messages that were ignored.",
  examples: ["hearth channel show telegram", "hearth channel show telegram --json"],
  async run({ connect, json, output, terminal }, { limit = 20 }, [name = ""]) {
    const channels = await (await connect()).channels();
    const channel = requireChannel(await channels.list(), name);
    const [queuedDeliveries, unknownDeliveries, refusedDeliveries, ignoredMessages] = await Promise.all([
      channels.outbox(name, { state: "queued", limit }),
      channels.outbox(name, { state: "unknown", limit }),
      channels.outbox(name, { state: "refused", limit }),
      channels.refused(name, { limit }),
    ]);
    if (json) {
      output.json({
        ...channel,
        deliveries: { queued: queuedDeliveries, unknown: unknownDeliveries, refused: refusedDeliveries },
        refused: ignoredMessages,
      });
      return exitCodes.done;
    }
    output.facts([
      ["name", channel.name],
      ["kind", channel.kind],
      ["mode", channel.mode],
      ["agent", `@${channel.agent}`],
      ["state", channel.state],
      ["error", channel.error?.message],
      ["hint", channel.error?.hint],
      ["queued", String(channel.queued)],
      ["unknown", String(channel.unknown)],
    ]);
    const now = terminal.now();
    const deliveries = [...unknownDeliveries, ...queuedDeliveries, ...refusedDeliveries];
    if (deliveries.length > 0) {
      output.table(
        ["DELIVERY", "STATE", "TO", "SINCE", "TEXT", "WHY"],
        deliveries.map((delivery) => toCells(delivery, now)),
        "",
      );
    }
    if (unknownDeliveries.some(({ endedAt }) => endedAt === undefined))
      output.note(
        "It is unknown whether these deliveries arrived. Check the chat, then run: hearth channel resend ID, or hearth channel leave ID",
      );
    if (ignoredMessages.length > 0) {
      output.table(
        ["RECEIVED", "FROM", "CONVERSATION", "WHY IGNORED"],
        ignoredMessages.map(({ at, sender, conversation, fate }) => [localTime(at), sender, conversation, fate]),
        "",
      );
    }
    return exitCodes.done;
  },
});

const toCells = (delivery: Delivery, now: number): readonly string[] => [
  delivery.id,
  delivery.state === "unknown" && delivery.endedAt !== undefined ? "left" : delivery.state,
  delivery.conversation,
  formatAge(delivery.createdAt, now),
  shorten(delivery.spoken === true ? `[voice message] ${delivery.text}` : delivery.text),
  delivery.error?.message ?? "",
];

const shorten = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= 40 ? line : `${line.slice(0, 39).toWellFormed()}…`;
};

const TOKEN_FLAGS = {
  token: {
    kind: "text",
    value: "REFERENCE",
    summary: "where the token is stored: secret:NAME, env:NAME or file:PATH; never the token itself",
  },
  "token-stdin": { kind: "switch", summary: "read the token from stdin; Hearth stores it" },
} as const;

const add = defineCommand({
  summary: "Adds a channel to the config file, and begins to read it",
  needs: "x on the first house",
  args: [{ name: "NAME" }],
  flags: {
    kind: { kind: "text", value: "KIND", summary: "the platform (default: NAME)" },
    agent: { kind: "text", value: "AGENT", summary: "the agent that answers (default: main)" },
    ...TOKEN_FLAGS,
    "base-url": { kind: "text", value: "URL", summary: "the address of your own server with the platform's API" },
  },
  details: [
    "For Telegram, create a bot with @BotFather and use its token. A token from stdin is stored only in the home's keys/ folder.",
    "A new sender receives a code: hearth pairing approve CODE --as PERSON",
  ].join("\n"),
  examples: [
    "hearth channel add telegram --token-stdin < token.txt",
    "hearth channel add support --kind telegram --agent helper --token env:SUPPORT_BOT_TOKEN",
  ],
  async run({ connect, json, output, terminal }, flags, [name = ""]) {
    const { kind = name, agent, token: reference, "token-stdin": isFromStdin, "base-url": baseUrl } = flags;
    requireReference(reference);
    if ((reference === undefined) !== isFromStdin)
      throw new UsageError("Give either --token REFERENCE or --token-stdin.", "For example: --token-stdin < token.txt");
    const channels = await (await connect()).channels();
    if (isFromStdin && terminal.stdinIsTerminal) output.note("Paste the token, then press Enter and Ctrl-D.");
    const channel = await channels.create({
      name,
      kind,
      ...(agent === undefined ? {} : { agent: withoutAt(agent) }),
      ...(reference === undefined ? {} : { tokenReference: reference }),
      ...(isFromStdin ? { token: toKey(await terminal.readInput()) } : {}),
      ...(baseUrl === undefined ? {} : { baseUrl }),
    });
    if (json) output.json(channel);
    else {
      output.line(`added ${safeLine(channel.name)}; @${safeLine(channel.agent)} answers there`);
      output.note(
        channel.error === undefined
          ? `To test it: hearth channel test ${safeLine(channel.name)}`
          : safeLine([channel.error.message, channel.error.hint].filter(Boolean).join(" ")),
      );
    }
    return exitCodes.done;
  },
});

const edit = defineCommand({
  summary: "Changes the agent or the token of a channel, without a restart",
  needs: "x on the first house",
  args: [{ name: "NAME" }],
  flags: {
    agent: { kind: "text", value: "AGENT", summary: "the agent that answers" },
    ...TOKEN_FLAGS,
  },
  details: [
    "The platform tests a new token first. If it refuses the token, the old one stays, and the command exits with 1.",
    "The config file keeps its comments and order.",
  ].join("\n"),
  examples: [
    "hearth channel edit telegram --agent helper",
    "hearth channel edit telegram --token-stdin < token.txt",
    "hearth channel edit telegram --token secret:TELEGRAM_TOKEN",
  ],
  async run({ connect, json, output, terminal }, flags, [name = ""]) {
    const { agent, token: reference, "token-stdin": isFromStdin } = flags;
    requireReference(reference);
    if (reference !== undefined && isFromStdin)
      throw new UsageError("Give either --token REFERENCE or --token-stdin.", "For example: --token-stdin < token.txt");
    if (agent === undefined && reference === undefined && !isFromStdin)
      throw new UsageError(
        "Give --agent, --token or --token-stdin.",
        "For example: hearth channel edit telegram --agent helper",
      );
    const channels = await (await connect()).channels();
    requireChannel(await channels.list(), name);
    if (isFromStdin && terminal.stdinIsTerminal) output.note("Paste the token, then press Enter and Ctrl-D.");
    const { channel, test } = await channels.change(name, {
      ...(agent === undefined ? {} : { agent: withoutAt(agent) }),
      ...(reference === undefined ? {} : { tokenReference: reference }),
      ...(isFromStdin ? { token: toKey(await terminal.readInput()) } : {}),
    });
    if (json) output.json({ channel, test });
    else if (test?.ok === false)
      output.line(`${output.style.red("FAIL")}  ${safeLine(test.detail)} Nothing has changed.`);
    else {
      output.line(`changed ${safeLine(channel.name)}; @${safeLine(channel.agent)} answers there`);
      if (test !== undefined) output.line(`ok  ${safeLine(test.detail)}`);
    }
    return test?.ok === false ? exitCodes.failed : exitCodes.done;
  },
});

const requireReference = (reference: string | undefined): void => {
  if (reference === undefined || /^(env|file|secret):./.test(reference)) return;
  throw new UsageError(
    "--token takes a reference, not the token itself.",
    "Pass the token on stdin with --token-stdin, or refer to it: secret:NAME, env:NAME, file:PATH",
  );
};

const remove = defineCommand({
  summary: "Removes a channel from the config file, and its stored token",
  needs: "x on the first house",
  args: [{ name: "NAME" }],
  flags: {},
  details: "Its rooms stay. Queued deliveries wait until a channel with this name exists again.",
  examples: ["hearth channel remove telegram"],
  async run({ connect, json, output }, _flags, [name = ""]) {
    const channels = await (await connect()).channels();
    requireChannel(await channels.list(), name);
    await channels.remove(name);
    if (json) output.json({ removed: name });
    else output.line(`removed ${safeLine(name)}`);
    return exitCodes.done;
  },
});

const test = defineCommand({
  summary: "Tests the connection to a channel's platform",
  needs: "x on the first house",
  args: [{ name: "NAME" }],
  flags: {},
  details:
    "Asks the platform for the account's name. Exits with 1 when the platform does not answer or rejects the account.",
  examples: ["hearth channel test telegram"],
  async run({ connect, json, output }, _flags, [name = ""]) {
    const channels = await (await connect()).channels();
    requireChannel(await channels.list(), name);
    const result = await channels.test(name);
    if (json) output.json(result);
    else output.line(`${result.ok ? "ok" : output.style.red("FAIL")}  ${safeLine(result.detail)}`);
    return result.ok ? exitCodes.done : exitCodes.failed;
  },
});

const decide = (decision: DeliveryDecision, summary: string, outcome: string): Command =>
  defineCommand({
    summary,
    needs: "x on the first house",
    args: [{ name: "DELIVERY" }],
    flags: {},
    examples: [`hearth channel ${decision} out_01h2xcejqtf2nbrexx3vqjhp41`],
    async run({ connect, json, output }, _flags, [id = ""]) {
      const delivery = await (
        await (await connect()).channels()
      ).decide(readId("out", id, "hearth channel show NAME"), decision);
      if (json) output.json(delivery);
      else output.line(`${safeLine(delivery.id)} ${outcome}`);
      return exitCodes.done;
    },
  });

const requireChannel = (channels: readonly ChannelInfo[], name: string): ChannelInfo => {
  const match = channels.find((channel) => channel.name === name);
  if (match !== undefined) return match;
  const names = channels.map((channel) => channel.name);
  throw new UsageError(
    `There is no channel "${name}".${didYouMean(nearest(name, names))}`,
    names.length === 0 ? NO_CHANNELS : `There is: ${names.join(", ")}.`,
  );
};

export const channel: Group = {
  kind: "group",
  summary: "Manages chat platforms and their deliveries",
  verbs: {
    list,
    show,
    add,
    edit,
    remove,
    test,
    resend: decide("resend", "Sends a delivery with an unknown outcome again; it may arrive twice", "is sent again"),
    leave: decide(
      "leave",
      "Closes a delivery with an unknown outcome without sending it again",
      "is closed without sending again",
    ),
  },
};
