/** The search over everything that a caller may read. */
import { SearchAnswer, SearchQuery } from "../house/search.ts";
import { declareOperations } from "./operation.ts";

export const searchOperations = declareOperations("Search", {
  find: {
    id: "search",
    method: "GET",
    path: "/api/search",
    needs: "credential",
    summary: "Searches messages, their files, memory files, workspace files, agents and rooms",
    description:
      "The answer contains only what the caller may read: messages of rooms with `r`, memory and workspaces of agents with `x` on their house, and the agents and rooms that the caller sees. " +
      "Messages are also found by the text of their documents, which name the page, and by captions and transcripts. " +
      "Workspace files are found by their path and their text, up to 512 kB per file; folders such as `node_modules` are left out. " +
      "The filters `room`, `since` and `until` leave only messages.",
    query: SearchQuery,
    answers: { status: 200, schema: SearchAnswer },
    errors: ["record.not-found", "memory.lost"],
  },
});
