/** The search over everything that a caller may read. */
import { SearchAnswer, SearchQuery } from "../house/api.ts";
import { declareOperations } from "./operation.ts";

export const searchOperations = declareOperations("Search", {
  find: {
    id: "search",
    method: "GET",
    path: "/api/search",
    needs: "credential",
    summary: "Searches messages, their files, memory files, agents and rooms",
    description:
      "The answer contains only what the caller may read: messages of rooms with `r`, memory of agents with `x` on their house, and the agents and rooms that the caller sees. " +
      "Messages are also found by the text of their documents, which name the page, and by captions and transcripts. " +
      "The filters `room`, `since` and `until` leave only messages.",
    query: SearchQuery,
    answers: { status: 200, schema: SearchAnswer },
    errors: ["record.not-found", "memory.lost"],
  },
});
