/** From each of the two rankings that are fused; further down nothing reaches the top of the fused one. */
export const maxFusedCandidates = 40
/** The customary constant of reciprocal rank fusion, which keeps one ranking's first from outweighing both rankings' second. */
export const rankConstant = 60
