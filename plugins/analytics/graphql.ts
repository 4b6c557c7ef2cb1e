import type { FieldErrors, GraphqlModule } from '#core'
import type { Reports } from './report.ts'

const schema = `
type DayViews { day: String! views: Int! machines: Int! }
type PostViews { postId: ID! slug: String! title: String! views: Int! machines: Int! }
type ReferrerViews { host: String! views: Int! }
type CountryViews { country: String! views: Int! }
type MachineViews { name: String! views: Int! }
"What was read. Readers and machines are counted apart."
type Views {
  days: Int!
  "Every day, oldest first."
  daily: [DayViews!]!
  posts: [PostViews!]!
  referrers: [ReferrerViews!]!
  geo: [CountryViews!]!
}
extend type Query {
  "Views of the last days, today included: 1 to 366."
  views(days: Int! = 30): Views! @bearer(scope: "api:read") @cost(weight: 50)
  "Views by crawlers and other machines in the last days, by name."
  machineViews(days: Int! = 30): [MachineViews!]! @bearer(scope: "api:read") @cost(weight: 20)
}`

interface Days {
  days: number
}

/** What the REST routes report. */
export const analyticsGraphql = (reports: Reports): GraphqlModule => ({
  schema,
  resolvers: {
    Query: {
      views: (_: undefined, { days }: Days) => reports.views(days),
      machineViews: async (_: undefined, { days }: Days) => (await reports.machines(days)).machines
    }
  },
  checks: { Query: { views: daysFault, machineViews: daysFault } }
})

const daysFault = ({ days }: Days): FieldErrors => (days >= 1 && days <= 366 ? {} : { days: 'must be 1 to 366' })
