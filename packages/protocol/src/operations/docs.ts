/** Operations that describe the API. */
import { z } from "zod";
import { declareOperations } from "./operation.ts";

export const docsOperations = declareOperations("Documentation", {
  openApi: {
    id: "openapi",
    method: "GET",
    path: "/openapi.json",
    needs: "credential",
    summary: "Returns this API as OpenAPI 3.1",
    answers: { status: 200, schema: z.looseObject({ openapi: z.string() }), type: "application/json" },
  },
  page: {
    id: "docs",
    method: "GET",
    path: "/docs",
    needs: "credential",
    summary: "Shows this API as a page",
    answers: { status: 200, schema: z.string(), type: "text/html" },
  },
});
