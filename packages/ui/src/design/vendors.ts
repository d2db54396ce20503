/** What people call a provider, by the name that Hearth gives it. */

const titles: Readonly<Record<string, string>> = {
  anthropic: "Anthropic",
  openai: "OpenAI",
  openrouter: "OpenRouter",
  gemini: "Google Gemini",
  mistral: "Mistral",
  groq: "Groq",
  deepseek: "DeepSeek",
  xai: "xAI",
  ollama: "Ollama",
  "lm-studio": "LM Studio",
};

/** A name that a person gave stays as it is. */
export const titleOf = (name: string): string => (Object.hasOwn(titles, name) ? (titles[name] ?? name) : name);

/** The host of an address as a person knows it; the whole text when it is none. */
export const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : address);
