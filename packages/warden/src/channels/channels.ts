/** The channels of a house, as configured. Each is opened on first use and stays open. */
import type { Admission, ChannelMode, ErrorBody } from "@hearth/protocol";
import type { Channel } from "./channel.ts";

export interface ChannelSettings {
  readonly name: string;
  readonly kind: string;
  readonly mode: ChannelMode;
  /** The handle of the agent that answers. */
  readonly agent: string;
  /** The URL at which the platform reaches this house. Only in mode `webhook`. */
  readonly webhookUrl?: string;
  /** Which senders are admitted. When absent, paired senders are. */
  readonly admission?: Admission;
}

export interface Channels {
  /** In the order of the config. */
  list(): readonly ChannelSettings[];
  /** Throws `channel.unknown`. */
  settings(name: string): ChannelSettings;
  /**
   * Returns the channel, or undefined when it is not configured or cannot be opened; `state` then
   * has the reason. Never rejects.
   */
  open(name: string): Promise<Channel | undefined>;
  /**
   * Records the last result of receiving (`in`) or sending (`out`): an error, or undefined for
   * success. An error that does not recur is dropped after a while.
   */
  report(name: string, way: "in" | "out", error: ErrorBody | undefined): void;
  state(name: string): { readonly state: "ready" | "failing" | "off"; readonly error?: ErrorBody };
}
