import type { Commands, Context, Db, Needs, SettingsStore } from '#core'
import { createLoader } from '#lists'
import type { Gates } from '#plugins/gates'
import type { Memory } from '#plugins/memory'
import { createCategories } from './categories.ts'
import { createPostCreation } from './creation.ts'
import { createPostEdits } from './edits.ts'
import { createFeedHub } from './feeds/hub.ts'
import { createPostEntries } from './memory-entries.ts'
import { createPostStates } from './posts.ts'
import { createPostsService } from './posts-service.ts'
import { createPreviewTokens } from './previews/tokens.ts'
import { createPublicationCheck } from './publication/check.ts'
import { createComparison } from './publication/comparison.ts'
import { createPublished } from './published.ts'
import { createGateLinks } from './reads/gate-links.ts'
import { createLinks } from './reads/links.ts'
import { createNextPublication } from './reads/next-publication.ts'
import { createTotals } from './reads/totals.ts'
import { listBySlug } from './repository/reads.ts'
import { createScheduler } from './scheduler.ts'
import type { postSettings } from './settings.ts'
import { createDuePosts } from './slots/due.ts'
import { createPostSlots } from './slots/slots.ts'
import { createPostTransitions } from './transitions.ts'

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
  const transitions = createPostTransitions({ emit, changes, gates, scheduler })
  const similar = createComparison()
  const check = createPublicationCheck({ db, settings, similar })
  const nextPublication = createNextPublication({ db, changes, now })
  const feedHub = createFeedHub()
  const totals = createTotals({ db, changes, nextPublication })
  const extraCommands: Commands['load'][] = []
  const isNicheGated = () => settings.get('niche_gated_publishing')
  const states = createPostStates({ db, transitions, check })
  const creation = createPostCreation({ db, settings, transitions, similar })
  const previews = createPreviewTokens({ installation, now })
  const previewUrl = async (post_id: string) => links.previewPage(previews.issue(post_id))
  const bySlug = { anonymous: postLoader(db, 'anonymous'), bearer: postLoader(db, 'bearer') }
  const service = createPostsService({ transitions, states, check, similar, links, previewUrl, feedHub, extraCommands })
  return {
    bySlug,
    db,
    links,
    states,
    check,
    isNicheGated,
    creation,
    previews,
    previewUrl,
    service,
    gateLinks: createGateLinks(db, links, previewUrl),
    nextPublication,
    totals,
    extraCommands,
    scheduler,
    slots: createPostSlots({ transitions, scheduler, check, isNicheGated }),
    due: createDuePosts({ emit, transitions, isNicheGated }),
    categories: createCategories({ db, changes, emit }),
    edits: createPostEdits({ db, transitions }),
    feeds: { settings, links, hub: feedHub.address },
    published: createPublished({
      settings,
      links,
      totals,
      nextPublication,
      bySlug: bySlug.anonymous,
      hub: feedHub.address
    }),
    entries: memory === undefined ? undefined : createPostEntries({ db, memory, changes, links, now })
  }
}

const postLoader = (db: Db, view: 'anonymous' | 'bearer') =>
  createLoader({ read: slugs => listBySlug(db, slugs, view), keyOf: post => post.slug })
