/** Providers of models: listing, discovering, adding, removing, testing. */
import { actorOf } from "../../people/lazy.ts";
import { providerOperations } from "@hearth/protocol/operations";
import { createProof } from "../proof.ts";
import { type App, type Asked, bind, type RouteOptions } from "./route.ts";

const REFERENCE_HINT =
  "Send the key itself as `key`, or run `hearth provider add NAME --api-key REFERENCE` on the daemon's machine, or log in again with a link from `hearth login`.";

export const providerRoutes = (app: App, options: RouteOptions): void => {
  const { lifetimes, areas } = options;
  const { logins } = areas.people;
  const { providers } = areas.models;
  const proof = createProof(logins);

  /** A call ends with the request that made it. */
  const whileAsked = async <Answer>(
    { caller, request }: Pick<Asked, "caller" | "request">,
    work: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> => {
    const life = lifetimes.begin(caller, { peer: request.signal });
    try {
      return await work(life.signal);
    } finally {
      life.end();
    }
  };

  bind(app, options, providerOperations, {
    list: async () => providers.list(),

    known: async () => providers.known(),

    found: (asked) => whileAsked(asked, (signal) => providers.found(signal)),

    create: async ({ principal, body }) => {
      const { name, kind, baseUrl, apiKey, key } = body;
      if (apiKey !== undefined) proof.require(principal, "A reference to a key", REFERENCE_HINT);
      const provider = {
        name,
        kind,
        ...(baseUrl === undefined ? {} : { baseUrl }),
        ...(apiKey === undefined ? {} : { apiKey }),
        ...(key === undefined ? {} : { key }),
      };
      return providers.add(provider, actorOf(principal));
    },

    testNew: (asked) =>
      whileAsked(asked, (signal) => {
        const { name, kind, baseUrl, key, model } = asked.body;
        const provider = {
          name,
          kind,
          ...(baseUrl === undefined ? {} : { baseUrl }),
          ...(key === undefined ? {} : { key }),
        };
        return providers.testNew(provider, model, signal);
      }),

    remove: async ({ principal, params }) => {
      await providers.remove(params.name, actorOf(principal));
    },

    models: (asked) => whileAsked(asked, (signal) => providers.models(asked.params.name, signal)),

    test: (asked) => whileAsked(asked, (signal) => providers.test(asked.params.name, asked.body.model, signal)),
  });
};
