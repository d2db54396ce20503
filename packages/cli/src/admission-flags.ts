/** Who may wake agents in a room, as flags and in words. */
import type { Client } from "@hearth/client";
import type { AgentId, RoomAdmission } from "@hearth/protocol";
import { changeAgents } from "./agent-list.ts";
import type { FlagValues, Flags } from "./command.ts";
import type { Names } from "./names.ts";

const YES_NO = ["yes", "no"] as const;

export const admissionFlags = {
  "admission-mode": {
    kind: "text",
    value: "MODE",
    choices: ["open", "allow"],
    summary: "who may wake agents here: open (whoever may write) or allow (only those on its list)",
  },
  "admission-allow": { kind: "text", value: "LIST", summary: "that list: ada,main; +ada,-main to change it" },
  "admission-block": { kind: "text", value: "LIST", summary: "who never does: ben; +ben,-ada to change it" },
  "admission-direct-only": {
    kind: "text",
    value: "YES",
    choices: YES_NO,
    summary: "only conversations of two: yes, no",
  },
  "admission-mention-required": {
    kind: "text",
    value: "YES",
    choices: YES_NO,
    summary: "an agent has to be named, in conversations of two as well: yes, no",
  },
  "admission-wake": {
    kind: "text",
    value: "LIST",
    summary: "whose every message wakes each bot, named or not: ada; +ada,-ben to change it",
  },
} as const satisfies Flags;

type Given = FlagValues<typeof admissionFlags>;

/** The admission after the change; `null` when nothing is left of it, `undefined` when no flag says anything. */
export const changeAdmission = async (
  client: Client,
  given: Given,
  present: RoomAdmission = {},
): Promise<RoomAdmission | null | undefined> => {
  if (Object.values(given).every((value) => value === undefined)) return undefined;
  const list = async (flag: keyof Given, before: readonly string[] = []): Promise<readonly string[]> => {
    const text = given[flag];
    return text === undefined ? before : changeAgents(client, { flag: `--${flag}`, text }, async () => before);
  };
  const isOn = (flag: keyof Given, before = false): boolean =>
    given[flag] === undefined ? before : given[flag] === "yes";
  const mode = (given["admission-mode"] ?? present.mode) as RoomAdmission["mode"];
  const [allow, block, wake] = await Promise.all([
    list("admission-allow", present.allow),
    list("admission-block", present.block),
    list("admission-wake", present.wake),
  ]);
  const changed: RoomAdmission = {
    ...(mode === undefined || mode === "open" ? {} : { mode }),
    ...(allow.length === 0 ? {} : { allow: [...allow] }),
    ...(block.length === 0 ? {} : { block: [...block] }),
    ...(isOn("admission-direct-only", present.directOnly) ? { directOnly: true } : {}),
    ...(isOn("admission-mention-required", present.mentionRequired) ? { mentionRequired: true } : {}),
    ...(wake.length === 0 ? {} : { wake: [...wake] }),
  };
  return Object.keys(changed).length === 0 ? null : changed;
};

/** "only Owner, Ada; never Ben; only where an agent is named" */
export const tellAdmission = async (admission: RoomAdmission, names: Names): Promise<string> => {
  const { mode, allow = [], block = [], directOnly, mentionRequired, wake = [] } = admission;
  const list = async (ids: readonly string[]): Promise<string> =>
    (await Promise.all(ids.map((id) => names.of(id as AgentId)))).join(", ");
  const who = mode !== "allow" ? "whoever may write" : allow.length === 0 ? "nobody" : `only ${await list(allow)}`;
  return [
    who,
    ...(block.length === 0 ? [] : [`never ${await list(block)}`]),
    ...(directOnly === true ? ["only in conversations of two"] : []),
    ...(mentionRequired === true ? ["only where an agent is named"] : []),
    ...(wake.length === 0 ? [] : [`each message of ${await list(wake)} wakes`]),
  ].join("; ");
};
