import type { Db } from '#core'
import type { Posts } from '#plugins/posts'
import { dayAt, daysUntil } from './day.ts'
import { type DayCount, listDays, listFacets, listTopPosts } from './repository.ts'

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

export interface ReportDeps {
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
  const calendar = (days: number) => daysUntil(dayAt(now(), timeZone()), days)
  const readPosts = async (first: string): Promise<ViewedPost[]> => {
    const top = await listTopPosts(db, first, maxRows)
    const refs = await posts.refs(
      db,
      top.map(({ post_id }) => post_id)
    )
    return top.flatMap(({ post_id, views, machines }) => {
      const ref = refs.get(post_id)
      return ref === undefined ? [] : [{ post_id, slug: ref.slug, title: ref.title, views, machines }]
    })
  }
  return {
    async views(days) {
      const all = calendar(days)
      const [first = ''] = all
      const [counted, viewed, hosts, countries] = await Promise.all([
        listDays(db, first),
        readPosts(first),
        listFacets(db, 'referrer', first, maxRows),
        listFacets(db, 'country', first, maxRows)
      ])
      const byDay = new Map(counted.map(count => [count.day, count]))
      return {
        days,
        daily: all.map(day => byDay.get(day) ?? { day, views: 0, machines: 0 }),
        posts: viewed,
        referrers: hosts.map(({ name, views }) => ({ host: name, views })),
        geo: countries.map(({ name, views }) => ({ country: name, views }))
      }
    },
    async machines(days) {
      const [first = ''] = calendar(days)
      return { days, machines: await listFacets(db, 'machine', first, maxRows) }
    }
  }
}
