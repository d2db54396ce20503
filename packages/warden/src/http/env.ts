/** Hono's environment, which holds the caller. It is set before any route runs. */
import type { Caller } from "./http.ts";

export interface Env {
  Bindings: Caller;
}
