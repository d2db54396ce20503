/** Flags for what wakes a bot, and the text that describes it. */
import { type AgentContent, type Ambient, DEFAULT_TRIGGER_MODE, type TriggerMode } from "@hearth/protocol";
import type { FlagValues, Flags } from "../command.ts";
import { formatDuration } from "../show/time.ts";
import { readDuration } from "../args/when.ts";

export const wakingFlags = {
  trigger: {
    kind: "text",
    value: "MODE",
    choices: ["mention", "ambient"],
    summary: "what wakes it in a group room: mention (its @handle) or ambient (also relevant messages)",
  },
  debounce: {
    kind: "text",
    value: "SPAN",
    summary: "ambient: how long the room must be silent before it reads, such as 3s",
  },
  cooldown: {
    kind: "text",
    value: "ON",
    choices: ["on", "off"],
    summary: "ambient: whether it stays silent when it wrote one of the last five messages: on, off",
  },
  relevance: {
    kind: "text",
    value: "HOW",
    choices: ["model", "words", "off"],
    summary: "ambient: how relevance is decided: model, words, or off (everything is relevant)",
  },
  "relevance-model": {
    kind: "text",
    value: "PROVIDER/MODEL",
    summary: "ambient: the model that decides relevance (default: its own)",
  },
} as const satisfies Flags;

type GivenFlags = FlagValues<typeof wakingFlags>;

/** Converts flags to fields. `null` removes a field. */
export const changeWaking = (
  { trigger, debounce, cooldown, relevance, "relevance-model": model }: GivenFlags,
  currentAmbient: Ambient = {},
): { readonly triggerMode?: TriggerMode; readonly ambient?: Ambient | null } => {
  const modeField = trigger === undefined ? {} : { triggerMode: trigger as TriggerMode };
  if ([debounce, cooldown, relevance, model].every((value) => value === undefined)) return modeField;
  const ambient = omitUndefined({
    ...currentAmbient,
    ...(debounce !== undefined && { debounceMs: debounce === "" ? undefined : readDuration("--debounce", debounce) }),
    ...(cooldown !== undefined && { cooldown: cooldown === "on" }),
    ...(relevance !== undefined && { relevance: relevance as Ambient["relevance"] }),
    ...(model !== undefined && { model: model === "" ? undefined : model }),
  });
  return { ...modeField, ambient: Object.keys(ambient).length === 0 ? null : ambient };
};

const omitUndefined = (fields: { readonly [Name in keyof Ambient]: Ambient[Name] | undefined }): Ambient =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/**
 * Describes what wakes a bot, for example "ambient: after 3.0 s of silence, cooldown on, relevance
 * by words".
 */
export const describeWaking = ({ triggerMode = DEFAULT_TRIGGER_MODE, ambient = {} }: AgentContent): string => {
  if (triggerMode === "mention") return "mention: its @handle, and every message of a direct room";
  const { debounceMs = 3_000, cooldown = true, model, relevance = model === undefined ? "words" : "model" } = ambient;
  const relevanceText =
    relevance === "off"
      ? "everything is relevant"
      : `relevance by ${relevance === "model" ? (model ?? "its model") : "words"}`;
  const silence = formatDuration(debounceMs);
  return `ambient: after ${silence} of silence, cooldown ${cooldown ? "on" : "off"}, ${relevanceText}`;
};
