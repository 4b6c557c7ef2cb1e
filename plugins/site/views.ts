import type { PostLink, PostSummary } from '#plugins/posts'
import type { Html } from './html/html.ts'

/** A link of a menu. */
export interface MenuLink {
  label: string
  /** Path on the site, or an address elsewhere. */
  url: string
}

/** What every page knows of the site. */
export interface SiteView {
  title: string
  description: string
  /** BCP 47. */
  language: string
  /** Its address with a slash at the end. */
  home: string
  /** The path of a place on the site, such as `/archive`, as links name it. */
  path(place: string): string
  /** A link of this site made absolute; other addresses stay. */
  absolute(link: string): string
  /** What a post names, as a link: an address of this site becomes a path, and a path gets what the site lies under. */
  link(url: string): string
  /** Address of a picture beside the name; null for none. */
  logo: string | null
  menu: readonly MenuLink[]
  footer: readonly MenuLink[]
  /** Whether there is a search, a podcast. */
  hasSearch: boolean
  hasPodcast: boolean
  isIndexed: boolean
  /** A moment as readers see it, in the language of the site. */
  date(iso: string): string
  /** `November 2026` */
  month(iso: string): string
}

/** A post in a list. */
export type ListedPost = PostSummary

/** A part of a list of posts. `page` counts from 1. */
export interface PartView {
  posts: readonly ListedPost[]
  total: number
  page: number
  pages: number
  /** The address of a part of this list. */
  urlOf(page: number): string
}

/** A category or a tag with its posts. */
export interface LabelView {
  kind: 'Category' | 'Tag'
  slug: string
  name: string
  description: string
  part: PartView
}

/** A post with its text. */
export interface PostView {
  post: PostSummary
  category: { slug: string; name: string } | null
  /** Each with the slug of its page. */
  tags: readonly { slug: string; name: string }[]
  /** The text, sanitised and with everything linked. */
  text: Html
  /** Null when the text begins with it. */
  lead: string | null
  /** Address of its own page. */
  url: string
  audio: string | null
  video: string | null
  previous: PostLink | null
  next: PostLink | null
  related: readonly PostSummary[]
}

/** A page that is no post, such as an imprint. */
export interface StaticPageView {
  title: string
  /** BCP 47. */
  language: string
  /** Sanitised and with everything linked. */
  text: Html
  /** Address of its own page. */
  url: string
  /** When an operator approved what it shows. */
  approved_at: string
}

export interface SearchView {
  q: string
  /** Null before anything was asked for. `snippet` is HTML. */
  found: (PartView & { snippets: ReadonlyMap<string, Html> }) | null
}

export interface FailureView {
  status: number
  message: string
  request_id: string
}

/** What a theme is: a template for each kind of page, and one stylesheet. */
export interface Theme {
  readonly stylesheet: string
  /** SVG, for browsers' tabs; a logo takes its place. */
  readonly icon: string
  home(site: SiteView, view: { part: PartView; categories: readonly { slug: string; name: string }[] }): Html
  label(site: SiteView, view: LabelView): Html
  archive(site: SiteView, view: { part: PartView }): Html
  post(site: SiteView, view: PostView): Html
  staticPage(site: SiteView, view: StaticPageView): Html
  search(site: SiteView, view: SearchView): Html
  podcast(site: SiteView, view: { part: PartView }): Html
  failure(site: SiteView, view: FailureView): Html
}
