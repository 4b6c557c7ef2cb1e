import { listOf, table } from '#cli'
import { command } from '#core'
import { pluralized } from '#text/plural'
import type { Reports } from '../report.ts'

const days = {
  type: 'integer',
  describe: 'How many days, today included',
  default: 30,
  minimum: 1,
  maximum: 366
} as const
const limit = { type: 'integer', describe: 'How many', default: 20, minimum: 1, maximum: 100 } as const

export const analyticsCommands = (reports: Reports) => ({
  views: viewsCommand(reports),
  top: topCommand(reports),
  referrers: referrersCommand(reports),
  machines: machinesCommand(reports)
})

const viewsCommand = (reports: Reports) =>
  command({
    describe: 'Views by day, by readers and by machines',
    returns: '{days, daily: [{day, views, machines}], posts, referrers, geo}',
    args: { days },
    run: ({ args }) => reports.views(args.days),
    text: ({ daily, geo }, terminal) => {
      const total = daily.reduce((sum, { views }) => sum + views, 0)
      const rows = daily.map(({ day, views, machines }) => [day, String(views), String(machines)])
      return [
        table(['DAY', 'VIEWS', 'MACHINES'], rows, terminal),
        ...geo.map(({ country, views }) => `${country}: ${views}`),
        `${pluralized(total, 'view')} by readers in ${pluralized(daily.length, 'day')}.`
      ].join('\n')
    }
  })

const topCommand = (reports: Reports) =>
  command({
    describe: 'The posts that most readers opened',
    returns: 'list of {post_id, slug, title, views, machines}',
    args: { days, limit },
    run: async ({ args }) => listOf((await reports.views(args.days)).posts.slice(0, args.limit)),
    text: ({ items }, terminal) =>
      items.length === 0
        ? noViews
        : table(
            [
              { heading: 'TITLE', isText: true },
              { heading: 'SLUG', dropOrder: 1 },
              { heading: 'VIEWS' },
              { heading: 'MACHINES' }
            ],
            items.map(({ title, slug, views, machines }) => [title, slug, String(views), String(machines)]),
            terminal
          )
  })

const referrersCommand = (reports: Reports) =>
  command({
    describe: 'The sites that most readers came from',
    returns: 'list of {host, views}',
    args: { days, limit },
    run: async ({ args }) => listOf((await reports.views(args.days)).referrers.slice(0, args.limit)),
    text: ({ items }, terminal) =>
      items.length === 0
        ? 'No reader came from another site.'
        : table(
            ['HOST', 'VIEWS'],
            items.map(({ host, views }) => [host, String(views)]),
            terminal
          )
  })

const machinesCommand = (reports: Reports) =>
  command({
    describe: 'Crawlers and other machines, by name',
    returns: 'list of {name, views}',
    args: { days, limit },
    run: async ({ args }) => listOf((await reports.machines(args.days)).machines.slice(0, args.limit)),
    text: ({ items }, terminal) =>
      items.length === 0
        ? 'No machine was counted.'
        : table(
            ['name', 'views'],
            items.map(({ name, views }) => [name, String(views)]),
            terminal
          )
  })

const noViews = 'Nothing was read: pages count with POST /api/analytics/view, those of the plugin site by themselves.'
