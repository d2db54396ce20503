/** An agent's memory as people who decide in its house use it. What one of them keeps or forgets here is a person's word. */
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
        ...{ id: "recall", tag, needs: LOOKS, summary: "Looks through its memory, by words and by meaning" },
        answers: { status: 200, schema: RecallAnswer },
        errors: ERRORS,
      }),
      request: { params: AgentPath, body: jsonBody(RecallQuestion) },
    }),
    async (c) => {
      const agent = await botOf(options, c.env.principal, c.req.valid("param").agent);
      const { query, limit } = c.req.valid("json");
      // Whoever decides in its house, or is it, is of its own people.
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
        ...{ id: "remember", tag, needs: DECIDES, summary: "Keeps a fact, in place of what it replaces" },
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
          hint: "Look at what it knows: hearth memory search QUERY",
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
        ...{ id: "forget", tag, needs: DECIDES, summary: "Forgets what came from a source, and what was made of it" },
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
        ...{ id: "memoryStatus", tag, needs: LOOKS, summary: "Shows how far its index is" },
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
        ...{ id: "reindexMemory", tag, needs: DECIDES, summary: "Makes its index anew from its files" },
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
