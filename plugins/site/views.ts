import type { SizedPicture } from '#plugins/media'
import type { PostLink, PostSummary } from '#plugins/posts'
import type { Html } from './html/html.ts'
import type { ReadText, TextsByLanguage } from './texts/texts.ts'

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
  /** Whether there is a feed at a place, such as `/tags/moon/atom.xml`. */
  hasFeed(place: string): boolean
  /** Address of a picture beside the name; null for none. */
  logo: string | null
  menu: readonly MenuLink[]
  footer: readonly MenuLink[]
  /** Whether there is a search, a podcast. */
  hasSearch: boolean
  hasPodcast: boolean
  isIndexed: boolean
  /** The files of the theme, as pages link them; null for no script. */
  assets: { stylesheet: string; icon: string; script: string | null }
  /** How `language` is written. */
  direction: 'ltr' | 'rtl'
  /** What pages say around the posts, in the language of the site: `site.text('posts', { count: 3 })`. */
  text: ReadText
  /** A number as the language writes it. */
  number(value: number): string
  /** A moment as readers see it, in the language of the site. */
  date(iso: string): string
  /** `November 2026` */
  month(iso: string): string
}

/** A post with what is known of its picture: null, or absent, where galley has not stored that. */
export type Pictured<Post> = Post & { picture?: SizedPicture | null }

/** A post in a list. */
export type ListedPost = Pictured<PostSummary>

/** A part of a list of posts. `page` counts from 1. */
export interface PartView {
  posts: readonly ListedPost[]
  total: number
  page: number
  pages: number
  /** Its own address, and those of the parts before and after it; null where there is none. */
  url: string
  newer: string | null
  older: string | null
  /** Links to the rest of the list, where it does not continue in numbered parts. */
  others?: readonly MenuLink[]
}

/** A category or a tag with its posts. */
export interface LabelView {
  kind: 'category' | 'tag'
  slug: string
  name: string
  description: string
  part: PartView
}

/** A post with its text. */
export interface PostView {
  post: ListedPost
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
  /** Of its transcript with times, as JSON; null without audio. */
  transcript: string | null
  video: string | null
  previous: PostLink | null
  next: PostLink | null
  related: readonly ListedPost[]
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

/** A post that was found; the snippet shows the words that were asked for. */
export type FoundPost = ListedPost & { snippet: Html }

export interface SearchView {
  q: string
  /** Null before anything was asked for. */
  found:
    | (Omit<PartView, 'posts'> & {
        posts: readonly FoundPost[]
        /** The words that were searched for in place of some that no post has. */
        corrected: readonly string[]
      })
    | null
}

export interface FailureView {
  status: number
  message: string
  request_id: string
}

export interface HomeView {
  part: PartView
  categories: readonly { slug: string; name: string }[]
}

export interface ListView {
  part: PartView
}

/** What each kind of page is given beside the site. */
export interface PageViews {
  home: HomeView
  label: LabelView
  archive: ListView
  post: PostView
  staticPage: StaticPageView
  search: SearchView
  podcast: ListView
  failure: FailureView
}
export type PageKind = keyof PageViews

/** A template: it makes the whole document of a page, at once and from nothing but what it is given. */
export type Template<View> = (site: SiteView, view: View) => Html
export type Templates = { readonly [Kind in PageKind]: Template<PageViews[Kind]> }

/** What a theme is: a template for each kind of page, and the files that its pages link. */
export interface Theme extends Templates {
  /** CSS. Pages reach it at `site.assets.stylesheet`. */
  readonly stylesheet: string
  /** SVG, for browsers' tabs; a logo takes its place. */
  readonly icon: string
  /** JavaScript, a module. Pages link it by `site.assets.script`, and run no other. */
  readonly script?: string
  /** Texts around the posts that it changes or adds, by language. */
  readonly texts?: TextsByLanguage
}
