import { fieldLines, listOf, readTextFile, table } from '#cli'
import { type ArgDefinition, command, type Terminal } from '#core'
import { formatInstant } from '#time'
import { pageFaults } from '../page-text.ts'
import { placeOfPage } from '../reads/approved-pages.ts'
import type { Site } from '../reads/site.ts'
import type { StaticPage, StaticPages } from '../static-pages.ts'

/** Of markdown: some 40,000 words. */
const maxTextBytes = 262_144

const slug: ArgDefinition & { type: 'positional'; required: true } = {
  type: 'positional',
  describe: 'Slug of the page: the end of its address /pages/{slug}',
  required: true
}

interface PageCommandDeps {
  staticPages: StaticPages
  site: Pick<Site, 'latest'>
}

export const pageCommands = (parts: PageCommandDeps) => ({
  list: listCommand(parts),
  show: showCommand(parts),
  set: setCommand(parts),
  approve: approveCommand(parts),
  remove: removeCommand(parts)
})

/** With its address; null until readers find it there. */
function withUrl<Page extends StaticPage>({ site }: PageCommandDeps, page: Page): Page & { url: string | null } {
  const { view } = site.latest()
  return { ...page, url: page.state === 'waiting' ? null : view.absolute(view.path(placeOfPage(page.slug))) }
}

const listCommand = (parts: PageCommandDeps) =>
  command({
    describe: 'All pages, and whether readers get them as they are',
    returns: 'list of Page',
    args: {},
    run: async () => listOf((await parts.staticPages.list()).map(page => withUrl(parts, page))),
    text({ items }, terminal) {
      if (items.length === 0) return 'There are no pages: "galley pages set imprint --file imprint.md" writes one.'
      const rows = items.map(page => [
        page.slug,
        page.state,
        page.title,
        page.approved_by ?? '',
        approvedAt(page, terminal)
      ])
      const columns = ['PAGE', 'STATE', { heading: 'TITLE', isText: true }, 'APPROVED BY', 'APPROVED AT']
      return table(columns, rows, terminal)
    }
  })

const approvedAt = ({ approved_at }: StaticPage, { timeZone }: Terminal): string =>
  approved_at === null ? '' : formatInstant(approved_at, timeZone)

const showCommand = (parts: PageCommandDeps) =>
  command({
    describe: 'A page as it was written last, with its text and its approval',
    returns: 'Page with content',
    args: { slug },
    run: async ({ args }) => withUrl(parts, await parts.staticPages.show(args.slug)),
    text: ({ content, ...page }, terminal) => `${fieldLines(page, terminal)}\n\n${content}`
  })

const setCommand = (parts: PageCommandDeps) =>
  command({
    describe: 'Write a page from markdown. Readers get it once it is approved, and until then what was approved before',
    returns: 'Page',
    args: {
      slug,
      file: { type: 'string', describe: 'File with the text, - for stdin', required: true, completes: 'file' },
      title: { type: 'string', describe: "Default: the text's first H1" },
      language: { type: 'string', describe: 'BCP 47, such as pt-BR; default: the setting site_language' }
    },
    validate: pageFaults,
    async run({ args: { file, ...words }, actor, terminal }) {
      const limits = { maxBytes: maxTextBytes, field: 'file' }
      const content =
        file === '-' ? await terminal.readStdin(limits) : await readTextFile(file, { cwd: terminal.cwd, ...limits })
      return withUrl(parts, await parts.staticPages.set({ ...words, content }, actor))
    },
    text: page =>
      page.state === 'public'
        ? `The page ${page.slug} is public as it is.`
        : `The page ${page.slug} waits: "galley pages show ${page.slug}" shows it, "galley pages approve ${page.slug}" makes it public.`
  })

const approveCommand = (parts: PageCommandDeps) =>
  command({
    describe: 'Make a page public as it is now',
    returns: 'Page',
    args: {
      slug,
      'content-hash': {
        type: 'string',
        describe: 'content_hash the decision is about: refused when the content is another by now'
      }
    },
    run: async ({ args, actor }) =>
      withUrl(parts, await parts.staticPages.approve(args.slug, { content_hash: args['content-hash'], actor })),
    text: ({ slug, url }) => `The page ${slug} is public: ${url}`
  })

const removeCommand = (parts: PageCommandDeps) =>
  command({
    describe: 'Delete a page; readers no longer find it',
    returns: 'Page as it was',
    args: { slug },
    confirm: ({ args }) => ({ text: `Delete the page ${args.slug} with its text?`, isIrreversible: true }),
    run: ({ args, actor }) => parts.staticPages.remove(args.slug, actor),
    text: page => `Deleted the page ${page.slug}.`
  })
