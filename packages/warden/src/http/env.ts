/** Hono's environment: the caller. Set before any route runs. */
import type { Caller } from "./http.ts";

export interface Env {
  Bindings: Caller;
}
