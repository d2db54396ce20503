/** An agent's brain: its files, their history, and undo. The author of changes here is a person. */
import type { Brain, ChangeAuthor, WriteResult } from "../../agents/index.ts";
import { decodeText, spansOf } from "../../agents/lazy.ts";
import type { Principal } from "../../people/index.ts";
import { type BrainText, type BrainWritten, HearthError, MAX_BRAIN_TEXT_BYTES, OWNER_LABEL } from "@hearth/protocol";
import { brainOperations } from "@hearth/protocol/operations";
import { brainOf, personOf } from "./brain-of.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

export const brainRoutes = (app: App, options: RouteOptions): void => {
  const find = (principal: Principal, name: string): Promise<Brain> => brainOf(options, principal, name);

  bind(app, options, brainOperations, {
    files: async ({ principal, params }) => (await find(principal, params.agent)).list(),

    read: async ({ principal, params, query }) => {
      const { path } = query;
      return readBrainText(await find(principal, params.agent), path);
    },

    write: async ({ principal, params, query, body }) => {
      const { text, hash, source } = body;
      const person = await byOf(options, principal);
      const by: ChangeAuthor =
        source === undefined
          ? person
          : { ...person, label: { ...OWNER_LABEL, integrity: "untrusted", sources: [source] } };
      const brain = await find(principal, params.agent);
      return toWritten(await brain.write(query.path, text, by, hash));
    },

    remove: async ({ principal, params, query }) => {
      const by = await byOf(options, principal);
      const brain = await find(principal, params.agent);
      return toWritten(await brain.write(query.path, undefined, by));
    },

    log: async ({ principal, params, query }) => {
      const brain = await find(principal, params.agent);
      return brain.log(query);
    },

    diff: async ({ principal, params, query }) => {
      const brain = await find(principal, params.agent);
      return brain.diff(query.change);
    },

    undo: async ({ principal, params, body }) => {
      const by = await byOf(options, principal);
      const brain = await find(principal, params.agent);
      return brain.undo(body, by);
    },

    erase: async ({ principal, params, body }) => {
      const by = await byOf(options, principal);
      const brain = await find(principal, params.agent);
      return brain.erase(body, by);
    },
  });
};

const byOf = async (options: RouteOptions, principal: Principal): Promise<ChangeAuthor> => ({
  agent: await personOf(options, principal),
  label: OWNER_LABEL,
});

const toWritten = (result: WriteResult): BrainWritten => {
  switch (result.kind) {
    case "written":
      return { change: result.change, ...(result.hash === undefined ? {} : { hash: result.hash }) };
    case "unchanged":
      return {};
    case "proposed":
      // A person's change is never proposed.
      throw new Error("a person's change was proposed");
  }
};

const readBrainText = async (brain: Brain, path: string): Promise<BrainText> => {
  const file = await brain.readBytes(path);
  if (file === undefined)
    throw new HearthError("brain.not-found", `There is no ${path} in this brain.`, {
      hint: "List the files: hearth brain files AGENT",
    });
  const { bytes, hash } = file;
  const text = bytes.length <= MAX_BRAIN_TEXT_BYTES ? decodeText(bytes) : undefined;
  const lines = text === undefined ? [] : ((await brain.readLabelled(path)) ?? []);
  return { path, hash, sizeBytes: bytes.length, ...(text === undefined ? {} : { text }), spans: [...spansOf(lines)] };
};
