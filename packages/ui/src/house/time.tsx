/** Localized times, with the full date as a tooltip. */
import { observe } from "@hearth/client";
import { type ReactNode, useEffect, useState } from "react";
import { locale } from "../language/locale.ts";
import * as texts from "./text.ts";
import { useUi } from "./ui.tsx";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Returns the current time, updated every `everyMs`. */
export const useNow = (everyMs: number): number => {
  const { clock } = useUi();
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => {
    const controller = new AbortController();
    const tick = async (): Promise<void> => {
      while (!controller.signal.aborted) {
        await clock.sleep(everyMs, controller.signal);
        if (!controller.signal.aborted) setNow(clock.now());
      }
    };
    observe(tick());
    return () => controller.abort();
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

const RelativeTime = ({ at, format }: RelativeTimeProps) => <Stamp at={at}>{format(at, useNow(MINUTE_MS))}</Stamp>;

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
export const formatAge = (at: number, now: number, tag: string = locale): string =>
  formatPast(at, now, tag, formatUnit);

/** Formats an age as part of a sentence: "now", "5 min. ago", "3 hr. ago", then as `formatAge`. */
export const formatRelative = (at: number, now: number, tag: string = locale): string =>
  formatPast(at, now, tag, formatUnitAgo);

const formatPast = (at: number, now: number, tag: string, format: FormatAge): string => {
  const ageMs = now - at;
  if (ageMs < MINUTE_MS) return texts.now;
  if (ageMs < HOUR_MS) return format(Math.floor(ageMs / MINUTE_MS), "minute", tag);
  if (ageMs < DAY_MS) return format(Math.floor(ageMs / HOUR_MS), "hour", tag);
  if (ageMs < 7 * DAY_MS) return new Date(at).toLocaleDateString(tag, { weekday: "short" });
  const isSameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return new Date(at).toLocaleDateString(tag, {
    month: "short",
    day: "numeric",
    ...(isSameYear ? {} : { year: "numeric" }),
  });
};

const formatUnit: FormatAge = (count, unit, tag) =>
  new Intl.NumberFormat(tag, { style: "unit", unit, unitDisplay: "short" }).format(count);

const formatUnitAgo: FormatAge = (count, unit, tag) =>
  new Intl.RelativeTimeFormat(tag, { style: "short" }).format(-count, unit);
