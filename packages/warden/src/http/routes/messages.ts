/** Posting, editing and deleting messages of a room. */
import type { Principal, NewMessage } from "../../people/index.ts";
import type { PostMessage, RoomId } from "@hearth/protocol";
import { messageOperations } from "@hearth/protocol/operations";
import { requireReady } from "../require-ready.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

export const messageRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { rooms } = areas.people;
  const { activations } = areas.turns;

  const findRoomId = async (principal: Principal, name: string): Promise<RoomId> =>
    (await access.find(principal, "room", name)).id;

  bind(app, options, messageOperations, {
    post: async ({ principal, params, body }) => {
      await requireReady(options.areas.daemon.ready);
      const room = await findRoomId(principal, params.room);
      return rooms.post(room, toNewMessage(body), principal.agent);
    },

    findAt: async ({ principal, params, query }) => {
      const offset = await rooms.offsetAt(await findRoomId(principal, params.room), query.time);
      return offset === undefined ? {} : { offset };
    },

    edit: async ({ principal, params, body }) => {
      const { room, message } = params;
      const { text } = body;
      return rooms.edit(await findRoomId(principal, room), message, text, principal.agent);
    },

    react: async ({ principal, params, body }) =>
      rooms.react(await findRoomId(principal, params.room), params.message, body, principal.agent),

    remove: async ({ principal, params }) => {
      const { room, message } = params;
      const deletion = await rooms.remove(await findRoomId(principal, room), message, principal.agent);
      await activations.stopWoken(message);
      return deletion;
    },
  });
};

/** Converts the request to a new message, without absent fields. */
export const toNewMessage = ({ text, attachments, idempotencyKey, replyTo }: PostMessage): NewMessage => ({
  text,
  ...(attachments === undefined ? {} : { attachments }),
  ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  ...(replyTo === undefined ? {} : { replyTo }),
});
