/** The browser functions that the UI uses for notifications, of a push service or of an open page. */
import type { AddPushDevice, PushPayload } from "@hearth/protocol";

/** Why this browser cannot get notifications at this address. */
export type PushProblem = "insecure" | "unsupported" | "install-first" | "denied";

export interface PushBrowser {
  problem(): PushProblem | undefined;
  /** Whether this browser has a subscription. */
  isSubscribed(): Promise<boolean>;
  /** Asks for the browser's permission. Throws `request.invalid` if it is refused. */
  subscribe(publicKey: string): Promise<AddPushDevice>;
  unsubscribe(): Promise<void>;
  /** Why open pages cannot notify. Needs no push service. */
  pageProblem(): PushProblem | undefined;
  /** Asks for the browser's permission. Throws `request.invalid` if it is refused. */
  requestPermission(): Promise<void>;
  isPermitted(): boolean;
  /** Whether the person looks at this page. */
  isInFront(): boolean;
  /** Lets the worker show the notice, unless the person looks at its room in another tab. */
  notify(notice: PushPayload): Promise<void>;
}
