/** A text whose form depends on a number: one for each plural category of its language, `other` always. */
export type PluralText = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>
export type SiteText = string | PluralText

/**
 * What pages say around the posts, in one language. `{name}` stands for a value; `{count}` chooses the plural form.
 * Texts say what they mean without what stands beside them, so that languages can order words as they do.
 */
export interface SiteTexts {
  skip: string
  mainMenu: string
  moreMenu: string
  archive: string
  podcast: string
  search: string
  feed: string
  podcastFeed: string
  categories: string
  category: string
  tags: string
  tag: string
  posts: PluralText
  episodes: PluralText
  readingTime: PluralText
  noPosts: string
  noEpisodes: string
  pages: string
  page: string
  pageOf: string
  titleOfPage: string
  newer: string
  older: string
  listen: string
  watch: string
  readAlong: string
  previousPost: string
  nextPost: string
  neighbours: string
  related: string
  updated: string
  searchHint: string
  searchFor: string
  searchCorrected: string
  searchSite: string
  nothingFound: string
  podcastAbout: string
  podcastApps: string
  archiveAbout: string
  categoryAbout: string
  tagAbout: string
  footnotes: string
  backToText: string
  badAddress: string
  needsToken: string
  notAllowed: string
  notFound: string
  notReadable: string
  tooMany: string
  unavailable: string
  wentWrong: string
  notFoundAbout: string
  toHome: string
  request: string
}

/** The texts of a language that a theme or a plugin adds or changes; keys of its own are welcome. */
export type AddedTexts = Readonly<Partial<SiteTexts> & Record<string, SiteText | undefined>>
/** By BCP 47 tag, such as `de` or `pt-BR`. */
export type TextsByLanguage = Readonly<Record<string, AddedTexts>>

/** The text of a key in a language, with its values put in. */
export type ReadText = (key: keyof SiteTexts | (string & {}), values?: TextValues) => string
export type TextValues = Readonly<Record<string, string | number>>
