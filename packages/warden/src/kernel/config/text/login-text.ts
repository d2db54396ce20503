/** The table `[login]`: how long logins last. */
import { z } from "zod";

export interface LoginConfig {
  /** The longest session of a browser. */
  readonly sessionMs: number;
  /** A session ends after this time without a request. Absent: never. */
  readonly idleMs?: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const Days = "must be a whole number of days from 1 to 365";
const Minutes = "must be a whole number of minutes from 15 to 525600";

export const LoginText = z
  .strictObject({
    session_days: z.int(Days).min(1, Days).max(365, Days).default(30),
    idle_minutes: z.int(Minutes).min(15, Minutes).max(525_600, Minutes).optional(),
  })
  .prefault({});

export const toLogin = ({ session_days, idle_minutes }: z.infer<typeof LoginText>): LoginConfig => ({
  sessionMs: session_days * DAY_MS,
  ...(idle_minutes === undefined ? {} : { idleMs: idle_minutes * MINUTE_MS }),
});
