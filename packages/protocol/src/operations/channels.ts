/** Operations on chat platforms: their state, outgoing deliveries and refused updates. */
import { z } from "zod";
import {
  ChannelInfo,
  ChannelList,
  ChannelTest,
  CreateChannel,
  DecideDelivery,
  Delivery,
  DeliveryList,
  DeliveryQuery,
  RefusedInboundList,
  RefusedQuery,
} from "../house/channel.ts";
import { DeliveryId } from "../base/ids.ts";
import { declareOperations } from "./operation.ts";

const ChannelName = z.string().min(1).max(64);

export const channelOperations = declareOperations("Channels", {
  list: {
    id: "listChannels",
    method: "GET",
    path: "/api/channels",
    needs: "x on home",
    summary: "Lists the chat platforms of the house",
    answers: { status: 200, schema: ChannelList },
  },
  create: {
    id: "addChannel",
    method: "POST",
    path: "/api/channels",
    needs: "x on home",
    summary: "Adds a chat platform to the config file, and begins to read it",
    description:
      "Hearth stores a `token` in a separate file, which the config names. No answer shows it. A `tokenReference` needs the run token or a fresh login.",
    body: CreateChannel,
    answers: { status: 201, schema: ChannelInfo },
    errors: ["config.invalid", "record.handle-taken", "record.not-found", "home.read-only"],
  },
  remove: {
    id: "removeChannel",
    method: "DELETE",
    path: "/api/channels/{name}",
    needs: "x on home",
    summary: "Removes a chat platform from the config file, with its stored token",
    description: "Its rooms stay. Queued deliveries wait until a channel with this name exists again.",
    params: { name: ChannelName },
    answers: { status: 204 },
    errors: ["channel.unknown", "home.read-only"],
  },
  test: {
    id: "testChannel",
    method: "POST",
    path: "/api/channels/{name}/test",
    needs: "x on home",
    summary: "Asks the platform for the account's identity",
    params: { name: ChannelName },
    answers: { status: 200, schema: ChannelTest },
    errors: ["channel.unknown"],
  },
  outbox: {
    id: "listDeliveries",
    method: "GET",
    path: "/api/channels/{name}/outbox",
    needs: "x on home",
    summary: "Lists the deliveries of a channel, newest first",
    params: { name: ChannelName },
    query: DeliveryQuery,
    answers: { status: 200, schema: DeliveryList },
    errors: ["channel.unknown"],
  },
  refused: {
    id: "listRefused",
    method: "GET",
    path: "/api/channels/{name}/refused",
    needs: "x on home",
    summary: "Lists incoming updates that did not become a message, newest first",
    params: { name: ChannelName },
    query: RefusedQuery,
    answers: { status: 200, schema: RefusedInboundList },
    errors: ["channel.unknown"],
  },
  decide: {
    id: "decideDelivery",
    method: "POST",
    path: "/api/outbox/{id}",
    needs: "x on home",
    summary: "Decides about a delivery with unknown outcome",
    description: "`resend`: sends it again, so it may arrive twice. `leave`: keeps it is.",
    params: { id: DeliveryId },
    body: DecideDelivery,
    answers: { status: 200, schema: Delivery },
    errors: ["record.not-found", "record.version"],
  },
});
