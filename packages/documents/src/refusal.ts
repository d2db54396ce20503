/** The error of a document that is not converted. Its message is one sentence for people. */

const NAME = "DocumentRefusal";

export const refuse = (sentence: string): never => {
  throw Object.assign(new Error(sentence), { name: NAME });
};

/** By its name: each bundle of a lazily loaded part has its own copy of this file. */
export const isRefusal = (error: unknown): error is Error => error instanceof Error && error.name === NAME;
