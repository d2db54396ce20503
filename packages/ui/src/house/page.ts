/** The page around the UI: the little that components must know of it or change about it. */
export interface Page {
  /** Whether the browser believes that there is a network. */
  readonly isOnline: () => boolean;
  /** Calls back when that changes. Returns what ends that. */
  readonly onNetwork: (listener: () => void) => () => void;
  /** Whether the house has another UI by now than the one that runs here. Rejects where it does not answer. */
  readonly isOutdated: () => Promise<boolean>;
  readonly setTitle: (title: string) => void;
  readonly reload: () => void;
}
