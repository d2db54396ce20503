/** The entry of the area `channels`: exports what other areas use and every start loads. */
export type { ChannelSettings, Channels } from "./channels.ts";
export { type ChannelTable, createChannels } from "./house-channels.ts";
export { createInbound } from "./inbound/house-inbound.ts";
export type { Inbound } from "./inbound/inbound.ts";
export { createOutbox } from "./outbox/house-outbox.ts";
export { createPassSend } from "./outbox/pass-send.ts";
export { createTyping } from "./outbox/typing.ts";
export { channels } from "./table.ts";
