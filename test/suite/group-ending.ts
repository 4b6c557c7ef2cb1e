/** The files that run a group of test files, and say `tests are done` at their end. */
export const groupEnding = '.group.test.mjs'
