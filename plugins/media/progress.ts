/** Progress of the whole: a part of it begins at `from`, ends at `to`, and is done by `share`, 0–1. */
export const progressBetween = (from: number, to: number, share: number): number => from + (to - from) * share
