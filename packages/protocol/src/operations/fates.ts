/** Operations on the fates of messages. */
import { FatePage, FateQuery } from "../house/fate.ts";
import { declareOperations } from "./operation.ts";
import { IdOrHandle } from "./parameters.ts";

export const fateOperations = declareOperations("Channels", {
  fates: {
    id: "listFates",
    method: "GET",
    path: "/api/rooms/{room}/fates",
    needs: "r on room {room}",
    summary: "Lists the fate of each message of a person in a room",
    params: { room: IdOrHandle },
    query: FateQuery,
    answers: { status: 200, schema: FatePage },
    errors: ["record.not-found"],
  },
});
