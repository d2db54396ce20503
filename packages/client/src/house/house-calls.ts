/** The part of the client that the reader of a house uses. */
import type { AgentRecord, EventPage, Hold, HouseId, HouseRecord, Me, RoomHead, RoomRecord } from "@hearth/protocol";
import type { RoomViewsOptions } from "./room-views.ts";

export interface HouseCalls {
  me(): Promise<Me>;
  readonly houses: {
    list(): Promise<readonly HouseRecord[]>;
    log(house: HouseId, page: { readonly before: "end"; readonly limit: number }): Promise<EventPage>;
  };
  readonly agents: { list(): Promise<readonly AgentRecord[]> };
  readonly stops: { list(): Promise<readonly Hold[]> };
  readonly rooms: RoomViewsOptions["client"]["rooms"] & {
    list(): Promise<readonly RoomRecord[]>;
    heads(): Promise<readonly RoomHead[]>;
  };
}
