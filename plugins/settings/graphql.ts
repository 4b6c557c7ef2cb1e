import type { GraphqlModule, SettingsStore } from '#core'
import { type ConnectionArguments, connectionOf, pageQueryOf } from '#lists'
import { listSettings, type SettingFilter, settingCursor, settingsPage, settingsRequest } from './settings-page.ts'

const schema = `
"A runtime setting."
type Setting {
  key: String!
  "Text; ******** for a secret."
  value: String!
  "Null for a setting that no plugin declares."
  default: String
  "What the value may be, in a few words; null for any text."
  bounds: String
  category: String!
  description: String!
  isSecret: Boolean!
  "One of the operator's machine: over HTTP a change needs the scope api:admin."
  isMachine: Boolean!
  isActive: Boolean!
  "Of a secret that is sent to an address: the host it was set for."
  sentTo: String
  "Why the stored value is not in use; null when it is, or when there is none."
  fault: String
  "Null while the default is in use."
  updatedAt: DateTime
}
type SettingEdge {
  node: Setting!
  cursor: String!
}
type SettingConnection {
  edges: [SettingEdge!]!
  pageInfo: PageInfo!
  totalCount: Int!
}
extend type Query {
  "Settings by key, secrets masked."
  settings(first: Int! = 100, after: String, category: String): SettingConnection! @bearer(scope: "api:read")
  "One setting; null when there is none with this key."
  setting(key: String!): Setting @bearer(scope: "api:read")
}`

/** The settings' part of the GraphQL schema. */
export const settingsGraphql = (store: SettingsStore): GraphqlModule => ({
  schema,
  resolvers: {
    Query: {
      settings: (_: undefined, { category, ...args }: ConnectionArguments & SettingFilter) => {
        const page = settingsRequest(pageQueryOf(args), { category })
        return connectionOf(settingsPage(listSettings(store, { category }), page), page, settingCursor)
      },
      setting: (_: undefined, { key }: { key: string }) => store.list().find(item => item.key === key) ?? null
    }
  }
})
