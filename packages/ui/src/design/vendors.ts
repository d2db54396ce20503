/** Display names of providers. */

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
  "llama-cpp": "llama.cpp",
  "lm-studio": "LM Studio",
};

/** Returns the display name of a known provider. Names chosen by users stay unchanged. */
export const titleOf = (name: string): string => (Object.hasOwn(titles, name) ? (titles[name] ?? name) : name);

/** Returns the host of an address, or the whole text if it is not a URL. */
export const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : address);
