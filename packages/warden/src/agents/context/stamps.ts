/** Formats instants for people, in a time zone. */
import { wallTime } from "@hearth/protocol";

export type Stamp = (at: number) => string;

/** Creates the formatter of instants in this time zone: "Sat 2026-11-21 09:50 Europe/Berlin". */
export const stampIn =
  (zone: string): Stamp =>
  (at) => {
    const { weekday, year, month, day, hour, minute } = wallTime(at, zone);
    return `${weekday} ${year}-${month}-${day} ${hour}:${minute} ${zone}`;
  };
