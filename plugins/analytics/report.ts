import type { Db } from '#core'
import type { Posts } from '#plugins/posts'
import { dayAt, daysUntil } from './day.ts'
import { createMostViewed, type ReportPeriod } from './most-viewed.ts'
import { type DayCount, listDays } from './repository.ts'

export interface ViewedPost {
  post_id: string
  slug: string
  title: string
  views: number
  machines: number
}

/** What was read in the last `days` days, today included. Readers and machines are counted apart. */
export interface ViewReport {
  days: number
  /** Every day, oldest first. */
  daily: DayCount[]
  /** The 100 that most readers opened, also those that are no longer public. */
  posts: ViewedPost[]
  /** The 100 hosts that most readers came from. */
  referrers: { host: string; views: number }[]
  /** By country; empty unless `analytics_country_header` is set. */
  geo: { country: string; views: number }[]
}

export interface MachineReport {
  days: number
  /** By kind, most frequent first. */
  machines: { name: string; views: number }[]
}

const maxRows = 100

interface ReportDeps {
  db: Db
  posts: Pick<Posts, 'refs'>
  timeZone(): string
  now(): Date
}

/** What was counted, as it is stored: a view stands in it a second later. */
export interface Reports {
  views(days: number): Promise<ViewReport>
  machines(days: number): Promise<MachineReport>
}

export function createReports({ db, posts, timeZone, now }: ReportDeps): Reports {
  const popular = createMostViewed(db)

  async function periodOf(days: number): Promise<ReportPeriod & { all: readonly string[] }> {
    const all = daysUntil(dayAt(now(), timeZone()), days)
    const first = all[0] ?? ''
    const today = all.at(-1) ?? first
    return { all, first, today, counted: await listDays(db, first) }
  }
  async function readPosts(period: ReportPeriod): Promise<ViewedPost[]> {
    const popularPosts = await popular.list('post', period, maxRows)
    const refs = await posts.refs(
      db,
      popularPosts.map(({ key }) => key)
    )
    return popularPosts.flatMap(({ key, views, machines }) => {
      const ref = refs.get(key)
      return ref === undefined ? [] : [{ post_id: key, slug: ref.slug, title: ref.title, views, machines }]
    })
  }
  return {
    async views(days) {
      const period = await periodOf(days)
      const [viewed, hosts, countries] = await Promise.all([
        readPosts(period),
        popular.list('referrer', period, maxRows),
        popular.list('country', period, maxRows)
      ])
      const byDay = new Map(period.counted.map(count => [count.day, count]))
      return {
        days,
        daily: period.all.map(day => byDay.get(day) ?? { day, views: 0, machines: 0 }),
        posts: viewed,
        referrers: hosts.map(({ key, views }) => ({ host: key, views })),
        geo: countries.map(({ key, views }) => ({ country: key, views }))
      }
    },
    async machines(days) {
      const machines = await popular.list('machine', await periodOf(days), maxRows)
      return { days, machines: machines.map(({ key, views }) => ({ name: key, views })) }
    }
  }
}
