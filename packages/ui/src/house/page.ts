/** The browser page, as far as components use it. */
export interface Page {
  /** Whether the browser reports a network connection. */
  readonly isOnline: () => boolean;
  /** Subscribes to changes. Returns a function that unsubscribes. */
  readonly onNetwork: (listener: () => void) => () => void;
  /** Whether the house serves a newer UI. Rejects if it does not answer. */
  readonly isOutdated: () => Promise<boolean>;
  /** The part of the address behind `#`, which browsers send to no server. */
  readonly fragment: () => string;
  readonly setTitle: (title: string) => void;
  readonly reload: () => void;
}
