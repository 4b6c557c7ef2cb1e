import type { Commands } from '#core'
import { defaultGateName } from '#plugins/gates'
import { subjectOf } from './approval.ts'
import { savePipelineDraft } from './drafts.ts'
import { setFeaturedImage, takeBackFeaturedImage } from './featured-image.ts'
import type { FeedHub } from './feeds/hub.ts'
import type { Posts } from './index.ts'
import { setMedia } from './media.ts'
import { type PostStates, refOf } from './posts.ts'
import type { PublicationCheck } from './publication/check.ts'
import type { Comparison } from './publication/comparison.ts'
import type { Links } from './reads/links.ts'
import { postOf } from './reads/representation.ts'
import { strayPictures } from './reads/stray-pictures.ts'
import { renderText, renderTexts } from './rendering/render-text.ts'
import { findRefs, resolvePost } from './repository/ids.ts'
import { listLabels } from './repository/labels.ts'
import { listLostSlots } from './repository/lost-slots.ts'
import { isImageNamed, listAskedMedia } from './repository/media.ts'
import { findById } from './repository/reads.ts'
import { countAwaiting, listAwaiting } from './repository/waiting.ts'
import type { Scheduler } from './scheduler.ts'
import type { PostTransitions } from './transitions.ts'

interface PostsServiceDeps {
  transitions: PostTransitions
  states: PostStates
  imports: Posts['imports']
  scheduler: Pick<Scheduler, 'hintFor' | 'warningsOf' | 'automaticBlocker'>
  check: PublicationCheck
  similar: Comparison
  links: Links
  previewUrl: Posts['previewUrl']
  feedHub: FeedHub
  /** Commands that other plugins add to the group `posts`. */
  extraCommands: Commands['load'][]
}

const lostSlots: Posts['lostSlots'] = async (db, post_ids) =>
  new Map((await listLostSlots(db, post_ids)).map(lost => [lost.post_id, lost]))

/** What other plugins do with posts. */
export function createPostsService(deps: PostsServiceDeps): Posts {
  const { transitions, states, check, links } = deps
  return {
    saveDraft: (tx, draft) => savePipelineDraft(tx, transitions, draft),
    render: renderText,
    renderMany: renderTexts,
    imports: deps.imports,
    approve: states.approve,
    lostSlots,
    publish: states.publish,
    schedule: states.schedule,
    slotHint: deps.scheduler.hintFor,
    slotWarnings: deps.scheduler.warningsOf,
    reject: states.reject,
    archive: states.archive,
    registerParticipant: states.registerParticipant,
    setFeaturedImage: (tx, post_id, image, by) => setFeaturedImage(tx, transitions, { post_id, image }, by),
    takeBackFeaturedImage: (tx, post_id, isMatch, by) =>
      takeBackFeaturedImage(tx, transitions, { post_id, isMatch }, by),
    isImageNamed,
    strayPictures: db => strayPictures(db, links),
    resolve: resolvePost,
    lock: transitions.lock,
    checkDuplicate: check.checkDuplicate,
    automaticBlockerOf: async (tx, post) =>
      deps.scheduler.automaticBlocker() ?? (await check.blockerOf(tx, post))?.message ?? null,
    setDuplicateThreshold: check.setDuplicateThreshold,
    registerSimilarPosts: deps.similar.use,
    registerCommands: load => void deps.extraCommands.push(load),
    listAwaiting: async (db, limit, ids) => {
      const waiting = await listAwaiting(db, limit, ids)
      const lost = await lostSlots(
        db,
        waiting.map(({ post_id }) => post_id)
      )
      return waiting.map(post => {
        const slot = lost.get(post.post_id)?.slot ?? null
        return { ...subjectOf(defaultGateName, post), slot, since: post.updated_at }
      })
    },
    countAwaiting,
    read: async (db, post_id) => {
      const post = await findById(db, post_id)
      return post && postOf(post, links)
    },
    readStored: async (db, post_id) => {
      const post = await findById(db, post_id)
      return post && postOf(post, { ...links, withPictures: text => text })
    },
    previewUrl: deps.previewUrl,
    refs: async (db, post_ids) => new Map((await findRefs(db, post_ids)).map(row => [row.post_id, refOf(row)])),
    labels: async (db, post_ids) =>
      new Map((await listLabels(db, post_ids)).map(({ post_id, ...labels }) => [post_id, labels])),
    publicUrl: links.post,
    registerFeedHub: deps.feedHub.register,
    askedMedia: async (db, post_ids) =>
      new Map((await listAskedMedia(db, post_ids)).map(({ post_id, media }) => [post_id, media])),
    setMedia: (tx, post_id, media, by) => setMedia(tx, transitions, post_id, media, by)
  }
}
