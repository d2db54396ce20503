/** Formats times and durations for a terminal. */

const STEPS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** Formats an age, for example `3 min ago`. */
export const formatAge = (at: number, now: number): string => {
  const step = STEPS.find(([, unitMs]) => now - at >= unitMs);
  return step === undefined ? "just now" : `${Math.floor((now - at) / step[1])} ${step[0]} ago`;
};

/** Formats a duration: `12 ms`, `1.4 s`, `3 min`, `2.5 h`. */
export const formatDuration = (ms: number): string => {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return ms < 3_600_000 ? `${formatTenths(ms / 60_000)} min` : `${formatTenths(ms / 3_600_000)} h`;
};

const formatTenths = (value: number): string => value.toFixed(1).replace(/\.0$/, "");

/** Formats a time in this machine's time zone, for example `2026-01-31 08:30:00`. */
export const localTime = (at: number): string => {
  const date = new Date(at);
  const padTwo = (value: number): string => String(value).padStart(2, "0");
  return [
    [date.getFullYear(), padTwo(date.getMonth() + 1), padTwo(date.getDate())].join("-"),
    [date.getHours(), date.getMinutes(), date.getSeconds()].map(padTwo).join(":"),
  ].join(" ");
};
