import type { SettingsStore } from '#core'
import { fetchLimit, type Page, type PageQuery, type PageRequest, pageRequest, toPage } from '#lists'

type SettingView = ReturnType<SettingsStore['list']>[number]

/** Where a setting stands in the list, for cursors. */
export const settingCursor = ({ key }: SettingView): readonly string[] => [key]

export interface SettingFilter {
  category?: string | null | undefined
}

/** The page that a request asks for. Cursors of one category are not those of another. */
export const settingsRequest = (query: PageQuery, { category }: SettingFilter): PageRequest =>
  pageRequest(query, ['text'], ['settings', category])

/** Settings by key. */
export const listSettings = (store: Pick<SettingsStore, 'list'>, { category }: SettingFilter): SettingView[] =>
  store.list().filter(item => category == null || item.category === category)

/** A page of settings that are in the order of their keys. */
export function settingsPage(all: readonly SettingView[], page: PageRequest): Page<SettingView> {
  const after = page.after?.[0]
  const ahead = after === undefined ? all : all.filter(({ key }) => key > after)
  return toPage(ahead.slice(page.offset, page.offset + fetchLimit(page)), page, all.length, settingCursor)
}
