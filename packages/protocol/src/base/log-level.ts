/** The levels of the daemon's log. */
import { z } from "zod";

/** In ascending order. */
export const logLevels = ["debug", "info", "warn", "error"] as const;
export const LogLevel = z.enum(logLevels);
export type LogLevel = z.infer<typeof LogLevel>;
