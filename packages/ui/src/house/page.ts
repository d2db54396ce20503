/** The browser functions that the UI uses: the page and passkeys. */
import type { PasskeyAssertion, PasskeyAttestation } from "@hearth/protocol";
import type { PushBrowser } from "./push-browser.ts";

/** Why the browser cannot use passkeys at this address. */
export type PasskeyProblem = "ip-address" | "insecure" | "unsupported";

/** The authenticators that the browser can use. `options` come from the house. */
export interface PasskeyDevice {
  problem(): PasskeyProblem | undefined;
  /** Throws `auth.passkey`, also if the user cancels. */
  create(options: Readonly<Record<string, unknown>>): Promise<PasskeyAttestation>;
  /** Throws `auth.passkey`, also if the user cancels. */
  get(options: Readonly<Record<string, unknown>>): Promise<PasskeyAssertion>;
}

/** The parts of the browser page that components use. */
export interface Page {
  /** Whether the browser reports a network connection. */
  readonly isOnline: () => boolean;
  /** Subscribes to changes. Returns a function that unsubscribes. */
  readonly onNetwork: (listener: () => void) => () => void;
  /**
   * Subscribes to the moments when a person returns to the page: it gets the focus, becomes visible,
   * or is online again.
   */
  readonly onAttention: (listener: () => void) => () => void;
  /** Whether the house serves a newer UI. Rejects if it does not answer. */
  readonly isOutdated: () => Promise<boolean>;
  /** The part of the address behind `#`, which browsers send to no server. */
  readonly fragment: () => string;
  readonly setTitle: (title: string) => void;
  /** Whether shortcuts use the command key instead of the control key. */
  readonly hasCommandKey: () => boolean;
  /** The number on the icon of the installed app. 0 removes it. */
  readonly setBadge: (count: number) => void;
  /** Subscribes to errors that no code handled. Returns a function that unsubscribes. */
  readonly onFailure: (listener: (error: unknown) => void) => () => void;
  readonly reload: () => void;
  /** Loads the styles of the parts that the first page lacks. Rejects if the house does not answer. */
  readonly loadStyles: () => Promise<void>;
  /** The path, the query and the fragment of the address. */
  readonly currentPath: () => string;
  /** Leaves the UI for another page. */
  readonly open: (url: string) => void;
  readonly passkeys: PasskeyDevice;
  /** Loads the part for notifications. */
  readonly push: () => Promise<PushBrowser>;
}
