/** An agent's brain: its files, their history, and undo. Changes here are a person's. */
import type { Brain, By, Written } from "../../agents/index.ts";
import { decodeText, spansOf } from "../../agents/lazy.ts";
import type { Principal } from "../../people/index.ts";
import { createRoute } from "@hono/zod-openapi";
import {
  BrainChangeList,
  BrainDiffList,
  BrainDiffQuery,
  BrainErased,
  BrainFiles,
  BrainLogQuery,
  BrainPathQuery,
  BrainText,
  BrainUndone,
  BrainWritten,
  EraseBrain,
  HearthError,
  MAX_BRAIN_TEXT,
  OWN,
  PutBrainFile,
  UndoBrain,
} from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import { brainOf, personOf } from "./brain-of.ts";
import { type App, jsonBody, jsonOperation, Name, operation, type RouteOptions } from "./route.ts";

const AgentPath = z.object({ agent: Name });
const PATH = "/api/agents/{agent}/brain";
const LOOKS = "x on agent {agent} or self";
const DECIDES = "x on agent {agent}";

export const brainRoutes = (app: App, options: RouteOptions): void => {
  const tag = "Brains";
  const find = (principal: Principal, name: string): Promise<Brain> => brainOf(options, principal, name);

  app.openapi(
    createRoute({
      method: "get",
      path: PATH,
      ...operation(options, {
        ...{ id: "listBrain", tag, needs: LOOKS, summary: "Lists the files of an agent's brain" },
        answers: { status: 200, schema: BrainFiles },
        errors: ["record.not-found", "brain.not-found"],
      }),
      request: { params: AgentPath },
    }),
    async (c) => answer(await (await find(c.env.principal, c.req.valid("param").agent)).list()),
  );

  app.openapi(
    createRoute({
      method: "get",
      path: `${PATH}/file`,
      ...operation(options, {
        ...{ id: "readBrainFile", tag, needs: LOOKS, summary: "Shows a file, and which lines others wrote" },
        answers: { status: 200, schema: BrainText },
        errors: ["record.not-found", "brain.not-found", "brain.path", "brain.too-large", "brain.changed"],
      }),
      request: { params: AgentPath, query: BrainPathQuery },
    }),
    async (c) => {
      const { path } = c.req.valid("query");
      return answer(await show(await find(c.env.principal, c.req.valid("param").agent), path));
    },
  );

  app.openapi(
    createRoute({
      method: "put",
      path: `${PATH}/file`,
      ...jsonOperation(options, {
        ...{ id: "writeBrainFile", tag, needs: DECIDES, summary: "Replaces or creates a file" },
        description:
          "Requires a person. With `hash`, only if the file still has that content, so that no change is overwritten unseen.",
        answers: { status: 200, schema: BrainWritten },
        errors: ["record.not-found", "brain.not-found", "brain.path", "brain.text", "brain.too-large", "brain.changed"],
      }),
      request: { params: AgentPath, query: BrainPathQuery, body: jsonBody(PutBrainFile) },
    }),
    async (c) => {
      const { text, hash } = c.req.valid("json");
      const by = await byOf(options, c.env.principal);
      const brain = await find(c.env.principal, c.req.valid("param").agent);
      return answer(toWritten(await brain.write(c.req.valid("query").path, text, by, hash)));
    },
  );

  app.openapi(
    createRoute({
      method: "delete",
      path: `${PATH}/file`,
      ...operation(options, {
        ...{ id: "removeBrainFile", tag, needs: DECIDES, summary: "Removes a file; its versions stay" },
        answers: { status: 200, schema: BrainWritten },
        errors: ["record.not-found", "brain.not-found", "brain.path"],
      }),
      request: { params: AgentPath, query: BrainPathQuery },
    }),
    async (c) => {
      const by = await byOf(options, c.env.principal);
      const brain = await find(c.env.principal, c.req.valid("param").agent);
      return answer(toWritten(await brain.write(c.req.valid("query").path, undefined, by)));
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: `${PATH}/versions`,
      ...operation(options, {
        ...{
          id: "listBrainVersions",
          tag,
          needs: LOOKS,
          summary: "Lists the changes with their authors, newest first",
        },
        answers: { status: 200, schema: BrainChangeList },
        errors: ["record.not-found", "brain.not-found"],
      }),
      request: { params: AgentPath, query: BrainLogQuery },
    }),
    async (c) => {
      const brain = await find(c.env.principal, c.req.valid("param").agent);
      return answer([...(await brain.log(c.req.valid("query")))]);
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: `${PATH}/diff`,
      ...operation(options, {
        ...{ id: "diffBrain", tag, needs: LOOKS, summary: "Shows what a change changed" },
        answers: { status: 200, schema: BrainDiffList },
        errors: ["record.not-found", "brain.not-found"],
      }),
      request: { params: AgentPath, query: BrainDiffQuery },
    }),
    async (c) => {
      const brain = await find(c.env.principal, c.req.valid("param").agent);
      return answer([...(await brain.diff(c.req.valid("query").change))]);
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: `${PATH}/undo`,
      ...jsonOperation(options, {
        ...{
          id: "undoBrain",
          tag,
          needs: DECIDES,
          summary: "Undoes one change, an activation's changes, or all since a time",
        },
        description:
          "Requires a person. The undo is a change itself and can be undone. It is applied completely or not at all.",
        answers: { status: 200, schema: BrainUndone },
        errors: ["record.not-found", "brain.not-found", "brain.changed"],
      }),
      request: { params: AgentPath, body: jsonBody(UndoBrain) },
    }),
    async (c) => {
      const by = await byOf(options, c.env.principal);
      const brain = await find(c.env.principal, c.req.valid("param").agent);
      return answer(await brain.undo(c.req.valid("json"), by));
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: `${PATH}/erase`,
      ...jsonOperation(options, {
        ...{
          id: "eraseBrain",
          tag,
          needs: DECIDES,
          summary: "Erases content permanently, from files and every version",
        },
        description: "Requires a person. It cannot be undone.",
        answers: { status: 200, schema: BrainErased },
        errors: ["record.not-found", "brain.not-found"],
      }),
      request: { params: AgentPath, body: jsonBody(EraseBrain) },
    }),
    async (c) => {
      const by = await byOf(options, c.env.principal);
      const brain = await find(c.env.principal, c.req.valid("param").agent);
      return answer(await brain.erase(c.req.valid("json"), by));
    },
  );
};

const byOf = async (options: RouteOptions, principal: Principal): Promise<By> => ({
  agent: await personOf(options, principal),
  label: OWN,
});

const toWritten = (written: Written): BrainWritten => {
  switch (written.kind) {
    case "written":
      return { change: written.change, ...(written.hash === undefined ? {} : { hash: written.hash }) };
    case "unchanged":
      return {};
    case "proposed":
      // A person's change is never proposed.
      throw new Error("a person's change was proposed");
  }
};

const show = async (brain: Brain, path: string): Promise<BrainText> => {
  const file = await brain.readBytes(path);
  if (file === undefined)
    throw new HearthError("brain.not-found", `There is no ${path} in this brain.`, {
      hint: "List the files: hearth brain files AGENT",
    });
  const { bytes, hash } = file;
  const text = bytes.length <= MAX_BRAIN_TEXT ? decodeText(bytes) : undefined;
  const lines = text === undefined ? [] : ((await brain.readLabelled(path)) ?? []);
  return { path, hash, sizeBytes: bytes.length, ...(text === undefined ? {} : { text }), spans: [...spansOf(lines)] };
};
