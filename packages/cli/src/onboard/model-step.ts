/** The question about the model: a key, a server of this machine, or a configured provider. */
import type { Client } from "@hearth/client";
import {
  DEFAULT_MODEL,
  type FoundServer,
  HearthError,
  type KnownProvider,
  type ProviderInfo,
  type ProviderTest,
  type TestNewProvider,
} from "@hearth/protocol";
import type { Answers } from "./answers.ts";
import type { Asker, Option } from "./asker.ts";
import type { Apply, Situation, Step } from "./step.ts";

/** `key` is the API key that a person typed. A file of answers contains only references. */
type Answer = NonNullable<Answers["model"]> & { readonly key?: string };
type Providers = Client["providers"];

interface Offers {
  readonly providers: readonly ProviderInfo[];
  readonly foundServers: readonly FoundServer[];
  readonly knownProviders: readonly KnownProvider[];
}

const SKIP = "skip";
const OTHER = "other";

const findOffers = async (providers: Providers): Promise<Offers> => {
  const [providerList, foundServers, knownProviders] = await Promise.all([
    providers.list(),
    providers.found(),
    providers.known(),
  ]);
  return { providers: providerList, foundServers, knownProviders };
};

const requireOk = (test: ProviderTest, model: string): void => {
  if (test.ok) return;
  // The detail already says what to do, so there is no hint.
  throw new HearthError(test.error?.code ?? "provider.failed", `The test of ${model} failed: ${test.detail}`);
};

/** Adds the provider only after a real call succeeded, so that a wrong key changes nothing. */
const addProvider = async (providers: Providers, answer: Answer): Promise<void> => {
  const { provider: name, model, apiKey, key } = answer;
  const vendor = (await providers.known()).find((vendor) => vendor.name === name);
  const kind = answer.kind ?? vendor?.kind;
  if (kind === undefined)
    throw new HearthError("provider.unknown", `"${name}" is not a provider that Hearth knows.`, {
      hint: 'Give its kind and address too, for example kind "openai" and baseUrl "http://127.0.0.1:11434/v1".',
    });
  const baseUrl = answer.baseUrl ?? vendor?.baseUrl;
  const endpoint = { name, kind, ...(baseUrl === undefined ? {} : { baseUrl }) };
  if (apiKey === undefined) {
    const newProvider: TestNewProvider = { ...endpoint, ...(key === undefined ? {} : { key }) };
    requireOk(await providers.testNew({ ...newProvider, model }), `${name}/${model}`);
    await providers.create(newProvider);
    return;
  }
  // The house resolves references only for providers that are configured.
  await providers.create({ ...endpoint, apiKey });
  const test = await providers.test(name, model);
  if (!test.ok) await providers.remove(name);
  requireOk(test, `${name}/${model}`);
};

const createApply =
  ({ client, agent }: Situation, answer: Answer): Apply =>
  async () => {
    const { provider, model } = answer;
    const name = `${provider}/${model}`;
    const isConfigured = (await client.providers.list()).some((candidate) => candidate.name === provider);
    if (isConfigured) requireOk(await client.providers.test(provider, model), name);
    else await addProvider(client.providers, answer);
    if (agent === undefined) return `${name} answered. There is no agent that could use it`;
    await client.agents.update(agent.id, { content: { model: name } });
    return `${name} answered, and ${agent.content.name} uses it`;
  };

const toOptions = (
  { providers, foundServers, knownProviders }: Offers,
  currentModel: string | undefined,
): readonly Option<string>[] => {
  const configuredProviders = providers.filter(({ source }) => source !== "built-in");
  const takenNames = new Set(configuredProviders.map(({ name }) => name));
  return [
    { value: SKIP, label: currentModel === undefined ? "Skip: keep the built-in helper" : `Keep ${currentModel}` },
    ...foundServers.map(({ name, models }) => ({
      value: `found:${name}`,
      label: `${name}, on this machine`,
      hint: `${models.length} ${models.length === 1 ? "model" : "models"}, no key`,
    })),
    ...configuredProviders
      .filter(({ ready }) => ready)
      .map(({ name, source }) => ({
        value: `provider:${name}`,
        label: name,
        hint: source === "environment" ? "its key is in the environment" : "is configured",
      })),
    ...knownProviders
      .filter(({ name }) => !takenNames.has(name))
      .map(({ name }) => ({ value: `vendor:${name}`, label: name, hint: "needs a key" })),
    { value: OTHER, label: "Another server", hint: "its address, for the OpenAI protocol" },
  ];
};

