/** What wakes a bot, as flags and in words. */
import { type AgentContent, type Ambient, DEFAULT_TRIGGER_MODE, type TriggerMode } from "@hearth/protocol";
import type { FlagValues, Flags } from "./command.ts";
import { span } from "./time.ts";
import { readDuration } from "./when.ts";

export const wakingFlags = {
  trigger: {
    kind: "text",
    value: "MODE",
    choices: ["mention", "ambient"],
    summary: "what wakes it in a group room: mention (its @handle) or ambient (also talk that concerns it)",
  },
  debounce: { kind: "text", value: "SPAN", summary: "ambient: the silence it waits for before it looks, such as 3s" },
  cooldown: {
    kind: "text",
    value: "ON",
    choices: ["on", "off"],
    summary: "ambient: whether it stays quiet while it wrote one of the last five messages: on, off",
  },
  relevance: {
    kind: "text",
    value: "HOW",
    choices: ["model", "words", "off"],
    summary: "ambient: how it finds out what concerns it: model, words, or off for everything",
  },
  "relevance-model": {
    kind: "text",
    value: "PROVIDER/MODEL",
    summary: "ambient: a small model that says yes or no (default: its own)",
  },
} as const satisfies Flags;

type Given = FlagValues<typeof wakingFlags>;

/** The fields that were given; `null` takes one away. */
export const changeWaking = (
  { trigger, debounce, cooldown, relevance, "relevance-model": model }: Given,
  present: Ambient = {},
): { readonly triggerMode?: TriggerMode; readonly ambient?: Ambient | null } => {
  const mode = trigger === undefined ? {} : { triggerMode: trigger as TriggerMode };
  if ([debounce, cooldown, relevance, model].every((value) => value === undefined)) return mode;
  const ambient = withoutEmpty({
    ...present,
    ...(debounce !== undefined && { debounceMs: debounce === "" ? undefined : readDuration("--debounce", debounce) }),
    ...(cooldown !== undefined && { cooldown: cooldown === "on" }),
    ...(relevance !== undefined && { relevance: relevance as Ambient["relevance"] }),
    ...(model !== undefined && { model: model === "" ? undefined : model }),
  });
  return { ...mode, ambient: Object.keys(ambient).length === 0 ? null : ambient };
};

const withoutEmpty = (fields: { readonly [Name in keyof Ambient]: Ambient[Name] | undefined }): Ambient =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** "ambient: after 3.0 s of silence, cooldown on, relevance by words" */
export const tellWaking = ({ triggerMode = DEFAULT_TRIGGER_MODE, ambient = {} }: AgentContent): string => {
  if (triggerMode === "mention") return "mention: its @handle, and every message of a direct room";
  const { debounceMs = 3_000, cooldown = true, model, relevance = model === undefined ? "words" : "model" } = ambient;
  const how =
    relevance === "off"
      ? "everything concerns it"
      : `relevance by ${relevance === "model" ? (model ?? "its model") : "words"}`;
  return `ambient: after ${span(debounceMs)} of silence, cooldown ${cooldown ? "on" : "off"}, ${how}`;
};
