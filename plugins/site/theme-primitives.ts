/** What a theme is written with, galley's own as well as others': `galley/plugins/site` exports it. */

export { srcsetOf } from './article/srcset.ts'
export { directionOf } from './html/direction.ts'
export { doctype, type Html, html, type Insert } from './html/html.ts'
export { jsonLd } from './html/json-ld.ts'
export type {
  AddedTexts,
  PluralText,
  ReadText,
  SiteText,
  SiteTexts,
  TextsByLanguage,
  TextValues
} from './texts/texts.ts'
export type {
  FailureView,
  FoundPost,
  HomeView,
  LabelView,
  ListedPost,
  ListView,
  MenuLink,
  PageKind,
  PageViews,
  PartView,
  Pictured,
  PostView,
  SearchView,
  SiteView,
  StaticPageView,
  Template,
  Templates,
  Theme
} from './views.ts'
