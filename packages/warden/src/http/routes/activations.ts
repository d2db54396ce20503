/** Activations: listing them, what bots do now, and stopping one. */
import {
  type Activation,
  type ActivationDetail,
  type EventId,
  isZeroUsage,
  readableText,
  type RoomId,
} from "@hearth/protocol";
import { activationOperations } from "@hearth/protocol/operations";
import { shortLine, toStep } from "../step.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

export const activationRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { ledger } = areas.cells;
  const { activations, prompts, states } = areas.turns;
  const readDetail = createDetailReader(options);

  bind(app, options, activationOperations, {
    ofAgent: async ({ principal, params, query }) => {
      const { id: agent } = await access.find(principal, "agent", params.agent);
      const rooms = await access.roomsOfActivations(principal, agent);
      const roomFilter = rooms === undefined ? {} : { rooms };
      return activations.list({ ...query, ...roomFilter, agent });
    },

    agentState: async ({ principal, params }) => states.of(await access.find(principal, "agent", params.agent)),

    agentStates: async ({ principal, params }) => {
      const { id } = await access.find(principal, "house", params.house);
      return states.ofHouse(id);
    },

    introspect: async ({ principal, params }) => {
      const agent = await access.find(principal, "agent", params.agent);
      const { rooms, last, ...introspection } = await states.introspect(agent);
      const visibleRooms = await access.roomsOfActivations(principal, agent.id);
      const isVisible = ({ room }: { readonly room: RoomId }): boolean => visibleRooms?.includes(room) ?? true;
      return { ...introspection, rooms: rooms.filter(isVisible), last: last.filter(isVisible) };
    },

    ofRoom: async ({ principal, params, query }) => {
      const room = await access.find(principal, "room", params.room);
      return activations.list({ ...query, room: room.id });
    },

    get: async ({ principal, params }) => {
      const activation = await access.activation(principal, params.id, "r");
      return readDetail(activation);
    },

    prompt: async ({ principal, params }) => {
      const { id } = await access.activation(principal, params.id, "r");
      return prompts.show(id, Number(params.step));
    },

    egress: async ({ principal, params }) => {
      const { id } = await access.activation(principal, params.id, "r");
      return ledger.list(id);
    },

    stop: async ({ principal, params }) => {
      const { id } = await access.activation(principal, params.id, "w");
      // The run commits its end outside of this request.
      areas.kernel.acting.cover(id);
      return activations.stop(id);
    },

    retry: async ({ principal, params }) => {
      const { id } = await access.activation(principal, params.id, "w");
      return activations.retry(id);
    },
  });
};

/** Creates the function that reads an activation with its steps, its cause and its usage. */
const createDetailReader = ({ areas }: RouteOptions) => {
  const { streams } = areas.kernel;
  const { rooms } = areas.people;
  const { ledger } = areas.cells;
  const { sessions } = areas.agents.session;
  const { activations } = areas.turns;

  const messageOf = async (room: RoomId, id: EventId): Promise<ActivationDetail["message"]> => {
    const [event, isRemoved] = await Promise.all([streams.find(`room:${room}`, id), rooms.isRemoved(room, id)]);
    if (event?.type !== "message" || isRemoved) return undefined;
    return { author: event.author, at: event.at, text: shortLine(readableText(event)) };
  };

  return async (activation: Activation) => {
    const [{ steps, parts }, message, programs, compaction] = await Promise.all([
      activations.detail(activation),
      messageOf(activation.room, activation.cause),
      ledger.readUsage(activation.id),
      sessions.findByActivation(activation.id),
    ]);
    return {
      ...activation,
      ...(message === undefined ? {} : { message }),
      steps: [...steps].map(([index, step]) => toStep(activation.id, index, step)),
      parts,
      ...(isZeroUsage(programs) ? {} : { programs }),
      ...(compaction === undefined ? {} : { compaction }),
    };
  };
};
