/** Notifications of people: rules, devices and a test. */
import { HearthError } from "@hearth/protocol";
import { notificationOperations } from "@hearth/protocol/operations";
import { requireVisible } from "../../people/lazy.ts";
import { requirePerson } from "../require-person.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

export const notificationRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;
  const { push } = areas.messaging;
  const checkPerson = async (principal: Parameters<typeof access.self>[0]) => {
    requirePerson(await access.self(principal), "notifications");
    return principal;
  };

  bind(app, options, notificationOperations, {
    show: async ({ principal }) => push.show(await checkPerson(principal)),
    change: async ({ principal, body }) => push.change(await checkPerson(principal), body),

    key: async ({ principal }) => {
      await checkPerson(principal);
      return { publicKey: await push.key() };
    },

    add: async ({ principal, body }) => {
      requireVisible("request.invalid", "The name of a device", body.name);
      return push.add(await checkPerson(principal), body);
    },

    remove: async ({ principal, params }) => {
      const by = await checkPerson(principal);
      if (await push.remove(by.agent, params.id)) return push.show(by);
      throw new HearthError("record.not-found", `You have no device ${params.id}.`, {
        hint: "List them: hearth notify list",
      });
    },

    test: async ({ principal }) => push.test((await checkPerson(principal)).agent),
  });
};
