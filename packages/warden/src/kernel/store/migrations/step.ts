/** One step of the schema. A released step is never edited; a later step changes its result. */
export interface SchemaStep {
  /** Steps run in the order of their names. */
  readonly name: string;
  readonly statements: readonly string[];
}
