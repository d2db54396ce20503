/** A catalog of providers that a test can add to. None of them answers. */
import { HearthError, type ProviderInfo } from "@hearth/protocol";
import type { Catalog } from "../../models/catalog/catalog.ts";

export const createFakeCatalog = (): Catalog => {
  const infos: ProviderInfo[] = [
    { name: "offline", kind: "offline", source: "built-in", ready: true, detail: "always there" },
  ];
  const find = (name: string): ProviderInfo => {
    const info = infos.find((candidate) => candidate.name === name);
    if (info === undefined) throw new HearthError("provider.unknown", `There is no provider "${name}".`);
    return info;
  };
  return {
    list: async () => infos,
    resolve: async (model) => {
      throw new HearthError("provider.unknown", `${model} is not for this test.`);
    },
    listKnownVendors: () => [{ name: "vendor", kind: "openai", keyPage: "https://vendor.example/keys" }],
    findLocalServers: async () => [
      { name: "ollama", kind: "openai", baseUrl: "http://127.0.0.1:11434/v1", models: ["small"] },
    ],
    candidates: () => [],
    models: async (name) => [`${find(name).name}-small`],
    test: async (name) => ({ ok: find(name).ready, detail: "it answers", durationMs: 1 }),
    testNew: async ({ name }, model) => ({ ok: true, detail: `${name}/${model ?? ""} answers`, durationMs: 1 }),
    async add({ name, kind }) {
      infos.push({ name, kind, source: "config", ready: true, detail: "" });
      return find(name);
    },
    async edit(name, { baseUrl }) {
      const info = { ...find(name), ...(typeof baseUrl === "string" ? { baseUrl } : {}) };
      infos[infos.indexOf(find(name))] = info;
      return info;
    },
    replaceKey: async (name) => ({ ok: find(name).ready, detail: "it answers", durationMs: 1 }),
    async remove(name) {
      infos.splice(infos.indexOf(find(name)), 1);
    },
  };
};
