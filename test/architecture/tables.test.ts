import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSource, sourcesIn } from '../suite/import-graph.ts'
import { withoutComments } from '../suite/source-text.ts'

/** Whose each table is: only its owner's repositories name it. The view public_posts is for all, indexed_posts for search, export and the doctor of tasks. */
const owners: Record<string, readonly string[]> = {
  core: ['app_settings', 'idempotency_keys', 'audit_log'],
  'plugins/auth': ['oauth_clients', 'revoked_tokens'],
  'plugins/posts': ['categories', 'posts', 'post_slugs', 'post_history'],
  'plugins/search': [
    'search_posts',
    'search_state',
    'search_segments',
    'search_postings',
    'search_models',
    'search_term_vectors',
    'search_post_vectors',
    'post_titles',
    'post_words',
    'search_feed',
    'search_sent'
  ],
  'plugins/tasks': ['tasks', 'pipeline_events'],
  'plugins/gates': ['gate_history'],
  'plugins/memory': [
    'memory_entries',
    'memory_chunks',
    'memory_models',
    'memory_embeddings',
    'memory_refusals',
    'memory_waiting'
  ],
  'plugins/webhooks': [
    'webhook_deliveries',
    'webhook_objects',
    'alert_events',
    'alert_groups',
    'revenue_events',
    'subscriber_events'
  ],
  'plugins/media': ['media_covers', 'media_jobs', 'media_files', 'media_placed_files', 'media_podcast_art'],
  'plugins/export': [
    'export_state',
    'export_rebuilds',
    'export_posts',
    'export_lists',
    'export_progress',
    'export_changes'
  ],
  'plugins/notify': ['notify_messages', 'notify_pollers'],
  'plugins/revalidation': ['revalidation_targets', 'revalidation_waiting'],
  'plugins/import': ['imported_posts', 'redirects'],
  'plugins/site': ['site_pages', 'site_approved_pages', 'site_related'],
  'plugins/newsletter': [
    'newsletter_subscribers',
    'newsletter_signups',
    'newsletter_confirmations',
    'newsletter_suppressions',
    'newsletter_challenges',
    'newsletter_rates',
    'newsletter_state',
    'newsletter_database',
    'newsletter_sends',
    'newsletter_recipients'
  ],
  'plugins/analytics': ['analytics_days', 'analytics_posts', 'analytics_facets'],
  'plugins/costs': ['cost_calls', 'cost_periods', 'cost_waits', 'cost_corrections']
}

/** pg-boss's own tables, in a schema of their own; core's, too. */
const queueTables = ['jobs.job', 'jobs.queue', 'jobs.version']

/** Who may name a table of somebody else, and why. */
const guests: Record<string, readonly string[]> = {
  // A backup holds every table, and reads the secrets and writes the audit log while no service runs; so do the jobs' commands.
  cli: ['app_settings', 'audit_log', ...queueTables],
  // Shows the audit log, which the kernel and other plugins write.
  'plugins/events': ['audit_log']
}

const ownerOf = new Map(Object.entries(owners).flatMap(([owner, tables]) => tables.map(table => [table, owner])))
const names = [...ownerOf.keys(), ...queueTables].join('|').replaceAll('.', '\\.')
const folderOf = (file: string): string =>
  file
    .split('/')
    .slice(0, file.startsWith('plugins/') ? 2 : 1)
    .join('/')

test('every table of the service has an owner, and every owner’s table is there', () => {
  const made = [...readSource('migrations/20261120_000000_baseline.sql').matchAll(/^create table (\w+)/gm)]
  assert.deepEqual(made.map(([, table]) => table).sort(), [...ownerOf.keys()].sort())
})

/** Where statements are: the repositories of plugins, and what the core and the commands have in their place. */
const repositories = /\/repository(?:\/|\.ts$)|-repository\.ts$|^core\/(?:db|jobs|settings)\//

test('only the repositories of its owner name a table', () => {
  const inStatement = `\\b(?:from|join|into|update|table|truncate)\\s+(?:only\\s+)?(${names})\\b(?!')`
  const asArgument = `\\b(?:resolveId|hasTable)\\(\\w[\\w.]*,\\s*'(${names})'`
  const tablesIn = (file: string, pattern: string) =>
    new Set(
      [...withoutComments(readSource(file)).matchAll(new RegExp(pattern, 'g'))].map(([, table]) => table as string)
    )
  const strays = sourcesIn('{core,cli,plugins}/**/*.ts').flatMap(file => {
    const folder = folderOf(file)
    const stated = tablesIn(file, inStatement)
    const isAllowed = (table: string) =>
      ((ownerOf.get(table) ?? 'core') === folder || guests[folder]?.includes(table) === true) &&
      (!stated.has(table) || repositories.test(file))
    return [...new Set([...stated, ...tablesIn(file, asArgument)])]
      .filter(table => !isAllowed(table))
      .map(table => `${file} names ${table} of ${ownerOf.get(table) ?? 'core'}`)
  })
  assert.deepEqual(strays, [])
})
