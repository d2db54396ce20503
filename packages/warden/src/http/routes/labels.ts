/** Labels of an agent's workspace files, and clearing them by a person. */
import { EVERYTHING } from "../../policy/index.ts";
import { createRoute } from "@hono/zod-openapi";
import { ClearLabelsQuery, LabelsCleared, WHOLE_WORKSPACE, WorkspaceLabelList } from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import { botOf, personOf } from "./brain-of.ts";
import { type App, Name, operation, type RouteOptions } from "./route.ts";

const AgentPath = z.object({ agent: Name });
const PATH = "/api/agents/{agent}/brain/labels";

export const labelRoutes = (app: App, options: RouteOptions): void => {
  const { files } = options;
  const tag = "Brains";

  app.openapi(
    createRoute({
      method: "get",
      path: PATH,
      ...operation(options, {
        ...{ id: "listWorkspaceLabels", tag, needs: "x on agent {agent} or self" },
        summary: "Lists which workspace files hold text of others, and its sources",
        answers: { status: 200, schema: WorkspaceLabelList },
        errors: ["record.not-found", "brain.not-found"],
      }),
      request: { params: AgentPath },
    }),
    async (c) => {
      const { id } = await botOf(options, c.env.principal, c.req.valid("param").agent);
      const labels = (await files.open(id)).list();
      return answer(labels.map(({ path, label }) => ({ path: path === EVERYTHING ? WHOLE_WORKSPACE : path, label })));
    },
  );

  app.openapi(
    createRoute({
      method: "delete",
      path: PATH,
      ...operation(options, {
        ...{ id: "clearWorkspaceLabels", tag, needs: "x on agent {agent}" },
        summary: "Marks files at a path of the workspace, and below it, as trusted",
        description: "Requires a person, who should have reviewed them. `.` is the whole workspace.",
        answers: { status: 200, schema: LabelsCleared },
        errors: ["record.not-found", "brain.not-found"],
      }),
      request: { params: AgentPath, query: ClearLabelsQuery },
    }),
    async (c) => {
      const by = await personOf(options, c.env.principal);
      const { id } = await botOf(options, c.env.principal, c.req.valid("param").agent);
      const path = plain(c.req.valid("query").path);
      const gone = await files.forget(id, path, by);
      const label = (await files.open(id)).of(path);
      return answer({ paths: gone.map((one) => (one === EVERYTHING ? WHOLE_WORKSPACE : one)), label });
    },
  );
};

/** The form in labels: `./a/` is `a`. */
const plain = (path: string): string =>
  path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