/** Asks for a model from the list, or for its name when there is no list. */
const askModel = (
  asker: Asker,
  models: readonly string[],
  suggestedModel: string | undefined,
): Promise<string | undefined> => {
  const message = "Which model?";
  if (models.length === 0)
    return asker.text({
      message,
      example: "Leave empty to skip",
      ...(suggestedModel === undefined ? {} : { initial: suggestedModel }),
    });
  const options = models.map((model) => ({ value: model, label: model }));
  return asker.choose(
    message,
    options,
    models.find((model) => model === suggestedModel),
  );
};

const stripProvider = (provider: string, model: string | undefined): string | undefined =>
  model?.startsWith(`${provider}/`) === true ? model.slice(provider.length + 1) : model;

/**
 * Returns the models that a server lists. Returns none if listing fails, because the later test of
 * the model reports the problem.
 */
const listModels = async (
  asker: Asker,
  modelList: Promise<readonly string[] | undefined>,
): Promise<readonly string[]> =>
  (await asker.wait(
    "Listing its models",
    modelList.catch(() => undefined),
  )) ?? [];

const askNewProvider = async (
  { client }: Situation,
  asker: Asker,
  endpoint: TestNewProvider,
  suggestedModel?: string,
): Promise<Answer | undefined> => {
  const { name: provider, kind, baseUrl, key } = endpoint;
  const models = await listModels(
    asker,
    client.providers.testNew(endpoint).then((test) => test.models),
  );
  const model = await askModel(asker, models, suggestedModel);
  if (model === undefined) return undefined;
  return {
    provider,
    kind,
    model,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(key === undefined ? {} : { key }),
  };
};

const askOtherServer = async (situation: Situation, asker: Asker, offers: Offers): Promise<Answer | undefined> => {
  const baseUrl = await asker.text({
    message: "What is its address?",
    example: "http://127.0.0.1:8000/v1",
    check: (text) => (/^https?:\/\//.test(text) && URL.canParse(text) ? undefined : "Enter an http or https address."),
  });
  if (baseUrl === undefined) return undefined;
  const key = await asker.secret("Its API key, if it needs one");
  const takenNames = new Set(offers.providers.map(({ name }) => name));
  const names = ["server", ...Array.from({ length: 99 }, (_, index) => `server-${index + 2}`)];
  const name = names.find((candidate) => !takenNames.has(candidate)) ?? "server";
  return askNewProvider(situation, asker, { name, kind: "openai", baseUrl, ...(key === undefined ? {} : { key }) });
};

const askSource = async (
  situation: Situation,
  asker: Asker,
  offers: Offers,
  source: string,
): Promise<Answer | undefined> => {
  if (source === OTHER) return askOtherServer(situation, asker, offers);
  const name = source.slice(source.indexOf(":") + 1);
  const server = offers.foundServers.find((server) => source === `found:${server.name}`);
  if (server !== undefined) {
    const model = await askModel(asker, server.models, undefined);
    return model === undefined ? undefined : { provider: name, kind: server.kind, baseUrl: server.baseUrl, model };
  }
  const vendor = offers.knownProviders.find((candidate) => source === `vendor:${candidate.name}`);
  if (vendor !== undefined) {
    const page = vendor.keyPage === undefined ? "" : ` (${vendor.keyPage})`;
    const key = await asker.secret(`Your API key for ${name}${page}`);
    if (key === undefined) return undefined;
    const { kind, baseUrl } = vendor;
    return askNewProvider(
      situation,
      asker,
      { name, kind, key, ...(baseUrl === undefined ? {} : { baseUrl }) },
      stripProvider(name, vendor.suggestedModel),
    );
  }
  const provider = offers.providers.find((candidate) => candidate.name === name);
  const models = await listModels(asker, situation.client.providers.models(name));
  const model = await askModel(asker, models, stripProvider(name, provider?.suggestedModel));
  return model === undefined ? undefined : { provider: name, model };
};

export const modelStep: Step = {
  name: "model",
  title: "Model",
  progressText: "Calling the model",
  async describe({ agent }) {
    const model = agent?.content.model;
    return model === undefined || model === DEFAULT_MODEL ? undefined : model;
  },
  async ask(situation, asker) {
    const offers = await asker.wait("Looking for models", findOffers(situation.client.providers));
    const state = await modelStep.describe(situation);
    const source = await asker.choose("Where does its language model run?", toOptions(offers, state), SKIP);
    if (source === SKIP) return undefined;
    const answer = await askSource(situation, asker, offers, source);
    return answer === undefined ? undefined : createApply(situation, answer);
  },
  applyFromFile: (situation, { model }) => (model === undefined ? undefined : createApply(situation, model)),
};
