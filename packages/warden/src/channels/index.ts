/** The entry of the area `channels`: exports what other areas use and every start loads. */
export { type Channels, type ChannelSettings, type ChannelTable, createChannels } from "./house-channels.ts";
export { type Inbound, createInbound } from "./inbound/house-inbound.ts";
export { createOutbox } from "./outbox/house-outbox.ts";
export { createPassSend } from "./outbox/pass-send.ts";
export { createTyping } from "./outbox/typing.ts";
export { channels } from "./table.ts";
