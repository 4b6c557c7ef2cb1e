import { createLoader } from '#coalescing'
import type { Commands, Context, Db, Needs, SettingsStore } from '#core'
import type { Gates } from '#plugins/gates'
import type { Memory } from '#plugins/memory'
import { createAnnouncements } from './announcements.ts'
import { createCategories } from './categories.ts'
import { createPostCreation } from './creation.ts'
import { createPostEdits } from './edits.ts'
import { createFeedHub } from './feeds/hub.ts'
import { createPostImports } from './imports.ts'
import { createPostEntries } from './memory-entries.ts'
import { createPostStates } from './posts.ts'
import { createPostsService } from './posts-service.ts'
import { createPreviewTokens } from './previews/tokens.ts'
import { createPublicationCheck } from './publication/check.ts'
import { createComparison } from './publication/comparison.ts'
import { createPublishedPosts } from './published-service.ts'
import { createGateLinks } from './reads/gate-links.ts'
import { createLinks, type Links } from './reads/links.ts'
import { createNextPublication } from './reads/next-publication.ts'
import { createTotals } from './reads/totals.ts'
import { listBySlug } from './repository/reads.ts'
import { createScheduler } from './scheduler.ts'
import type { postSettings } from './settings.ts'
import { createDuePosts } from './slots/due.ts'
import { createPostSlots } from './slots/slots.ts'
import { createPostTransitions } from './transitions.ts'

type ComponentsContext = Omit<Context<Needs, typeof postSettings>, 'needs'> & {
  needs: { gates: Gates; memory: Memory | undefined; store: SettingsStore }
}

/** Everything the plugin consists of, wired. */
export type PostComponents = ReturnType<typeof createComponents>

export function createComponents({
  needs: { gates, memory, store },
  settings,
  db,
  emit,
  enqueue,
  changes,
  installation,
  now
}: ComponentsContext) {
  const links = createLinks(installation, settings, store)
  const scheduler = createScheduler()
  const { announce, defer: deferAnnouncements, job: announceJob } = createAnnouncements({ db, emit, enqueue })
  const transitions = createPostTransitions({ emit, announce, changes, gates, scheduler })
  const similar = createComparison()
  const check = createPublicationCheck({ db, settings, similar })
  const extraCommands: Commands['load'][] = []
  const isNicheGated = () => settings.get('niche_gated_publishing')
  const states = createPostStates({ db, transitions, check, scheduler })
  const imports = createPostImports({ transitions, deferAnnouncements, siteLanguage: links.siteLanguage })
  const previews = createPreviewTokens({ installation, now })
  const previewUrl = async (post_id: string) => links.previewPage(previews.issue(post_id))
  const feedHub = createFeedHub()
  return {
    ...createReadComponents({ db, settings, links, changes, now, hub: feedHub.address }),
    db,
    links,
    states,
    check,
    isNicheGated,
    creation: createPostCreation({ db, settings, transitions, similar }),
    previews,
    previewUrl,
    service: createPostsService({
      transitions,
      states,
      imports,
      scheduler,
      check,
      similar,
      links,
      previewUrl,
      feedHub,
      extraCommands
    }),
    gateLinks: createGateLinks(db, links, previewUrl),
    extraCommands,
    scheduler,
    slots: createPostSlots({ transitions, scheduler, check, isNicheGated }),
    due: createDuePosts({ emit, transitions, deferAnnouncements, isNicheGated }),
    announceJob,
    categories: createCategories({ db, changes, emit }),
    edits: createPostEdits({ db, transitions, links }),
    entries: memory === undefined ? undefined : createPostEntries({ db, memory, changes, links, now })
  }
}

type ReadContext = Pick<ComponentsContext, 'db' | 'settings' | 'changes' | 'now'> & { links: Links; hub(): string }

/** What answers readers. */
function createReadComponents({ db, settings, links, changes, now, hub }: ReadContext) {
  const nextPublication = createNextPublication({ db, changes, now })
  const totals = createTotals({ db, changes, nextPublication })
  const bySlug = { anonymous: postLoader(db, 'anonymous'), bearer: postLoader(db, 'bearer') }
  return {
    nextPublication,
    totals,
    bySlug,
    feeds: { settings, links, hub },
    published: createPublishedPosts({ settings, links, totals, nextPublication, bySlug: bySlug.anonymous, hub })
  }
}

const postLoader = (db: Db, view: 'anonymous' | 'bearer') =>
  createLoader({ read: slugs => listBySlug(db, slugs, view), keyOf: post => post.slug })
