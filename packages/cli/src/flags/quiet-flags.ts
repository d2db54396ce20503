/** Flags for quiet hours, and the change that they make to the current quiet hours. */
import { isZone, type QuietHours } from "@hearth/protocol";
import { UsageError } from "../args/usage-error.ts";

export const quietFlags = {
  quiet: { kind: "text", value: "FROM-TO", summary: "no notifications during this time; off: at no time" },
  days: { kind: "text", value: "DAYS", summary: "days on which it begins, such as mon-fri,sun, or all" },
  timezone: { kind: "text", value: "ZONE", summary: "IANA name, such as Europe/Berlin (default: yours)" },
} as const;

export interface QuietFlags {
  readonly quiet: string | undefined;
  readonly days: string | undefined;
  readonly timezone: string | undefined;
}

const OFF = "off";
const ALL = "all";
const TIMES = /^((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d)$/;
const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

export const hasQuietFlags = ({ quiet, days, timezone }: QuietFlags): boolean =>
  [quiet, days, timezone].some((flag) => flag !== undefined);

/** Null ends the quiet hours. `zone`: the time zone of the person, if the quiet hours have no time zone. */
export const toQuietHours = (
  flags: QuietFlags,
  currentHours: QuietHours | undefined,
  zone: string,
): QuietHours | null => {
  if (flags.quiet === OFF) {
    if (flags.days === undefined && flags.timezone === undefined) return null;
    throw new UsageError("--quiet off takes neither --days nor --timezone.", "Give --quiet off alone.");
  }
  const { from, to } = toTimes(flags.quiet) ?? currentHours ?? requireQuietHours();
  const timezone = toZone(flags.timezone) ?? currentHours?.timezone ?? zone;
  const days = flags.days === undefined ? currentHours?.days : toDays(flags.days);
  return { from, to, timezone, ...(days === undefined ? {} : { days }) };
};

export const describeQuietHours = ({ from, to, timezone, days }: QuietHours): string =>
  `${from} to ${to}, ${timezone}${days === undefined ? "" : `, ${days.map((day) => DAYS[day - 1]).join(",")}`}`;

const requireQuietHours = (): never => {
  throw new UsageError(
    "There are no quiet hours to change: --days and --timezone belong to --quiet.",
    "Give the time too, such as --quiet 22:00-07:00",
  );
};

const toTimes = (text: string | undefined): Pick<QuietHours, "from" | "to"> | undefined => {
  if (text === undefined) return undefined;
  const [, from, to] = TIMES.exec(text) ?? [];
  if (from !== undefined && to !== undefined && from !== to) return { from, to };
  throw new UsageError(
    `--quiet: "${text}" is no time from one clock time to another.`,
    "Give two different times of 24 hours, such as --quiet 22:00-07:00, or --quiet off",
  );
};

const toZone = (zone: string | undefined): string | undefined => {
  if (zone === undefined || isZone(zone)) return zone;
  throw new UsageError(`--timezone: "${zone}" is no IANA time zone.`, "Give a name such as Europe/Berlin");
};

/** Undefined: each day. */
const toDays = (text: string): number[] | undefined => {
  const days = new Set(text === ALL ? DAYS.keys() : text.toLowerCase().split(",").flatMap(toRange));
  return days.size === DAYS.length ? undefined : [...days].map((day) => day + 1).toSorted((a, b) => a - b);
};

const toRange = (text: string): readonly number[] => {
  const [firstDay = "", lastDay = firstDay, ...extraParts] = text.split("-");
  const [begin, end] = [DAYS.indexOf(firstDay), DAYS.indexOf(lastDay)];
  if (begin < 0 || end < 0 || extraParts.length > 0)
    throw new UsageError(`--days: "${text}" is no day.`, `Give days of ${DAYS.join(", ")}, such as --days mon-fri,sun`);
  // A range may pass the end of the week.
  const count = ((end - begin + DAYS.length) % DAYS.length) + 1;
  return Array.from({ length: count }, (_day, index) => (begin + index) % DAYS.length);
};
