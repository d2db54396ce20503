/** Providers of models, speech and pictures: listing, discovering, adding, removing, testing. */
import { isUnpaid } from "../../policy/index.ts";
import { actorOf } from "../../people/lazy.ts";
import { providerOperations } from "@hearth/protocol/operations";
import { createProof } from "../proof.ts";
import { createRequestScope } from "./request-scope.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

const DRAFT_HINT =
  "Run `hearth voice test` or `hearth pictures test` on the daemon's machine, or log in again with a link from `hearth login`.";

export const providerRoutes = (app: App, options: RouteOptions): void => {
  const { lifetimes, areas } = options;
  const { logins } = areas.people;
  const { providers, media } = areas.models;
  const { admitHomeCost: admit, openHomeGate: openGate } = areas.policy;
  const proof = createProof(logins);
  const whileRequested = createRequestScope(lifetimes);

  bind(app, options, providerOperations, {
    list: async () => providers.list(),

    known: async () => providers.listKnownVendors(),

    found: (request) => whileRequested(request, (signal) => providers.findLocalServers(signal)),

    create: async ({ principal, body }) => {
      const { name, kind, baseUrl, apiKey, key } = body;
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

    edit: async ({ principal, params, body }) => providers.edit(params.name, body, actorOf(principal)),

    replaceKey: (request) =>
      whileRequested(request, (signal) =>
        providers.replaceKey(request.params.name, request.body, signal, actorOf(request.principal)),
      ),

    models: (request) => whileRequested(request, (signal) => providers.models(request.params.name, signal)),

    test: (request) =>
      whileRequested(request, (signal) => providers.test(request.params.name, request.body.model, signal)),

    media: (request) => whileRequested(request, (signal) => media.list(signal)),

    setMedia: async (request) => {
      const { principal, params, body } = request;
      return whileRequested(request, (signal) => media.set(params.part, body, actorOf(principal), signal));
    },

    removeMedia: async ({ principal, params }) => {
      await media.remove(params.part, actorOf(principal));
    },

    testMedia: (request) =>
      whileRequested(request, (signal) => media.test(request.params.part, { admit, isUnpaid, openGate }, signal)),

    testNewMedia: async (request) => {
      const { principal, params, body } = request;
      proof.require(principal, "A test of other settings of speech or pictures", DRAFT_HINT);
      return whileRequested(request, (signal) =>
        media.testNew(params.part, body, { admit, isUnpaid, openGate }, signal),
      );
    },
  });
};
