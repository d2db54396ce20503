/** Labels of an agent's workspace files, and clearing them by a person. */
import { EVERYTHING } from "../../policy/index.ts";
import { WHOLE_WORKSPACE } from "@hearth/protocol";
import { labelOperations } from "@hearth/protocol/operations";
import { botOf, personOf } from "./brain-of.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

export const labelRoutes = (app: App, options: RouteOptions): void => {
  const { files } = options.areas.policy;

  bind(app, options, labelOperations, {
    labels: async ({ principal, params }) => {
      const { id } = await botOf(options, principal, params.agent);
      const labels = (await files.open(id)).list();
      return labels.map(({ path, label }) => ({ path: path === EVERYTHING ? WHOLE_WORKSPACE : path, label }));
    },

    clearLabels: async ({ principal, params, query }) => {
      const by = await personOf(options, principal);
      const { id } = await botOf(options, principal, params.agent);
      const path = normalize(query.path);
      const clearedPaths = await files.forget(id, path, by);
      const label = (await files.open(id)).labelOf(path);
      return { paths: clearedPaths.map((path) => (path === EVERYTHING ? WHOLE_WORKSPACE : path)), label };
    },
  });
};

/** Writes a path as labels do: `./a/` becomes `a`. */
const normalize = (path: string): string =>
  path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
