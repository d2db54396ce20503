/**
 * Known vendors and local model servers. They are offered as choices, and used only if a person
 * configures them.
 */
import type { KnownProvider } from "@hearth/protocol";

export interface KnownVendor extends KnownProvider {
  /**
   * The environment variable that the vendor's own tools use. A key in it is enough to use the
   * vendor.
   */
  readonly variable: string;
  readonly kind: "anthropic" | "openai";
}

export const knownVendors: readonly KnownVendor[] = [
  {
    name: "anthropic",
    variable: "ANTHROPIC_API_KEY",
    kind: "anthropic",
    suggestedModel: "claude-sonnet-5-5",
    keyPage: "https://console.anthropic.com/settings/keys",
  },
  {
    name: "openai",
    variable: "OPENAI_API_KEY",
    kind: "openai",
    suggestedModel: "gpt-6-sol",
    keyPage: "https://platform.openai.com/api-keys",
  },
  {
    name: "openrouter",
    variable: "OPENROUTER_API_KEY",
    kind: "openai",
    baseUrl: "https://openrouter.ai/api/v1",
    suggestedModel: "openrouter/auto",
    keyPage: "https://openrouter.ai/settings/keys",
  },
  {
    name: "gemini",
    variable: "GEMINI_API_KEY",
    kind: "openai",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    suggestedModel: "gemini-flash-latest",
    keyPage: "https://aistudio.google.com/apikey",
  },
  {
    name: "mistral",
    variable: "MISTRAL_API_KEY",
    kind: "openai",
    baseUrl: "https://api.mistral.ai/v1",
    suggestedModel: "mistral-large-latest",
    keyPage: "https://console.mistral.ai/api-keys",
  },
  {
    name: "groq",
    variable: "GROQ_API_KEY",
    kind: "openai",
    baseUrl: "https://api.groq.com/openai/v1",
    keyPage: "https://console.groq.com/keys",
  },
  {
    name: "deepseek",
    variable: "DEEPSEEK_API_KEY",
    kind: "openai",
    baseUrl: "https://api.deepseek.com",
    keyPage: "https://platform.deepseek.com/api_keys",
  },
  {
    name: "xai",
    variable: "XAI_API_KEY",
    kind: "openai",
    baseUrl: "https://api.x.ai/v1",
    keyPage: "https://console.x.ai",
  },
];

export const ANTHROPIC_URL = "https://api.anthropic.com";
export const OPENAI_URL = "https://api.openai.com/v1";

/** Default `base_url` of each kind. */
export const vendorUrls: ReadonlyMap<string, string> = new Map([
  ["anthropic", ANTHROPIC_URL],
  ["openai", OPENAI_URL],
]);

/** Returns the suggested first model of this kind, if the URL is the vendor's own. */
export const suggestedVendorModel = (kind: string, baseUrl: string | undefined): string | undefined =>
  knownVendors.find((vendor) => vendor.kind === kind && vendor.baseUrl === baseUrl)?.suggestedModel;

/** A model server with the address where it listens by default. */
export interface LocalServer {
  readonly name: string;
  readonly kind: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

export const localServers: readonly LocalServer[] = [
  { name: "ollama", kind: "openai", baseUrl: "http://127.0.0.1:11434/v1" },
  { name: "lm-studio", kind: "openai", baseUrl: "http://127.0.0.1:1234/v1" },
  { name: "llama-cpp", kind: "openai", baseUrl: "http://127.0.0.1:8080/v1" },
];
