/** Flags that set who may wake agents in a room, and the text that describes it. */
import type { Client } from "@hearth/client";
import type { AgentId, RoomAdmission } from "@hearth/protocol";
import { changeAgents } from "../show/agent-list.ts";
import type { FlagValues, Flags } from "../command.ts";
import type { Names } from "../show/names.ts";

const YES_NO = ["yes", "no"] as const;

export const admissionFlags = {
  "admission-mode": {
    kind: "text",
    value: "MODE",
    choices: ["open", "allow"],
    summary: "who may wake agents here: open (everyone who may write) or allow (only the allow list)",
  },
  "admission-allow": { kind: "text", value: "LIST", summary: "the allow list: ada,main; +ada,-main to change it" },
  "admission-block": { kind: "text", value: "LIST", summary: "who may never wake agents: ben; +ben,-ada to change it" },
  "admission-direct-only": {
    kind: "text",
    value: "YES",
    choices: YES_NO,
    summary: "agents wake only in direct rooms: yes, no",
  },
  "admission-mention-required": {
    kind: "text",
    value: "YES",
    choices: YES_NO,
    summary: "an agent wakes only when it is mentioned, also in direct rooms: yes, no",
  },
  "admission-wake": {
    kind: "text",
    value: "LIST",
    summary: "authors whose messages always wake each bot: ada; +ada,-ben to change it",
  },
} as const satisfies Flags;

type GivenFlags = FlagValues<typeof admissionFlags>;

/** Returns the admission after the change: `null` when it is empty, `undefined` when no flag was given. */
export const changeAdmission = async (
  client: Client,
  flags: GivenFlags,
  currentAdmission: RoomAdmission = {},
): Promise<RoomAdmission | null | undefined> => {
  if (Object.values(flags).every((value) => value === undefined)) return undefined;
  const readAgents = async (
    flag: keyof GivenFlags,
    previousIds: readonly string[] = [],
  ): Promise<readonly string[]> => {
    const text = flags[flag];
    if (text === undefined) return previousIds;
    return changeAgents(client, { flag: `--${flag}`, text }, async () => previousIds);
  };
  const isOn = (flag: keyof GivenFlags, previousValue = false): boolean =>
    flags[flag] === undefined ? previousValue : flags[flag] === "yes";
  const mode = (flags["admission-mode"] ?? currentAdmission.mode) as RoomAdmission["mode"];
  const [allow, block, wake] = await Promise.all([
    readAgents("admission-allow", currentAdmission.allow),
    readAgents("admission-block", currentAdmission.block),
    readAgents("admission-wake", currentAdmission.wake),
  ]);
  const newAdmission: RoomAdmission = {
    ...(mode === undefined || mode === "open" ? {} : { mode }),
    ...(allow.length === 0 ? {} : { allow: [...allow] }),
    ...(block.length === 0 ? {} : { block: [...block] }),
    ...(isOn("admission-direct-only", currentAdmission.directOnly) ? { directOnly: true } : {}),
    ...(isOn("admission-mention-required", currentAdmission.mentionRequired) ? { mentionRequired: true } : {}),
    ...(wake.length === 0 ? {} : { wake: [...wake] }),
  };
  return Object.keys(newAdmission).length === 0 ? null : newAdmission;
};

/** Describes an admission, for example "only Owner, Ada; never Ben; only when an agent is mentioned". */
export const describeAdmission = async (admission: RoomAdmission, names: Names): Promise<string> => {
  const { mode, allow = [], block = [], directOnly, mentionRequired, wake = [] } = admission;
  const formatNames = async (ids: readonly string[]): Promise<string> =>
    (await Promise.all(ids.map((id) => names.get(id as AgentId)))).join(", ");
  const allowedText =
    mode !== "allow" ? "everyone who may write" : allow.length === 0 ? "no one" : `only ${await formatNames(allow)}`;
  return [
    allowedText,
    ...(block.length === 0 ? [] : [`never ${await formatNames(block)}`]),
    ...(directOnly === true ? ["only in direct rooms"] : []),
    ...(mentionRequired === true ? ["only when an agent is mentioned"] : []),
    ...(wake.length === 0 ? [] : [`every message of ${await formatNames(wake)} wakes each bot`]),
  ].join("; ");
};
