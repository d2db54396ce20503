/** Build plugin that replaces the texts of the UI by those of another language. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Resolves `./text.ts` to the translation beside it, for example `./text.de.ts`, if there is one. */
export const createLanguagePlugin = (language: string): Bun.BunPlugin => ({
  name: `texts in ${language}`,
  setup: (build) => {
    build.onResolve({ filter: /^\.\.?\/(?:.*\/)?text\.ts$/ }, ({ path, importer }) => {
      const translationPath = join(dirname(importer), path).replace(/\.ts$/, `.${language}.ts`);
      return existsSync(translationPath) ? { path: translationPath } : undefined;
    });
  },
});
