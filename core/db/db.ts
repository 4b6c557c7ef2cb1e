/** What both drivers offer. The contract holds it, because plugins are given it. */
export type * from '../contract/database.ts'
