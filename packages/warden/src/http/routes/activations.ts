/** Activations: listing them, what bots do now, and stopping one. */
import { createRoute } from "@hono/zod-openapi";
import {
  Activation,
  ActivationDetail,
  ActivationId,
  ActivationList,
  ActivationQuery,
  AgentIntrospection,
  AgentState,
  AgentStateList,
  EgressList,
  type EventId,
  isZeroUsage,
  RoomActivationQuery,
  type RoomId,
} from "@hearth/protocol";
import { z } from "zod";
import { answer } from "../answer.ts";
import { shortLine, toStep } from "../step.ts";
import { type App, Name, operation, type RouteOptions } from "./route.ts";

const ActivationPath = z.object({ id: ActivationId });

export const activationRoutes = (app: App, options: RouteOptions): void => {
  const { activations, states, rooms, streams, ledger, access, sessions } = options;
  const tag = "Activations";

  const messageOf = async (room: RoomId, id: EventId): Promise<ActivationDetail["message"]> => {
    const [event, isRemoved] = await Promise.all([streams.find(`room:${room}`, id), rooms.isRemoved(room, id)]);
    if (event?.type !== "message" || isRemoved) return undefined;
    return { author: event.author, at: event.at, text: shortLine(event.body.text) };
  };

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/agents/{agent}/activations",
      ...operation(options, {
        id: "listActivations",
        tag,
        needs: "r on agent {agent} or self",
        summary: "Lists the visible activations of an agent, newest first",
        description: "Activations in rooms that you may read; an agent also sees all its own activations.",
        answers: { status: 200, schema: z.array(Activation) },
        errors: ["record.not-found"],
      }),
      request: { params: z.object({ agent: Name }), query: ActivationQuery },
    }),
    async (c) => {
      const { principal } = c.env;
      const { id: agent } = await access.find(principal, "agent", c.req.valid("param").agent);
      const rooms = await access.roomsOfActivations(principal, agent);
      const seen = rooms === undefined ? {} : { rooms };
      return answer(await activations.list({ ...c.req.valid("query"), ...seen, agent }));
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/agents/{agent}/state",
      ...operation(options, {
        id: "showAgentState",
        tag,
        needs: "r on agent {agent} or self",
        summary: "Returns what an agent is doing now",
        answers: { status: 200, schema: AgentState },
        errors: ["record.not-found"],
      }),
      request: { params: z.object({ agent: Name }) },
    }),
    async (c) => answer(await states.of(await access.find(c.env.principal, "agent", c.req.valid("param").agent))),
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/houses/{house}/agent-states",
      ...operation(options, {
        id: "listAgentStates",
        tag,
        needs: "r on house {house}",
        summary: "Returns what the bots of a house are doing now",
        answers: { status: 200, schema: AgentStateList },
        errors: ["record.not-found"],
      }),
      request: { params: z.object({ house: Name }) },
    }),
    async (c) => {
      const { id } = await access.find(c.env.principal, "house", c.req.valid("param").house);
      return answer(await states.ofHouse(id));
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/agents/{agent}/introspection",
      ...operation(options, {
        id: "introspectAgent",
        tag,
        needs: "x on agent {agent}",
        summary: "Shows an agent's configuration and its upcoming work",
        answers: { status: 200, schema: AgentIntrospection },
        errors: ["record.not-found"],
      }),
      request: { params: z.object({ agent: Name }) },
    }),
    async (c) =>
      answer(await states.introspect(await access.find(c.env.principal, "agent", c.req.valid("param").agent))),
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/rooms/{room}/activations",
      ...operation(options, {
        id: "listRoomActivations",
        tag,
        needs: "r on room {room}",
        summary: "Lists the activations of a room, newest first",
        answers: { status: 200, schema: ActivationList },
        errors: ["record.not-found"],
      }),
      request: { params: z.object({ room: Name }), query: RoomActivationQuery },
    }),
    async (c) => {
      const room = await access.find(c.env.principal, "room", c.req.valid("param").room);
      return answer(await activations.list({ ...c.req.valid("query"), room: room.id }));
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/activations/{id}",
      ...operation(options, {
        id: "showActivation",
        tag,
        needs: "r on activation {id}",
        summary: "Shows an activation, its text and its calls",
        answers: { status: 200, schema: ActivationDetail },
        errors: ["activation.not-found"],
      }),
      request: { params: ActivationPath },
    }),
    async (c) => {
      const activation = await access.activation(c.env.principal, c.req.valid("param").id, "r");
      const [{ steps, parts }, message, programs, compaction] = await Promise.all([
        activations.detail(activation),
        messageOf(activation.room, activation.cause),
        ledger.took(activation.id),
        sessions.by(activation.id),
      ]);
      return answer({
        ...activation,
        ...(message === undefined ? {} : { message }),
        steps: [...steps].map(([index, step]) => toStep(activation.id, index, step)),
        parts,
        ...(isZeroUsage(programs) ? {} : { programs }),
        ...(compaction === undefined ? {} : { compaction }),
      });
    },
  );

  app.openapi(
    createRoute({
      method: "get",
      path: "/api/activations/{id}/egress",
      ...operation(options, {
        id: "showActivationEgress",
        tag,
        needs: "r on activation {id}",
        summary: "Lists the network requests of an activation",
        answers: { status: 200, schema: EgressList },
        errors: ["activation.not-found"],
      }),
      request: { params: ActivationPath },
    }),
    async (c) => {
      const { id } = await access.activation(c.env.principal, c.req.valid("param").id, "r");
      return answer(await ledger.list(id));
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/activations/{id}/stop",
      ...operation(options, {
        id: "stopActivation",
        tag,
        needs: "w on activation {id}",
        summary: "Stops an activation",
        description: "It has stopped when this answers. An activation that has ended stays unchanged.",
        answers: { status: 200, schema: Activation },
        errors: ["activation.not-found"],
      }),
      request: { params: ActivationPath },
    }),
    async (c) => {
      const { id } = await access.activation(c.env.principal, c.req.valid("param").id, "w");
      return answer(await activations.stop(id));
    },
  );

  app.openapi(
    createRoute({
      method: "post",
      path: "/api/activations/{id}/retry",
      ...operation(options, {
        id: "retryActivation",
        tag,
        needs: "w on activation {id}",
        summary: "Starts a new activation in place of a failed one",
        description:
          "Also answers the messages that the failed activation had taken in. Idempotent: a repeat returns the same activation.",
        answers: { status: 200, schema: Activation },
        errors: ["activation.not-found", "activation.not-retryable"],
      }),
      request: { params: ActivationPath },
    }),
    async (c) => {
      const { id } = await access.activation(c.env.principal, c.req.valid("param").id, "w");
      return answer(await activations.retry(id));
    },
  );
};
