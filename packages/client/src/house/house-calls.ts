/** The part of the client that the reader of a house uses. */
import type {
  AgentRecord,
  EventPage,
  Hold,
  HouseId,
  HouseRecord,
  Me,
  RoomHead,
  RoomRecord,
  RoomViews,
} from "@hearth/protocol";

export interface HouseCalls {
  me(): Promise<Me>;
  readonly houses: {
    list(): Promise<readonly HouseRecord[]>;
    log(house: HouseId, page: { readonly before: "end"; readonly limit: number }): Promise<EventPage>;
  };
  readonly agents: { list(): Promise<readonly AgentRecord[]> };
  readonly stops: { list(): Promise<readonly Hold[]> };
  readonly rooms: {
    views(): Promise<RoomViews>;
    list(): Promise<readonly RoomRecord[]>;
    heads(): Promise<readonly RoomHead[]>;
  };
}
