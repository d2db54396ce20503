/** Checks the files in the results of tools. */
import type { House } from "./house.ts";

/** Every file that a stored result names is a blob, and no file outlives its step. */
export const checkStepFiles = async ({ disk: { store, blobs }, complain }: House): Promise<void> => {
  const steps = await store.select({ table: "steps" });
  const files = await store.select({ table: "step_files" });
  for (const { activation, step, blob } of files) {
    if (!steps.some((candidate) => candidate.activation === activation && candidate.step === step))
      complain("retention", `the file ${blob} of ${activation}/${step} outlived its step`);
    if (!blobs.names().includes(blob)) complain("retention", `the file ${blob} of ${activation}/${step} is missing`);
  }
  for (const { activation, step, output } of steps)
    for (const { hash } of readParts(output))
      if (!files.some((file) => file.activation === activation && file.step === step && file.blob === hash))
        complain("retention", `no row names the file ${hash} of ${activation}/${step}`);
};

const readParts = (output: string | null): readonly { readonly hash: string }[] =>
  output === null ? [] : (JSON.parse(output).parts ?? []);
