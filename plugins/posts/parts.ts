import { type Commands, type Context, createLoader, type Db, type Needs, type SettingsStore } from '#core'
import { defaultGateName, type Gates } from '#plugins/gates'
import type { Memory } from '#plugins/memory'
import { subjectOf } from './approval.ts'
import { createCategories } from './categories.ts'
import { createPostCreation } from './creation.ts'
import { createDuePosts } from './due.ts'
import { createPostEdits } from './edits.ts'
import { createFeed } from './feed.ts'
import type { Posts } from './index.ts'
import { createLinks } from './links.ts'
import { createPostEntries } from './memory-entries.ts'
import { createPostMoves } from './moves.ts'
import { resolvePost } from './post-id.ts'
import { createPostStates, refOf } from './posts.ts'
import { createPreviewTokens } from './preview.ts'
import { createPublicationCheck } from './publication-check.ts'
import { createPublished } from './published.ts'
import { renderText } from './rendering.ts'
import { findById, findRefs, listBySlug } from './repository/reads.ts'
import { countAwaiting, listAwaiting } from './repository/waiting.ts'
import { postOf } from './representation.ts'
import { createScheduler } from './scheduler.ts'
import type { postSettings } from './settings.ts'
import { createComparison } from './similar.ts'
import { createPostSlots } from './slots.ts'
import { createTotals } from './totals.ts'

type PartsContext = Omit<Context<Needs, typeof postSettings>, 'needs'> & {
  needs: { gates: Gates; memory: Memory | undefined; store: SettingsStore }
}

/** Everything the plugin consists of, wired. */
export type Parts = ReturnType<typeof createParts>

export function createParts({
  needs: { gates, memory, store },
  settings,
  db,
  emit,
  changes,
  installation,
  now
}: PartsContext) {
  const links = createLinks(installation, settings, store)
  const scheduler = createScheduler()
  const posts = createPostMoves({ emit, changes, gates, scheduler })
  const similar = createComparison()
  const check = createPublicationCheck({ db, settings, similar })
  const totals = createTotals({ db, changes, now })
  const extraCommands: Commands['load'][] = []
  const isNicheGated = () => settings.get('niche_gated_publishing')
  const states = createPostStates({ db, posts, check })
  const creation = createPostCreation({ db, settings, posts, similar })
  const previews = createPreviewTokens({ installation, now })
  const previewUrl = async (post_id: string) => links.previewPage(previews.issue(post_id))
  const service: Posts = {
    saveDraft: creation.saveDraft,
    render: renderText,
    publish: states.publish,
    schedule: states.schedule,
    withdraw: states.withdraw,
    archive: states.archive,
    resolve: resolvePost,
    lock: async (tx, post_id) => refOf(await posts.lock(tx, post_id)),
    takePart: states.takePart,
    checkBefore: check.before,
    objectionTo: async (tx, post) => (await check.objectionTo(tx, post))?.message ?? null,
    refuseDuplicatesFrom: check.refuseFrom,
    compareBy: similar.use,
    addCommands: load => void extraCommands.push(load),
    listAwaiting: async (queryable, limit) =>
      (await listAwaiting(queryable, limit)).map(post => ({
        ...subjectOf(defaultGateName, post),
        since: post.updated_at
      })),
    countAwaiting,
    read: async (queryable, post_id) => {
      const post = await findById(queryable, post_id)
      return post && postOf(post, links)
    },
    previewUrl,
    refs: async (queryable, post_ids) =>
      new Map((await findRefs(queryable, post_ids)).map(row => [row.post_id, refOf(row)])),
    publicUrl: links.post
  }
  return {
    bySlug: { reader: postLoader(db, 'reader'), admin: postLoader(db, 'admin') },
    db,
    links,
    states,
    check,
    isNicheGated,
    creation,
    previews,
    previewUrl,
    service,
    totals,
    extraCommands,
    scheduler,
    slots: createPostSlots({ posts, scheduler, check, isNicheGated }),
    due: createDuePosts({ emit, posts, isNicheGated }),
    categories: createCategories({ db, changes, emit }),
    edits: createPostEdits({ db, posts }),
    feed: createFeed({ db, settings, links }),
    published: createPublished({ settings, links, totals }),
    entries: memory === undefined ? undefined : createPostEntries({ db, memory, changes, links, now })
  }
}

const postLoader = (db: Db, view: 'reader' | 'admin') =>
  createLoader({ read: slugs => listBySlug(db, slugs, view), keyOf: post => post.slug })
