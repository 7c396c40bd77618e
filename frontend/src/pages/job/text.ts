/** The questions of a start or restart, on the job's page and on the canvas. */
export function describeRestart(version: number): string {
  return `Version ${version} starts in a new process and continues where the last run ended. State is kept.`;
}
