/** Localized times, with the full date as a tooltip. */
import { observe } from "@hearth/client";
import { type ReactNode, useEffect, useState } from "react";
import { locale } from "../language/locale.ts";
import * as texts from "./text.ts";
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
    observe(tick());
    return () => stop.abort();
  }, [clock, everyMs]);
  return now;
};

export interface TimeProps {
  readonly at: number;
  /**
   * `time`: hours and minutes. `date-time`: the date too. `relative`: an age such as "3 min. ago", or the
   * weekday or date of an older time. `age`: the same without "ago", where space is short.
   */
  readonly style?: "time" | "date-time" | "relative" | "age";
}

export const Time = ({ at, style = "time" }: TimeProps) =>
  style === "relative" || style === "age" ? (
    <RelativeTime at={at} format={style === "age" ? formatAge : formatRelative} />
  ) : (
    <Stamp at={at}>{style === "time" ? formatTime(at) : formatDateTime(at)}</Stamp>
  );

interface RelativeTimeProps {
  readonly at: number;
  readonly format: (at: number, now: number) => string;
}

const RelativeTime = ({ at, format }: RelativeTimeProps) => <Stamp at={at}>{format(at, useNow(MINUTE))}</Stamp>;

const Stamp = ({ at, children }: { readonly at: number; readonly children: ReactNode }) => (
  <time dateTime={new Date(at).toISOString()} title={formatFull(at)}>
    {children}
  </time>
);

export const formatTime = (at: number, tag: string = locale): string =>
  new Date(at).toLocaleTimeString(tag, { hour: "numeric", minute: "2-digit" });

export const formatFull = (at: number, tag: string = locale): string =>
  new Date(at).toLocaleString(tag, { dateStyle: "full", timeStyle: "short" });

/** Formats a date and time, for example "Mar 4, 2026, 9:05 AM". */
export const formatDateTime = (at: number, tag: string = locale): string =>
  new Date(at).toLocaleString(tag, { dateStyle: "medium", timeStyle: "short" });

type FormatAge = (count: number, unit: "minute" | "hour", tag: string) => string;

/** Formats an age: "now", "5 min", "3 hr", then "Mon", then "Mar 4". A future time is "now". */
export const formatAge = (at: number, now: number, tag: string = locale): string => formatPast(at, now, tag, inUnit);

/** Formats an age as part of a sentence: "now", "5 min. ago", "3 hr. ago", then as `formatAge`. */
export const formatRelative = (at: number, now: number, tag: string = locale): string =>
  formatPast(at, now, tag, inUnitAgo);

const formatPast = (at: number, now: number, tag: string, format: FormatAge): string => {
  const ago = now - at;
  if (ago < MINUTE) return texts.now;
  if (ago < HOUR) return format(Math.floor(ago / MINUTE), "minute", tag);
  if (ago < DAY) return format(Math.floor(ago / HOUR), "hour", tag);
  if (ago < 7 * DAY) return new Date(at).toLocaleDateString(tag, { weekday: "short" });
  const isSameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return new Date(at).toLocaleDateString(tag, {
    month: "short",
    day: "numeric",
    ...(isSameYear ? {} : { year: "numeric" }),
  });
};

const inUnit: FormatAge = (count, unit, tag) =>
  new Intl.NumberFormat(tag, { style: "unit", unit, unitDisplay: "short" }).format(count);

const inUnitAgo: FormatAge = (count, unit, tag) =>
  new Intl.RelativeTimeFormat(tag, { style: "short" }).format(-count, unit);
