/**
 * The entry of the area `channels`: everything that other areas use of it and that a start loads.
 */
export type { Alerts } from "./alerts/house-alerts.ts";
export type { ChannelChanges } from "./channel-changes.ts";
export type { Channels, ChannelSettings, ChannelTable } from "./house-channels.ts";
export type { Inbound } from "./inbound/house-inbound.ts";
export { type Messaging, openChannels } from "./open.ts";
export type { Push } from "./push/house-push.ts";
export type { Speeches } from "./speech/speeches.ts";
export type { Typing } from "./outbox/typing.ts";
