import { createBoundedMap } from '#core'
import { cutText } from '#text/excerpts'
import { formerPath } from '../former-path.ts'
import type { SourcePost } from '../source-post.ts'
import { indexPages } from './page-index.ts'
import { type GeneratorLink, type MarkedLinks, withAddresses } from './page-links.ts'
import { postOfFile } from './post-of-file.ts'
import { FileFault, readMarkdownFiles, textsAtOnce } from './read-texts.ts'
import type { MarkdownSite } from './site/site.ts'

/** Of those that are linked again and again. */
const maxKnown = 10_000
const maxNamed = 5

/** The addresses by which posts of a folder link each other: those from which readers are sent on. */
export function createPageAddresses(root: string, files: readonly string[], site: MarkdownSite) {
  const index = indexPages(files)
  const known = createBoundedMap<string, string | null>({ maxEntries: () => maxKnown })

  /** By the files that links lead to; a file is read for its fields where it is not known yet. */
  async function addressesOf(targets: ReadonlySet<string>): Promise<Map<string, string | null>> {
    const found = new Map<string, string | null>()
    const missing: string[] = []
    for (const file of targets) {
      const address = known.get(file)
      if (address === undefined) missing.push(file)
      else found.set(file, address)
    }
    for (let from = 0; from < missing.length; from += textsAtOnce)
      for (const [file, read] of await readMarkdownFiles(root, missing.slice(from, from + textsAtOnce))) {
        const address = read instanceof FileFault ? null : linkableOf(postOfFile(file, read, site))
        known.set(file, address)
        found.set(file, address)
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
        link => addresses.get(fileOf(link) ?? '') ?? null
      )
      return { ...post, text: { ...post.text, value: text }, notes: [...post.notes, ...notesOf(unknown)] }
    }
  }
}

/** The first that a redirect is stored for, as it stands in a link of markdown. */
function linkableOf({ addresses }: SourcePost): string | null {
  const address = addresses.find(each => formerPath(each) !== null)
  const { pathname } = URL.parse(address ?? '', 'http://localhost/') ?? { pathname: '/' }
  return address === undefined ? null : pathname.replace(/[()]/g, letter => (letter === '(' ? '%28' : '%29'))
}

function notesOf(unknown: readonly string[]): string[] {
  const names = unknown.slice(0, maxNamed).map(target => JSON.stringify(cutText(target, 100)))
  const more = unknown.length > maxNamed ? ` and ${unknown.length - maxNamed} more` : ''
  return names.length === 0 ? [] : [`links to pages without a known address: ${names.join(', ')}${more}`]
}
