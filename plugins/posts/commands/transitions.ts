import { command } from '#core'
import type { PostComponents } from '../components.ts'
import { resolvePost } from '../repository/ids.ts'
import { post_id, readPost } from './shared.ts'

export function publishCommand(components: PostComponents) {
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
      const id = await resolvePost(components.db, args.post_id)
      const by = { actor, skipsChecks: args.force }
      await components.check.checkDuplicate(id, by)
      await components.db.transaction(tx => components.states.publish(tx, id, by))
      return readPost(components, id)
    },
    text: post => `Published ${post.slug}: ${components.links.post(post.slug)}`
  })
}

export function submitCommand(components: PostComponents) {
  return command({
    describe: 'Submit a hand-made draft for approval; it can then be published, or given a slot',
    returns: 'Post',
    args: { post_id },
    run: async ({ args, actor }) => {
      const id = await resolvePost(components.db, args.post_id)
      await components.states.submit(id, { actor })
      return readPost(components, id)
    },
    text: post => `${post.slug} waits for approval.`
  })
}

export function archiveCommand(components: PostComponents) {
  return command({
    describe: 'Archive a post: it is gone for readers, its row stays',
    returns: 'Post',
    async confirm({ args }) {
      const { slug } = await readPost(components, await resolvePost(components.db, args.post_id))
      return { text: `Archive the post ${slug}? Readers no longer find it.` }
    },
    args: { post_id },
    run: async ({ args, actor }) => {
      const id = await resolvePost(components.db, args.post_id)
      await components.db.transaction(tx => components.states.archive(tx, id, { actor }))
      return readPost(components, id)
    },
    text: post => `Archived ${post.slug}.`
  })
}

export function unpublishCommand({ db, states }: PostComponents) {
  return command({
    describe: 'Make a published post a draft again',
    returns: '{post_id, unpublished, status}',
    args: { post_id },
    run: async ({ args, actor }) => states.unpublish(await resolvePost(db, args.post_id), { actor }),
    text: result =>
      result.unpublished ? 'Unpublished: it is a draft again.' : `No change: the post is ${result.status}.`
  })
}

export function restorePostCommand(components: PostComponents) {
  return command({
    describe: 'Make an archived post a draft again; its task waits for approval, or is rejected as before',
    returns: 'Post',
    args: { post_id },
    run: async ({ args, actor }) => {
      const id = await resolvePost(components.db, args.post_id)
      await components.states.restore(id, { actor })
      return readPost(components, id)
    },
    text: post => `${post.slug} is a draft again: "posts publish ${post.post_id.slice(0, 8)}" makes it public.`
  })
}
