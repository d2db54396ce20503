/** The channels of a house, as the config names them. Each is opened on first use and stays. */
import type { Admission, ChannelMode, ErrorBody } from "@hearth/protocol";
import type { Channel } from "./channel.ts";

export interface ChannelSettings {
  readonly name: string;
  readonly kind: string;
  readonly mode: ChannelMode;
  /** The handle of the agent who answers. */
  readonly agent: string;
  /** Where the platform reaches this house; in mode `webhook` alone. */
  readonly webhookUrl?: string;
  /** Who is let in. Absent: whoever was paired. */
  readonly admission?: Admission;
}

export interface Channels {
  /** In the order of the config. */
  list(): readonly ChannelSettings[];
  /** Throws `channel.unknown`. */
  settings(name: string): ChannelSettings;
  /** The channel, or nothing where it is not configured or cannot be opened; `state` then says why. Never rejects. */
  open(name: string): Promise<Channel | undefined>;
  /** How it did last on its way in or out: an error, or none from here on. An error that does not come again is forgotten. */
  report(name: string, way: "in" | "out", error: ErrorBody | undefined): void;
  state(name: string): { readonly state: "ready" | "failing" | "off"; readonly error?: ErrorBody };
}
