export { inverseDocumentFrequency, termFrequencyWeight } from './bm25.ts'
export { editDistance } from './edit-distance.ts'
export { type FusedRank, fuseRankings, type RankedList, scoreOfRank } from './reciprocal-rank-fusion.ts'
