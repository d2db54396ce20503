/** One step of the schema. A step that was released is never edited: the next one changes what it made. */
export interface SchemaStep {
  /** Steps run in the order of their names. */
  readonly name: string;
  readonly statements: readonly string[];
}
