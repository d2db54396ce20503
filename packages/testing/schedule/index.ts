/** Oracles of the schedule: slots found minute by minute, and calendars that are difficult. */
export { changesIn, EXPRESSIONS, SPAN_MS, YEARS } from "./calendar-cases.ts";
export { slotsByLocalTime, localTimesOf } from "./calendar-oracle.ts";
