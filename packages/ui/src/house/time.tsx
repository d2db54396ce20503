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

export const formatTime = (at: number, tag: string = locale): string =>
  new Date(at).toLocaleTimeString(tag, { hour: "numeric", minute: "2-digit" });

export const formatFull = (at: number, tag: string = locale): string =>
  new Date(at).toLocaleString(tag, { dateStyle: "full", timeStyle: "short" });

/** Formats a date and time, for example "Mar 4, 2026, 9:05 AM". */
export const formatDateTime = (at: number, tag: string = locale): string =>
  new Date(at).toLocaleString(tag, { dateStyle: "medium", timeStyle: "short" });

/** Formats an age: "now", "5 min", "3 hr", then "Mon", then "Mar 4". A future time is "now". */
export const formatRelative = (at: number, now: number, tag: string = locale): string => {
  const ago = now - at;
  if (ago < MINUTE) return texts.now;
  if (ago < HOUR) return inUnit(Math.floor(ago / MINUTE), "minute", tag);
  if (ago < DAY) return inUnit(Math.floor(ago / HOUR), "hour", tag);
  if (ago < 7 * DAY) return new Date(at).toLocaleDateString(tag, { weekday: "short" });
  const isSameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return new Date(at).toLocaleDateString(tag, {
    month: "short",
    day: "numeric",
    ...(isSameYear ? {} : { year: "numeric" }),
  });
};

const inUnit = (count: number, unit: "minute" | "hour", tag: string): string =>
  new Intl.NumberFormat(tag, { style: "unit", unit, unitDisplay: "short" }).format(count);
