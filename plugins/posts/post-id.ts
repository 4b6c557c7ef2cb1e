import { type Queryable, resolveId } from '#core'

/** The post that an operator means: by its id, by the id of the task that wrote it, or by a prefix of either. @throws as `resolveId` */
export const resolvePost = (db: Queryable, text: string): Promise<string> =>
  resolveId(db, 'posts', 'post_id', text, { of: 'task_id' })
