import type { Tx } from '#core'
import type { PostParticipant, Posts } from '#plugins/posts'
import { listCovers, markTakenBack } from '../repository/covers.ts'
import { isAddressOf } from './store-cover.ts'

const by = { actor: 'media' }

/**
 * A withdrawn post loses the cover that was made for it in the decision itself: the file is removed afterwards, and no post
 * names a file that is not there. A picture that a person chose stays.
 */
export const coverWithdrawal = (posts: Pick<Posts, 'takeBackFeaturedImage'>): PostParticipant => ({
  transitioned: async (tx, moves) => {
    const withdrawn = moves.filter(({ from, status }) => from === 'published' && status !== 'published')
    if (withdrawn.length > 0)
      await takeBack(
        posts,
        tx,
        withdrawn.map(({ post_id }) => post_id)
      )
  },
  edited: async () => {}
})

async function takeBack(
  posts: Pick<Posts, 'takeBackFeaturedImage'>,
  tx: Tx,
  post_ids: readonly string[]
): Promise<void> {
  for (const { post_id, filename } of await listCovers(tx, post_ids)) {
    const isCover = (url: string) => isAddressOf(url, filename)
    await markTakenBack(tx, post_id, await posts.takeBackFeaturedImage(tx, post_id, isCover, by))
  }
}
