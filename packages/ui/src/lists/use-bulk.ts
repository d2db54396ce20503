/** Applies one change to several rows, one after the other, and announces how many it changed. */
import { useAnnounce } from "../design/announcer.tsx";
import { useSubmission } from "../house/use-submission.ts";

export interface Bulk<Row> {
  readonly isBusy: boolean;
  /** The error of the first row that failed. */
  readonly error: unknown;
  /** Resolves to the rows that were not changed. A failure does not stop the rest. */
  readonly run: (
    rows: readonly Row[],
    change: (row: Row) => Promise<unknown>,
    describe: ((count: number) => string) | undefined,
  ) => Promise<readonly Row[]>;
}

export const useBulk = <Row>(): Bulk<Row> => {
  const announce = useAnnounce();
  const submission = useSubmission();
  return {
    isBusy: submission.isBusy,
    error: submission.error,
    async run(rows, change, describe) {
      const failedRows: Row[] = [];
      await submission.run(async () => {
        const errors = await changeEach(rows, change, failedRows);
        if (errors.length > 0) throw errors[0];
      });
      if (describe !== undefined) announce(describe(rows.length - failedRows.length));
      return failedRows;
    },
  };
};

/** Changes each row. Adds failed rows to `failedRows`, and returns their errors. */
export const changeEach = async <Row>(
  rows: readonly Row[],
  change: (row: Row) => Promise<unknown>,
  failedRows: Row[],
): Promise<readonly unknown[]> => {
  const errors: unknown[] = [];
  for (const row of rows) {
    try {
      // Changes run one at a time, because several rows may be in one file.
      await change(row);
    } catch (error) {
      failedRows.push(row);
      errors.push(error);
    }
  }
  return errors;
};
