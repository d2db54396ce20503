/** The error of a document that cannot be converted. Its message is one sentence for people. */

const NAME = "DocumentRefusal";

export const refuse = (sentence: string): never => {
  throw Object.assign(new Error(sentence), { name: NAME });
};

/** Recognises the error by its name, because each lazily loaded bundle has a copy of this class. */
export const isRefusal = (error: unknown): error is Error => error instanceof Error && error.name === NAME;
