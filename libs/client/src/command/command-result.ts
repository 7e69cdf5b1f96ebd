/**
 * What a command leaves behind for the caller: 0 good, 1 refused or failed with reasons, 2 unusable
 * input.
 */
export interface CommandResult {
  exitCode: number;
}
