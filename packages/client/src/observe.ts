/**
 * Observes work that runs in the background. Its failure is reported as an uncaught error, which the
 * UI shows and which ends a command; otherwise it would be lost.
 */
export const observe = (work: Promise<unknown>): void => {
  work.catch(reportError);
};
