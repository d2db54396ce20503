/** Operations that read streams: the same for every stream that has a path. */
import type { z } from "zod";
import { EventPage, ReadQuery, RoomHeadList } from "../house/streams.ts";
import { ActivationId } from "../base/ids.ts";
import { type Needs, streamNeeds } from "./needs.ts";
import { declareOperations } from "./operation.ts";
import { IdOrHandle } from "./parameters.ts";

const declareStreamRead = <const Path extends string>(
  path: Path,
  id: string,
  contents: string,
  needs: Needs,
  of: z.ZodType<string> = IdOrHandle,
) =>
  ({
    id,
    method: "GET",
    path,
    needs,
    summary: `Reads ${contents}`,
    description:
      "Returns the events after an offset, oldest first; with `before`, the last ones before an offset or before the `end`. `wait` makes it a long poll. With `Accept: text/event-stream` the response stays " +
      "open: the `id:` of an event is `OFFSET-EPOCH`, and `Last-Event-ID` resumes after it. `event: restarted`: the offset is not of this stream, so reading continues from its beginning. `event: end`: the stream is over.",
    params: { of },
    query: ReadQuery,
    answers: { status: 200, schema: EventPage, text: "A page of the stream." },
    errors: ["record.not-found", "activation.not-found", "stream.behind"],
  }) as const;

export const streamOperations = declareOperations("Streams", {
  room: declareStreamRead(
    "/api/rooms/{of}/events",
    "readRoom",
    "the messages of a room, with edits and deletions",
    streamNeeds.room,
  ),
  live: declareStreamRead("/api/rooms/{of}/live", "readLive", "the running activations of a room", streamNeeds.live),
  agentLog: declareStreamRead("/api/agents/{of}/log", "readAgentLog", "an agent's log", streamNeeds.agent),
  houseLog: declareStreamRead("/api/houses/{of}/log", "readHouseLog", "a house's log", streamNeeds.house),
  deltas: declareStreamRead(
    "/api/activations/{of}/deltas",
    "readDeltas",
    "an activation as it happens",
    streamNeeds.deltas,
    ActivationId,
  ),
  heads: {
    id: "readHeads",
    method: "GET",
    path: "/api/heads",
    needs: "credential",
    summary: "Returns the head of every visible room",
    answers: { status: 200, schema: RoomHeadList },
  },
});
