/** The states of a media job; the database's check constraint lists the same. `pending` and `running`: it will be made. */
export const mediaJobStates = ['pending', 'running', 'done', 'failed', 'replaced', 'withdrawn', 'removed'] as const
export type MediaJobState = (typeof mediaJobStates)[number]

/** Every legal move of a media job. The repository changes a state only with a compare-and-swap on `from`. */
export const transitions = {
  // A new row is `removed` until it is asked for. One that is done is asked for again when its files are not those of the text.
  ask: { from: ['done', 'failed', 'replaced', 'withdrawn', 'removed'], to: 'pending' },
  // The worker takes it up, also where a killed one left it.
  begin: { from: ['pending', 'running'], to: 'running' },
  finish: { from: ['running'], to: 'done' },
  fail: { from: ['pending', 'running'], to: 'failed' },
  // Its text has changed, or another voice is to speak it.
  replace: { from: ['pending', 'running', 'failed'], to: 'replaced' },
  // Another job has made the media.
  supersede: { from: ['done', 'failed'], to: 'replaced' },
  // Its post is not public any more.
  withdraw: { from: ['pending', 'running', 'done', 'failed'], to: 'withdrawn' },
  // By the operator, for good. Or a cover that nobody asked for, once its post has a picture of its own.
  remove: { from: ['pending', 'running', 'done', 'failed', 'withdrawn', 'replaced'], to: 'removed' }
} as const satisfies Record<string, { from: readonly MediaJobState[]; to: MediaJobState }>
export type MediaJobMove = keyof typeof transitions

/** Whether it will be made. */
export const isInWork = (state: MediaJobState): boolean => transitions.begin.from.some(from => from === state)
