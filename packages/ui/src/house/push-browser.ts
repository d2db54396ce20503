/** The browser functions that the UI uses for notifications from a push service. */
import type { AddPushDevice } from "@hearth/protocol";

/** Why this browser cannot get notifications at this address. */
export type PushProblem = "insecure" | "unsupported" | "install-first" | "denied";

export interface PushBrowser {
  problem(): PushProblem | undefined;
  /** Whether this browser has a subscription. */
  isSubscribed(): Promise<boolean>;
  /** Asks for the browser's permission. Throws `request.invalid` if it is refused. */
  subscribe(publicKey: string): Promise<AddPushDevice>;
  unsubscribe(): Promise<void>;
}
