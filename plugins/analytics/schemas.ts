import { slugPattern, Type } from '#core'

const Slug = Type.String({ pattern: slugPattern, maxLength: 80, examples: ['how-a-lighthouse-works'] })

export const ViewBody = Type.Object(
  {
    slug: Slug,
    referrer: Type.Optional(
      Type.String({
        maxLength: 2_000,
        description: 'Where the reader came from, as document.referrer has it. Only its host is stored.',
        examples: ['https://news.example/today']
      })
    )
  },
  { additionalProperties: false }
)

export const ImageQuery = Type.Object({ slug: Slug }, { additionalProperties: false })

export const DaysQuery = Type.Object(
  {
    days: Type.Integer({
      minimum: 1,
      maximum: 366,
      default: 30,
      description: 'How many days, today included.',
      examples: [30]
    })
  },
  { additionalProperties: false }
)

const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [12] })
const views = count('By readers.')
const machines = count('By crawlers, assistants, prefetching browsers, and at a rate that no reader has.')
const Day = Type.String({ format: 'date', description: 'In operator_timezone.', examples: ['2026-11-30'] })

export const ViewReportSchema = Type.Object(
  {
    days: Type.Integer({ examples: [30] }),
    daily: Type.Array(Type.Object({ day: Day, views, machines }), { description: 'Every day, oldest first.' }),
    posts: Type.Array(
      Type.Object({
        post_id: Type.String({ format: 'uuid' }),
        slug: Type.String({ examples: ['how-a-lighthouse-works'] }),
        title: Type.String({ examples: ['How a lighthouse works'] }),
        views,
        machines
      }),
      { description: 'The 100 most read, withdrawn posts included.' }
    ),
    referrers: Type.Array(Type.Object({ host: Type.String({ examples: ['news.example'] }), views }), {
      description: 'The 100 hosts that most readers came from. Hosts beyond 1,000 a day count as other.'
    }),
    geo: Type.Array(Type.Object({ country: Type.String({ examples: ['SE'] }), views }), {
      description: 'By country, where analytics_country_header is set.'
    })
  },
  { title: 'ViewReport' }
)

export const MachineReportSchema = Type.Object(
  {
    days: Type.Integer({ examples: [30] }),
    machines: Type.Array(Type.Object({ name: Type.String({ examples: ['GPTBot'] }), views: count('Views.') }))
  },
  { title: 'MachineReport' }
)
