/** The entry of the area `channels`: exports what other areas use and every start loads. */
export type { ChannelSettings, Channels } from "./channels.ts";
export type { ChannelTable } from "./house-channels.ts";
export type { Inbound } from "./inbound/inbound.ts";
export { type Messaging, openChannels } from "./open.ts";
export type { Typing } from "./outbox/typing.ts";
