/**
 * An agent's memory for the administrators of its house. Facts stored or forgotten here are a
 * person's decision.
 */
import { remember } from "../../agents/lazy.ts";
import { createRoute } from "@hono/zod-openapi";
import {
  FactKept,
  ForgetSource,
  HearthError,
  MemoryStatus,
  OWN,
  RecallAnswer,
  RecallQuestion,
  RememberFact,
  SourceForgotten,
} from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import { botOf, personOf } from "./brain-of.ts";
import { type App, jsonBody, jsonOperation, Name, operation, type RouteOptions } from "./route.ts";

const AgentPath = z.object({ agent: Name });
const PATH = "/api/agents/{agent}/memory";
const LOOKS = "x on agent {agent} or self";
const DECIDES = "x on agent {agent}";
const ERRORS = ["record.not-found", "brain.not-found", "memory.lost"] as const;

export const memoryRoutes = (app: App, options: RouteOptions): void => {
  const { access, brains, world, memories, forget, dayOf } = options;
  const tag = "Memory";

  app.openapi(
    createRoute({
      method: "post",
      path: `${PATH}/recall`,
      ...jsonOperation(options, {
        ...{ id: "recall", tag, needs: LOOKS, summary: "Searches an agent's memory, by words and by meaning" },
        answers: { status: 200, schema: RecallAnswer },
        errors: ERRORS,
      }),
      request: { params: AgentPath, body: jsonBody(RecallQuestion) },
    }),
    async (c) => {
      const agent = await botOf(options, c.env.principal, c.req.valid("param").agent);
      const { query, limit } = c.req.valid("json");
      // Administrators of its house and the agent itself have the private audience.
      const { found, ...rest } = await memories.recall({
        agent,
        audience: "private",
        query,
        limit,
        signal: c.req.raw.signal,
      });
      return answer({
        ...rest,
        found: found.map(({ headings, lines, ...fact }) => ({ ...fact, headings: [...headings], lines: [...lines] })),
      });
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: `${PATH}/remember`,
      ...jsonOperation(options, {
        ...{ id: "remember", tag, needs: DECIDES, summary: "Stores a fact, replacing another one if named" },
        description: "Takes a person.",
        answers: { status: 200, schema: FactKept },
        errors: ["record.not-found", "brain.not-found", "brain.changed", "brain.too-large", "memory.refused"],
      }),
      request: { params: AgentPath, body: jsonBody(RememberFact) },
    }),
    async (c) => {
      const { text, replaces } = c.req.valid("json");
      const person = await personOf(options, c.env.principal);
      const agent = await botOf(options, c.env.principal, c.req.valid("param").agent);
      const { handle } = await access.self(c.env.principal);
      const kept = await remember(await brains.open(agent), {
        ...{ agent, audience: "private", text, by: { agent: person, label: OWN } },
        ...{ day: await dayOf(agent, world.clock.now()), from: `@${handle}` },
        ...(replaces === undefined ? {} : { replaces }),
      });
      if (kept.kind === "refused")
        throw new HearthError("memory.refused", kept.why, {
          hint: "Search its memory: hearth memory search QUERY",
        });
      const { kind, path } = kept;
      return answer({ path, wasKnown: kind === "known", replaced: kind === "kept" ? [...kept.replaced] : [] });
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: `${PATH}/forget`,
      ...jsonOperation(options, {
        ...{ id: "forget", tag, needs: DECIDES, summary: "Forgets a source and everything derived from it" },
        description:
          "Takes a person. Nothing brings it back. What the agent said in turns that had read it, and that has no stretch of words, no number and no name of " +
          "it, stays and is named in `kept`; with `replies` it goes too.",
        answers: { status: 200, schema: SourceForgotten },
        errors: [...ERRORS, "memory.nothing", "brain.path"],
      }),
      request: { params: AgentPath, body: jsonBody(ForgetSource) },
    }),
    async (c) => {
      const person = await personOf(options, c.env.principal);
      const agent = await botOf(options, c.env.principal, c.req.valid("param").agent);
      const brain = await brains.open(agent);
      const { source, replies = false } = c.req.valid("json");
      const by = { agent: person, label: OWN };
      return answer(await forget({ agent, brain, source, by, person, replies }));
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: `${PATH}/status`,
      ...operation(options, {
        ...{ id: "memoryStatus", tag, needs: LOOKS, summary: "Shows the state of an agent's memory index" },
        answers: { status: 200, schema: MemoryStatus },
        errors: ERRORS,
      }),
      request: { params: AgentPath },
    }),
    async (c) => {
      const { id } = await botOf(options, c.env.principal, c.req.valid("param").agent);
      return answer(await memories.status(id));
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: `${PATH}/reindex`,
      ...operation(options, {
        ...{ id: "reindexMemory", tag, needs: DECIDES, summary: "Rebuilds the memory index from the files" },
        answers: { status: 200, schema: MemoryStatus },
        errors: ERRORS,
      }),
      request: { params: AgentPath },
    }),
    async (c) => {
      const { id } = await botOf(options, c.env.principal, c.req.valid("param").agent);
      await memories.reindex(id);
      return answer(await memories.status(id));
    },
  );
};
