/** Parses the times in the jobs file (intervals, instants), and describes schedules in words. */
import { HearthError, type JobSchedule, MIN_JOB_INTERVAL_MS, parseDuration } from "@hearth/protocol";
import { createZone, isZone } from "./time/zone.ts";

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Reads an interval: "90s", "15m", "1h30m". Throws `job.invalid`. */
export const readInterval = (text: string): number => {
  const ms = parseDuration(text);
  if (ms === undefined)
    throw invalidError(`"${text}" is not an interval.`, "Use for example 30s, 15m, 2h, 1h30m or 1d");
  if (ms >= MIN_JOB_INTERVAL_MS) return ms;
  throw invalidError(`"${text}" is too short: the minimum is ${MIN_JOB_INTERVAL_MS / 1000}s.`, "Use for example 15m");
};

/**
 * Reads an instant: "2026-12-01T09:00" in the zone, or with its own offset. Throws `job.invalid`.
 */
export const readInstant = (text: string, zone: string): number => {
  const [, date, time = "00:00", offset] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? [];
  const at = date === undefined ? Number.NaN : Date.parse(`${date}T${time}${offset ?? "Z"}`);
  if (Number.isNaN(at))
    throw invalidError(
      `"${text}" is not a date and time.`,
      "Use for example 2026-12-01T09:00 or 2026-12-01T09:00+01:00",
    );
  return offset === undefined ? createZone(requireZone(zone)).toInstant(at) : at;
};

/**
 * Returns the last instant of an end. A date without a time means the end of that day. Throws
 * `job.invalid`.
 */
export const readEnd = (text: string, zone: string): number =>
  /^\d{4}-\d\d-\d\d$/.test(text)
    ? createZone(requireZone(zone)).toInstant(readInstant(text, "UTC") + UNITS.d) - 1
    : readInstant(text, zone);

/** Returns the zone if it is known. Throws `job.invalid`. */
export const requireZone = (zone: string): string => {
  if (isZone(zone)) return zone;
  throw invalidError(`There is no time zone "${zone}".`, "Use its IANA name, such as Europe/Berlin");
};

/** Describes the schedule in words, so that people can check it. */
export const describe = (schedule: JobSchedule, zone: string): string => {
  switch (schedule.kind) {
    case "cron":
      return `${describeCron(schedule.cron)} (${schedule.zone})`;
    case "every":
      return `every ${describeInterval(schedule.everyMs)}`;
    case "once":
      return `once, on ${describeInstant(schedule.at, zone)} (${zone})`;
  }
};

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;

/** Describes simple expressions in words, and returns any other expression unchanged. */
const describeCron = (cron: string): string => {
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = cron.split(/\s+/);
  if (!/^\d+$/.test(minute) || !/^\d+(,\d+)*$/.test(hour) || month !== "*") return `cron ${cron}`;
  const times = hour.split(",").map((hourText) => `${hourText.padStart(2, "0")}:${minute.padStart(2, "0")}`);
  const time = `at ${times.join(", ")}`;
  if (day === "*" && weekday === "*") return `every day ${time}`;
  if (day === "*" && weekday === "1-5") return `every weekday ${time}`;
  if (day === "*" && /^[0-7](,[0-7])*$/.test(weekday))
    return `every ${weekday
      .split(",")
      .map((day) => DAYS[Number(day)])
      .join(", ")} ${time}`;
  if (weekday === "*" && day === "L") return `every month on its last day ${time}`;
  return weekday === "*" && /^\d+$/.test(day) ? `every month on day ${day} ${time}` : `cron ${cron}`;
};

export const describeInterval = (ms: number): string =>
  (["w", "d", "h", "m", "s"] as const).reduce<readonly [string, number]>(
    ([text, remainingMs], unit) => {
      const count = Math.floor(remainingMs / UNITS[unit]);
      return count === 0 ? [text, remainingMs] : [`${text}${count}${unit}`, remainingMs - count * UNITS[unit]];
    },
    ["", ms],
  )[0];

export const describeInstant = (at: number, zone: string): string =>
  new Date(createZone(zone).toLocal(at)).toISOString().slice(0, 16).replace("T", " ");

const invalidError = (message: string, hint: string): HearthError => new HearthError("job.invalid", message, { hint });
