import { CONTRACT, definePlugin, on, onMany, optional, SettingsStoreService } from '#core'
import { GatesService } from '#plugins/gates'
import { MemoryService } from '#plugins/memory'
import { publishGate, subjectOf } from './approval.ts'
import { postChecks } from './checks.ts'
import {
  PostEdited,
  type PostEvent,
  PostPublished,
  PostsService,
  PostWithdrawn,
  PublishedPostsService
} from './index.ts'
import { isPublisherOnTime, publisherMetrics } from './lateness.ts'
import { createParts } from './parts.ts'
import { publisherJob } from './publisher.ts'
import { countHeld, listHeld } from './repository/waiting.ts'
import { postRoutes } from './routes.ts'
import { postSettings } from './settings.ts'

export default definePlugin({
  name: 'posts',
  contract: CONTRACT,
  describe: 'Posts: their states, public reads, feed, previews and the publisher',
  needs: { gates: GatesService, memory: optional(MemoryService), store: SettingsStoreService },
  provides: { posts: PostsService, published: PublishedPostsService },
  settings: postSettings,
  setup(context) {
    const { needs, settings, db } = context
    const parts = createParts(context)
    const read = async (post_id: string) => (await parts.service.read(db, post_id)) ?? { post_id }
    needs.gates.define({
      gate_name: publishGate,
      describe: 'A last approval of a scheduled post when its slot is reached',
      wired_into: 'the publisher',
      setting_key: `pipeline_gate_${publishGate}`,
      isOn: () => settings.get('pipeline_gate_final_publish_approval') === 'on',
      countPending: queryable => countHeld(queryable, publishGate),
      listPending: async (queryable, limit) =>
        (await listHeld(queryable, publishGate, limit)).map(post => subjectOf(publishGate, post)),
      approve: async (id, answer) => read(await parts.slots.approve(id, answer)),
      reject: async (id, answer) => read(await parts.slots.reject(id, answer))
    })
    if (parts.entries !== undefined) needs.memory?.registerBackfill('posts', parts.entries.all)
    const remember = async (post_ids: readonly string[]) => await parts.entries?.follow(post_ids)
    const rememberOne = ({ post_id }: PostEvent) => remember([post_id])
    return {
      services: { posts: parts.service, published: parts.published },
      routes: postRoutes(parts),
      graphql: async () => (await import('./graphql.ts')).postsGraphql(parts),
      commands: {
        posts: {
          describe: 'Read, make, edit and publish posts',
          load: async () => (await import('./commands/posts.ts')).loadPostGroup(parts)
        },
        categories: {
          describe: 'Names and descriptions of categories',
          load: async () => (await import('./commands/categories.ts')).categoryCommands(parts.categories)
        },
        schedule: {
          describe: 'Publish slots: give, move and drop them, and decide at the last gate',
          load: async () => (await import('./commands/schedule.ts')).scheduleCommands(parts.schedule)
        }
      },
      jobs: [publisherJob(parts.publisher, parts.slots.wakeNext)],
      subscriptions: [
        onMany(PostPublished, events => remember(events.map(({ payload }) => payload.post_id))),
        on(PostEdited, rememberOne),
        on(PostWithdrawn, rememberOne)
      ],
      checks: postChecks(db),
      metrics: publisherMetrics(db, parts.isNicheGated),
      isReady: () => isPublisherOnTime(db, parts.isNicheGated()),
      onRestore: async (tx, signal) => (await import('./render-anew.ts')).renderAnew(tx, context.log, signal)
    }
  }
})
