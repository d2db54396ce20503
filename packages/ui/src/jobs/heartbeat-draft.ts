/** The heartbeat form: its field values, their validation, and the patch that is sent. Pure. */
import { type AgentRecord, type Heartbeat, isZone, MIN_JOB_INTERVAL_MS, parseDuration } from "@hearth/protocol";
import { unknownTimeZone } from "../models/text.ts";
import { toNumber, toText } from "../settings/agents/budget-words.ts";
import * as texts from "./text.ts";

export interface HeartbeatFields {
  readonly [field: string]: string;
  readonly isOn: "yes" | "";
  readonly every: string;
  readonly from: string;
  readonly to: string;
  /** The agent's time zone. An empty text selects that of the house. */
  readonly timezone: string;
  readonly money: string;
  readonly tokens: string;
  readonly room: string;
  readonly always: "yes" | "";
}

/** The values of a new heartbeat. */
const DEFAULT_HEARTBEAT: Heartbeat = { every: "30m" };

export const fieldsOf = ({ heartbeat, timezone }: AgentRecord["content"]): HeartbeatFields => {
  const { every, hours, budget, room, always } = heartbeat ?? DEFAULT_HEARTBEAT;
  return {
    isOn: heartbeat === undefined ? "" : "yes",
    every,
    from: hours?.from ?? "",
    to: hours?.to ?? "",
    timezone: timezone ?? "",
    money: toText("money", budget?.money),
    tokens: toText("tokens", budget?.tokens),
    room: room ?? "",
    always: always === true ? "yes" : "",
  };
};

/** Parses a time of day. "8", "8:00" and "08:00" are equal. */
const parseTimeOfDay = (text: string): string | undefined => {
  const [, hour, minute = "00"] = /^(\d{1,2})(?:[:.](\d\d))?$/.exec(text.trim()) ?? [];
  if (hour === undefined || Number(hour) > 24 || Number(minute) > 59) return undefined;
  return `${hour.padStart(2, "0")}:${minute}`;
};

const TIME_ERROR = texts.enterATimeOfDay;

const checkHours = ({ from, to }: HeartbeatFields): { readonly from?: string; readonly to?: string } => {
  if (from.trim() === "" && to.trim() === "") return {};
  const [start, end] = [parseTimeOfDay(from), parseTimeOfDay(to)];
  const isStartValid = start !== undefined && start < "24:00";
  const isEndValid = end !== undefined && end <= "24:00";
  if (isStartValid && isEndValid) return start === end ? { to: texts.endEqualsStart } : {};
  return {
    ...(isStartValid ? {} : { from: from.trim() === "" ? texts.enterAStartTime : TIME_ERROR }),
    ...(isEndValid ? {} : { to: to.trim() === "" ? texts.enterAnEndTime : TIME_ERROR }),
  };
};

const checkEvery = (text: string): { readonly every?: string } => {
  const span = parseDuration(text);
  if (span === undefined) return { every: texts.enterAnInterval };
  return span < MIN_JOB_INTERVAL_MS ? { every: texts.enterALongerInterval(MIN_JOB_INTERVAL_MS / 1000) } : {};
};

/** Returns errors by field. A heartbeat that is off has no errors. */
export const checkHeartbeat = (fields: HeartbeatFields): { readonly [Name in keyof HeartbeatFields]?: string } => {
  const { isOn, every, timezone, money, tokens } = fields;
  if (isOn === "") return {};
  const isInvalid = (unit: "money" | "tokens", text: string): boolean =>
    text.trim() !== "" && toNumber(unit, text.trim()) === undefined;
  return {
    ...checkEvery(every),
    ...checkHours(fields),
    ...(timezone.trim() === "" || isZone(timezone.trim()) ? {} : { timezone: unknownTimeZone }),
    ...(isInvalid("money", money) ? { money: texts.enterAnAmount } : {}),
    ...(isInvalid("tokens", tokens) ? { tokens: texts.enterAWholeNumber } : {}),
  };
};

/** Returns a patch of the agent's record from validated fields. Leaves out unchanged fields. */
export const toHeartbeatPatch = (savedFields: HeartbeatFields, changes: Readonly<Record<string, string | null>>) => {
  const changedFields = Object.fromEntries(Object.entries(changes).map(([name, text]) => [name, text ?? ""]));
  const fields = { ...savedFields, ...changedFields };
  const { timezone, ...otherChanges } = changes;
  return {
    ...(timezone === undefined || fields.isOn === "" ? {} : { timezone }),
    ...(Object.keys(otherChanges).length === 0 ? {} : { heartbeat: heartbeatOf(fields) }),
  };
};

const heartbeatOf = ({ isOn, every, from, to, money, tokens, room, always }: HeartbeatFields) => {
  if (isOn === "") return null;
  const [start, end] = [parseTimeOfDay(from), parseTimeOfDay(to)];
  const [dollars, count] = [toNumber("money", money.trim()), toNumber("tokens", tokens.trim())];
  const budget = {
    ...(dollars === undefined ? {} : { money: dollars }),
    ...(count === undefined ? {} : { tokens: count }),
  };
  return {
    every: every.trim(),
    ...(start === undefined || end === undefined ? {} : { hours: { from: start, to: end } }),
    ...(Object.keys(budget).length === 0 ? {} : { budget }),
    ...(room === "" ? {} : { room }),
    ...(always === "" ? {} : { always: true }),
  };
};
