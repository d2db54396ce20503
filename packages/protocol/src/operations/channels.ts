/** Operations on chat platforms: their state, outgoing deliveries and refused updates. */
import { z } from "zod";
import {
  ChannelList,
  ChannelTest,
  DecideDelivery,
  Delivery,
  DeliveryList,
  DeliveryQuery,
  RefusedInboundList,
  RefusedQuery,
} from "../house/channel.ts";
import { DeliveryId } from "../base/ids.ts";
import { operations } from "./operation.ts";

const ChannelName = z.string().min(1).max(64);

export const channelOperations = operations("Channels", {
  list: {
    id: "listChannels",
    method: "GET",
    path: "/api/channels",
    needs: "x on home",
    summary: "Lists the chat platforms of the house",
    answers: { status: 200, schema: ChannelList },
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
    description: "`resend`: sends it again, so it may arrive twice. `leave`: keeps it as it is.",
    params: { id: DeliveryId },
    body: DecideDelivery,
    answers: { status: 200, schema: Delivery },
    errors: ["record.not-found", "record.version"],
  },
});
