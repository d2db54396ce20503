/** Operations on the providers of models. */
import { z } from "zod";
import {
  CreateProvider,
  FoundServerList,
  KnownProviderList,
  ModelList,
  ProviderInfo,
  ProviderList,
  ProviderTest,
  TestNewProvider,
  TestProvider,
} from "../house/api.ts";
import { operations } from "./operation.ts";

const ProviderName = z.string().min(1).max(64);

/** Errors that a provider may return. */
const CALL_ERRORS = [
  "provider.unknown",
  "provider.auth",
  "provider.rate-limited",
  "provider.overloaded",
  "provider.unreachable",
  "provider.timeout",
  "provider.refused",
  "provider.malformed",
  "provider.failed",
] as const;

export const providerOperations = operations("Providers", {
  list: {
    id: "listProviders",
    method: "GET",
    path: "/api/providers",
    needs: "x on home or providers",
    summary: "Lists the model providers",
    answers: { status: 200, schema: ProviderList },
  },
  known: {
    id: "listKnownProviders",
    method: "GET",
    path: "/api/providers/known",
    needs: "x on home or providers",
    summary: "Lists vendors that need only a key",
    answers: { status: 200, schema: KnownProviderList },
  },
  found: {
    id: "findModelServers",
    method: "GET",
    path: "/api/providers/found",
    needs: "x on home or providers",
    summary: "Searches for model servers on this machine",
    description: "Returns servers that answer quickly and are not in the config yet, with their models.",
    answers: { status: 200, schema: FoundServerList },
  },
  create: {
    id: "addProvider",
    method: "POST",
    path: "/api/providers",
    needs: "x on home or providers",
    summary: "Adds a provider to the config file",
    description:
      "Hearth stores a `key` in a separate file, which the config names. No answer shows the key. With the right `providers`, only a vendor of `/api/providers/known` under its own name and address. A reference (`apiKey`) needs the run token or a login link that was opened in the last 15 minutes.",
    body: CreateProvider,
    answers: { status: 201, schema: ProviderInfo },
    errors: ["config.invalid", "record.handle-taken", "home.read-only"],
  },
  testNew: {
    id: "testNewProvider",
    method: "POST",
    path: "/api/provider-tests",
    needs: "x on home or providers",
    summary: "Makes a minimal real call to a provider that is not configured",
    description: "Nothing is stored, and no answer shows its key. Without a `model` it lists the models.",
    body: TestNewProvider,
    answers: { status: 200, schema: ProviderTest },
    errors: ["config.invalid", "provider.unknown"],
  },
  remove: {
    id: "removeProvider",
    method: "DELETE",
    path: "/api/providers/{name}",
    needs: "x on home or providers",
    summary: "Removes a provider from the config file, with its stored key",
    params: { name: ProviderName },
    answers: { status: 204 },
    errors: ["provider.unknown", "home.read-only"],
  },
  models: {
    id: "listModels",
    method: "GET",
    path: "/api/providers/{name}/models",
    needs: "x on home or providers",
    summary: "Lists the models of a provider, by its own names",
    params: { name: ProviderName },
    answers: { status: 200, schema: ModelList },
    errors: CALL_ERRORS,
  },
  test: {
    id: "testProvider",
    method: "POST",
    path: "/api/providers/{name}/test",
    needs: "x on home or providers",
    summary: "Makes one minimal real call, or lists the models if the request names none",
    params: { name: ProviderName },
    body: TestProvider,
    answers: { status: 200, schema: ProviderTest },
    errors: ["provider.unknown"],
  },
});
