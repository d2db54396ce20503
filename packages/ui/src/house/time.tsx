/** Localized times, with the full date as a tooltip. */
import { type ReactNode, useEffect, useState } from "react";
import { useUi } from "./ui.tsx";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The current time, updated every `everyMs`. */
export const useNow = (everyMs: number): number => {
  const { clock } = useUi();
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => {
    const stop = new AbortController();
    const tick = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        await clock.sleep(everyMs, stop.signal);
        if (!stop.signal.aborted) setNow(clock.now());
      }
    };
    void tick();
    return () => stop.abort();
  }, [clock, everyMs]);
  return now;
};

export interface TimeProps {
  readonly at: number;
  /**
   * `time`: hours and minutes. `date-time`: the date too. `relative`: a short age, or the weekday
   * or date of an older time.
   */
  readonly style?: "time" | "date-time" | "relative";
}

export const Time = ({ at, style = "time" }: TimeProps) =>
  style === "relative" ? (
    <RelativeTime at={at} />
  ) : (
    <Stamp at={at}>{style === "time" ? formatTime(at) : formatDateTime(at)}</Stamp>
  );

const RelativeTime = ({ at }: { readonly at: number }) => <Stamp at={at}>{formatRelative(at, useNow(MINUTE))}</Stamp>;

const Stamp = ({ at, children }: { readonly at: number; readonly children: ReactNode }) => (
  <time dateTime={new Date(at).toISOString()} title={formatFull(at)}>
    {children}
  </time>
);

export const formatTime = (at: number, locale?: string): string =>
  new Date(at).toLocaleTimeString(locale, { hour: "numeric", minute: "2-digit" });

export const formatFull = (at: number, locale?: string): string =>
  new Date(at).toLocaleString(locale, { dateStyle: "full", timeStyle: "short" });

/** Formats a date and time, for example "Mar 4, 2026, 9:05 AM". */
export const formatDateTime = (at: number, locale?: string): string =>
  new Date(at).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });

/** Formats an age: "now", "5 min", "3 hr", then "Mon", then "Mar 4". A future time is "now". */
export const formatRelative = (at: number, now: number, locale?: string): string => {
  const ago = now - at;
  if (ago < MINUTE) return "now";
  if (ago < HOUR) return inUnit(Math.floor(ago / MINUTE), "minute", locale);
  if (ago < DAY) return inUnit(Math.floor(ago / HOUR), "hour", locale);
  if (ago < 7 * DAY) return new Date(at).toLocaleDateString(locale, { weekday: "short" });
  const isSameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return new Date(at).toLocaleDateString(locale, {
    month: "short",
    day: "numeric",
    ...(isSameYear ? {} : { year: "numeric" }),
  });
};

const inUnit = (count: number, unit: "minute" | "hour", locale: string | undefined): string =>
  new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short" }).format(count);
