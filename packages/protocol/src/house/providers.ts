/** Providers of models: listing, adding, changing and testing them. */
import { z } from "zod";
import { ErrorBody } from "../base/error-schema.ts";
import { KeyText } from "../policy/secret.ts";

export const ProviderInfo = z.object({
  name: z.string(),
  kind: z.string(),
  baseUrl: z.string().optional(),
  /** Where its configuration comes from: the config file, a key in the environment, or built in. */
  source: z.enum(["config", "environment", "built-in"]),
  /** Whether it can be called: its key is available, or it needs none. */
  ready: z.boolean(),
  detail: z.string(),
  /** A model to start with. */
  suggestedModel: z.string().optional(),
  /** Set if the house stores the key, so that it can be replaced. */
  keyIsStored: z.literal(true).optional(),
  /** Number of retries after a transient failure, if the config file sets it. */
  retries: z.int().optional(),
});
export type ProviderInfo = z.infer<typeof ProviderInfo>;
export const ProviderList = z.array(ProviderInfo);
/** A vendor that Hearth can reach once it has a key. */
export const KnownProvider = z.object({
  name: z.string(),
  kind: z.string(),
  baseUrl: z.string().optional(),
  suggestedModel: z.string().optional(),
  /** The vendor's web page for creating keys. */
  keyPage: z.string().optional(),
});
export type KnownProvider = z.infer<typeof KnownProvider>;
export const KnownProviderList = z.array(KnownProvider);

export const CreateProvider = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/),
    kind: z.string(),
    baseUrl: z.url().optional(),
    apiKey: z.string().max(500).optional().describe("a reference: secret:NAME, env:NAME or file:PATH"),
    key: KeyText.optional().describe(
      "instead of apiKey: the key itself; the house stores it in a separate file and never shows it again",
    ),
  })
  .refine(({ apiKey, key }) => apiKey === undefined || key === undefined, "has both apiKey and key: give one");
export type CreateProvider = z.infer<typeof CreateProvider>;
/** Null removes a value, so that the default applies. */
export const EditProvider = z.strictObject({
  baseUrl: z.url().nullable().optional(),
  retries: z.int().min(0).max(3).nullable().optional(),
});
export type EditProvider = z.infer<typeof EditProvider>;
/** The new key is tested with `model`, or with a request for the list of models. */
export const ReplaceProviderKey = z.strictObject({ key: KeyText, model: z.string().min(1).max(200).optional() });
export type ReplaceProviderKey = z.infer<typeof ReplaceProviderKey>;
/** Without `model`, the test requests the list of models. */
export const TestProvider = z.strictObject({ model: z.string().min(1).max(200).optional() });
/** Model names without the provider's prefix. */
export const ModelList = z.array(z.string());
export const ProviderTest = z.object({
  ok: z.boolean(),
  detail: z.string(),
  durationMs: z.number(),
  /** Why the provider did not answer. */
  error: ErrorBody.exactOptional(),
  /** For a test without a model: the models that the provider lists. */
  models: z.array(z.string()).exactOptional(),
});
export type ProviderTest = z.infer<typeof ProviderTest>;
/**
 * A provider to test before it is added; nothing is stored. Without `model`, the test requests the
 * list of models.
 */
export const TestNewProvider = z.strictObject({
  name: CreateProvider.shape.name,
  kind: CreateProvider.shape.kind,
  baseUrl: CreateProvider.shape.baseUrl,
  key: CreateProvider.shape.key,
  model: TestProvider.shape.model,
});
export type TestNewProvider = z.infer<typeof TestNewProvider>;

/** A model server on this machine that answers and is not in the config. */
export const FoundServer = z.object({
  name: z.string(),
  kind: z.string(),
  baseUrl: z.string(),
  models: z.array(z.string()),
});
export type FoundServer = z.infer<typeof FoundServer>;
export const FoundServerList = z.array(FoundServer);
