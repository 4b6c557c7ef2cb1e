import { embeddedModel } from '../embedders/embedded.ts'

/** From each of the two rankings that are fused; further down nothing reaches the top of the fused one. */
export const maxFusedCandidates = 40

/** How much a rank by similarity counts, in ranks by words: the embedded embedder compares words alone, and less well. */
export const similarityWeight = (model: string): number => (model === embeddedModel ? 0.3 : 1)
