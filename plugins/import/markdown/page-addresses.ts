import { createBoundedMap } from '#core'
import { cutText } from '#text/excerpts'
import { formerPath } from '../former-path.ts'
import type { SourcePost } from '../source-post.ts'
import { indexPages } from './page-index.ts'
import { type GeneratorLink, type MarkedLinks, withAddresses } from './page-links.ts'
import { datedName, postOfFile } from './post-of-file.ts'
import { FileFault, readMarkdownFiles, textsAtOnce } from './read-texts.ts'
import { pageNameOf } from './site/page-path.ts'
import type { MarkdownSite } from './site/site.ts'

/** Of those that are linked again and again. */
const maxKnown = 10_000
const maxNamed = 5

/** Where a link to a post leads. */
interface Linkable {
  address: string
  /** A path of galley, where another post of the folder will be: its own page wins over a redirect. */
  isOfAnother: boolean
}

/** The addresses by which posts of a folder link each other: those from which readers are sent on. */
export function createPageAddresses(root: string, files: readonly string[], site: MarkdownSite) {
  const index = indexPages(files)
  const known = createBoundedMap<string, Linkable | null>({ maxEntries: () => maxKnown })
  const bySlug = filesBySlug(files)

  /** The first that a redirect is stored for. It stands in a link of markdown. */
  function linkableOf({ id, addresses }: SourcePost): Linkable | null {
    const stored = addresses.flatMap(address => {
      const path = formerPath(address)
      if (path === null) return []
      const first = bySlug.get(ownPath.exec(path)?.[1] ?? '') ?? id
      return { address: inLink(address), isOfAnother: first !== id }
    })
    return stored.find(each => !each.isOfAnother) ?? stored[0] ?? null
  }

  /** By the files that links lead to; a file is read for its fields where it is not known yet. */
  async function addressesOf(targets: ReadonlySet<string>): Promise<Map<string, Linkable | null>> {
    const found = new Map<string, Linkable | null>()
    const missing: string[] = []
    for (const file of targets) {
      const linkable = known.get(file)
      if (linkable === undefined) missing.push(file)
      else found.set(file, linkable)
    }
    for (let from = 0; from < missing.length; from += textsAtOnce)
      for (const [file, read] of await readMarkdownFiles(root, missing.slice(from, from + textsAtOnce))) {
        const linkable = read instanceof FileFault ? null : linkableOf(postOfFile(file, read, site))
        known.set(file, linkable)
        found.set(file, linkable)
      }
    return found
  }

  return {
    /** The same post, with addresses where its text links others. */
    async link(post: SourcePost, pageLinks: MarkedLinks): Promise<SourcePost> {
      const fileOf = (link: GeneratorLink) => index.find(link, post.id)
      const targets = new Set(pageLinks.links.flatMap(link => fileOf(link) ?? []))
      const addresses = await addressesOf(targets)
      const { text, unknown } = withAddresses(
        post.text.value,
        pageLinks,
        link => addresses.get(fileOf(link) ?? '')?.address ?? null
      )
      const wrong = [...addresses].flatMap(([file, linkable]) => (linkable?.isOfAnother === true ? [file] : []))
      const notes = [
        ...notesOf('links to pages without a known address', unknown),
        ...notesOf('links to pages whose old address is that of another post here', wrong)
      ]
      return { ...post, text: { ...post.text, value: text }, notes: [...post.notes, ...notes] }
    }
  }
}

/** The page of a post here. */
const ownPath = /^\/posts\/([^/]+)$/

/** The first file of each slug, by their names: who comes first has it. */
function filesBySlug(files: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const file of files) {
    const { name, language } = pageNameOf(file)
    const words = [datedName.exec(name)?.[4] ?? name, language ?? ''].join(' ').toLowerCase()
    const slug = words.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
    if (!found.has(slug)) found.set(slug, file)
  }
  return found
}

function inLink(address: string): string {
  const { pathname } = URL.parse(address, 'http://localhost/') ?? { pathname: '/' }
  return pathname.replace(/[()]/g, letter => (letter === '(' ? '%28' : '%29'))
}

function notesOf(what: string, pages: readonly string[]): string[] {
  const names = pages.slice(0, maxNamed).map(page => JSON.stringify(cutText(page, 100)))
  const more = pages.length > maxNamed ? ` and ${pages.length - maxNamed} more` : ''
  return names.length === 0 ? [] : [`${what}: ${names.join(', ')}${more}`]
}
