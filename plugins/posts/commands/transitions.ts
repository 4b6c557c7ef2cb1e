import { command } from '#core'
import type { Parts } from '../parts.ts'
import { resolvePost } from '../repository/ids.ts'
import { post_id, readPost } from './shared.ts'

export function publishCommand(parts: Parts) {
  return command({
    describe: 'Make a post public now; that is its approval, too',
    returns: 'Post',
    args: {
      post_id,
      force: {
        type: 'boolean',
        describe:
          'Also a draft that nearly repeats another post, that lacks a niche, or whose task was rejected or writes it again'
      }
    },
    run: async ({ args, actor }) => {
      const id = await resolvePost(parts.db, args.post_id)
      const by = { actor, force: args.force }
      await parts.check.checkDuplicate(id, by)
      await parts.db.transaction(tx => parts.states.publish(tx, id, by))
      return readPost(parts, id)
    },
    text: post => `Published ${post.slug}: ${parts.links.post(post.slug)}`
  })
}

export function submitCommand(parts: Parts) {
  return command({
    describe: 'Submit a hand-made draft for approval; schedule at and schedule batch then take it',
    returns: 'Post',
    args: { post_id },
    run: async ({ args, actor }) => {
      const id = await resolvePost(parts.db, args.post_id)
      await parts.states.submit(id, { actor })
      return readPost(parts, id)
    },
    text: post => `${post.slug} waits for approval.`
  })
}

export function archiveCommand(parts: Parts) {
  return command({
    describe: 'Archive a post: it is gone for readers, its row stays',
    returns: 'Post',
    async confirm({ args }) {
      const { slug } = await readPost(parts, await resolvePost(parts.db, args.post_id))
      return { text: `Archive the post ${slug}? Readers no longer find it.` }
    },
    args: { post_id },
    run: async ({ args, actor }) => {
      const id = await resolvePost(parts.db, args.post_id)
      await parts.db.transaction(tx => parts.states.archive(tx, id, { actor }))
      return readPost(parts, id)
    },
    text: post => `Archived ${post.slug}.`
  })
}

export function unpublishCommand({ db, states }: Parts) {
  return command({
    describe: 'Make a published post a draft again',
    returns: '{post_id, unpublished, status}',
    args: { post_id },
    run: async ({ args, actor }) => states.unpublish(await resolvePost(db, args.post_id), { actor }),
    text: result =>
      result.unpublished ? 'Unpublished: it is a draft again.' : `No change: the post is ${result.status}.`
  })
}

export function restorePostCommand(parts: Parts) {
  return command({
    describe: 'Make an archived post a draft again; its task waits for approval',
    returns: 'Post',
    args: { post_id },
    run: async ({ args, actor }) => {
      const id = await resolvePost(parts.db, args.post_id)
      await parts.states.restore(id, { actor })
      return readPost(parts, id)
    },
    text: post => `${post.slug} is a draft again: "posts publish ${post.post_id.slice(0, 8)}" makes it public.`
  })
}
