/** Operations on activations: listing them, what bots do now, and stopping one. */
import { z } from "zod";
import { AgentIntrospection, AgentState, AgentStateList } from "../agents/agent-state.ts";
import { StepPrompt } from "../agents/prompt.ts";
import {
  Activation,
  ActivationDetail,
  ActivationList,
  ActivationQuery,
  RoomActivationQuery,
} from "../house/activations.ts";
import { EgressList } from "../policy/egress.ts";
import { ActivationId } from "../base/ids.ts";
import { IdOrHandle } from "./parameters.ts";
import { AGENT_CHANGE } from "./needs.ts";
import { declareOperations } from "./operation.ts";

/** The number of a step in a path. */
const StepNumber = z.string().regex(/^\d{1,6}$/, "is not the number of a step");

export const activationOperations = declareOperations("Activations", {
  ofAgent: {
    id: "listActivations",
    method: "GET",
    path: "/api/agents/{agent}/activations",
    needs: "r on agent {agent} or self",
    summary: "Lists the visible activations of an agent, newest first",
    description: "Activations in rooms that you may read; an agent also sees all its own activations.",
    params: { agent: IdOrHandle },
    query: ActivationQuery,
    answers: { status: 200, schema: ActivationList },
    errors: ["record.not-found"],
  },
  agentState: {
    id: "showAgentState",
    method: "GET",
    path: "/api/agents/{agent}/state",
    needs: "r on agent {agent} or self",
    summary: "Returns what an agent is doing now",
    params: { agent: IdOrHandle },
    answers: { status: 200, schema: AgentState },
    errors: ["record.not-found"],
  },
  agentStates: {
    id: "listAgentStates",
    method: "GET",
    path: "/api/houses/{house}/agent-states",
    needs: "r on house {house}",
    summary: "Returns what the bots of a house are doing now",
    params: { house: IdOrHandle },
    answers: { status: 200, schema: AgentStateList },
    errors: ["record.not-found"],
  },
  introspect: {
    id: "introspectAgent",
    method: "GET",
    path: "/api/agents/{agent}/introspection",
    needs: AGENT_CHANGE,
    summary: "Shows an agent's configuration and its upcoming work",
    params: { agent: IdOrHandle },
    answers: { status: 200, schema: AgentIntrospection },
    errors: ["record.not-found"],
  },
  ofRoom: {
    id: "listRoomActivations",
    method: "GET",
    path: "/api/rooms/{room}/activations",
    needs: "r on room {room}",
    summary: "Lists the activations of a room, newest first",
    params: { room: IdOrHandle },
    query: RoomActivationQuery,
    answers: { status: 200, schema: ActivationList },
    errors: ["record.not-found"],
  },
  get: {
    id: "showActivation",
    method: "GET",
    path: "/api/activations/{id}",
    needs: "r on activation {id}",
    summary: "Shows an activation, its text and its calls",
    params: { id: ActivationId },
    answers: { status: 200, schema: ActivationDetail },
    errors: ["activation.not-found"],
  },
  prompt: {
    id: "showStepPrompt",
    method: "GET",
    path: "/api/activations/{id}/steps/{step}/prompt",
    needs: "r on activation {id}",
    summary: "Lists the parts of a model call's prompt with their tokens",
    description:
      "Derived from the stored input and the journal. Without texts. Tokens are estimated as a fourth of the UTF-8 bytes.",
    params: { id: ActivationId, step: StepNumber },
    answers: { status: 200, schema: StepPrompt },
    errors: ["activation.not-found", "record.not-found"],
  },
  egress: {
    id: "showActivationEgress",
    method: "GET",
    path: "/api/activations/{id}/egress",
    needs: "r on activation {id}",
    summary: "Lists the network requests of an activation",
    params: { id: ActivationId },
    answers: { status: 200, schema: EgressList },
    errors: ["activation.not-found"],
  },
  stop: {
    id: "stopActivation",
    method: "POST",
    path: "/api/activations/{id}/stop",
    needs: "w on activation {id}",
    summary: "Stops an activation",
    description: "It has stopped when this answers. An activation that has ended stays unchanged.",
    params: { id: ActivationId },
    answers: { status: 200, schema: Activation },
    errors: ["activation.not-found"],
  },
  retry: {
    id: "retryActivation",
    method: "POST",
    path: "/api/activations/{id}/retry",
    needs: "w on activation {id}",
    summary: "Starts a new activation in place of a failed one",
    description:
      "Also answers the messages that the failed activation had taken in. Idempotent: a repeat returns the same activation.",
    params: { id: ActivationId },
    answers: { status: 200, schema: Activation },
    errors: ["activation.not-found", "activation.not-retryable"],
  },
});
