/** Providers of models: listing, discovering, adding, removing, testing. */
import { actorOf } from "../../people/lazy.ts";
import { providerOperations } from "@hearth/protocol/operations";
import { createProof } from "../proof.ts";
import { type App, type OperationRequest, bind, type RouteOptions } from "./route.ts";

const REFERENCE_HINT =
  "Send the key itself as `key`, or run `hearth provider add NAME --api-key REFERENCE` on the daemon's machine, or log in again with a link from `hearth login`.";

export const providerRoutes = (app: App, options: RouteOptions): void => {
  const { lifetimes, areas } = options;
  const { logins } = areas.people;
  const { providers } = areas.models;
  const proof = createProof(logins);

  /** A call ends with the request that made it. */
  const whileRequested = async <Answer>(
    { caller, request }: Pick<OperationRequest, "caller" | "request">,
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

    found: (request) => whileRequested(request, (signal) => providers.found(signal)),

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

    testNew: (request) =>
      whileRequested(request, (signal) => {
        const { name, kind, baseUrl, key, model } = request.body;
        const provider = {
          name,
          kind,
          ...(baseUrl === undefined ? {} : { baseUrl }),
          ...(key === undefined ? {} : { key }),
        };
        return providers.testNew(provider, model, signal, actorOf(request.principal));
      }),

    remove: async ({ principal, params }) => {
      await providers.remove(params.name, actorOf(principal));
    },

    models: (request) => whileRequested(request, (signal) => providers.models(request.params.name, signal)),

    test: (request) =>
      whileRequested(request, (signal) => providers.test(request.params.name, request.body.model, signal)),
  });
};
