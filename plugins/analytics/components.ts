import type { Db, Log, Settings, SettingsStore } from '#core'
import type { Posts, PublishedPosts } from '#plugins/posts'
import { dayAt } from './day.ts'
import { createMachines } from './machines.ts'
import { createRates } from './rates.ts'
import { createRecordView } from './record.ts'
import { createReports } from './report.ts'
import type { analyticsSettings } from './settings.ts'
import { createViews } from './views.ts'

interface AnalyticsContext {
  needs: { posts: Posts; published: PublishedPosts; store: SettingsStore }
  settings: Settings<typeof analyticsSettings>
  db: Db
  log: Log
  now(): Date
}

/** Everything the plugin consists of, wired. */
export type AnalyticsComponents = ReturnType<typeof createComponents>

export function createComponents({ needs: { posts, published, store }, settings, db, log, now }: AnalyticsContext) {
  const timeZone = () => store.value('operator_timezone')
  const today = () => dayAt(now(), timeZone())
  const views = createViews({ db, published, today, log })
  return {
    views,
    today,
    record: createRecordView({
      views,
      machines: createMachines(),
      rates: createRates(now),
      published,
      settings,
      store
    }),
    reports: createReports({ db, posts, timeZone, now })
  }
}
